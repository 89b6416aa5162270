package import Firestore
package import Model
package import Store
import Synchronization

/// A counter of a run's billed reads against its budget, shared by everything in it that reads.
///
/// A request takes the reads that it can cost at most before it is sent, and gives back those that
/// it did not cost. So no request can exceed the budget; see `docs/costs.md#read-budget`.
package final class ReadBudgetMeter: Sendable {
  /// The budget; nil for a run without one.
  package let limit: Int?
  private let runId: Int64?
  private let state: Mutex<State>

  private struct State {
    /// Reads of finished requests, and the most that requests in flight can cost.
    var taken = 0
    var underWay = 0
    /// Callers that wait for a request in flight to return unused reads.
    var waiting: [CheckedContinuation<Void, Never>] = []
    var counts = RunCounts()
    var edition: FirestoreEdition
    var refusedScan = false
  }

  private enum Grant {
    case reads(Int)
    /// The missing reads may be returned by a request in flight.
    case later
    case none
  }

  /// `runId` names the recorded run that keeps the count; nil for none.
  package init(
    _ limit: Int? = nil, runId: Int64? = nil, edition: FirestoreEdition = .standard
  ) {
    self.limit = limit
    self.runId = runId
    state = Mutex(State(edition: edition))
  }

  /// The edition of the database, which determines the unit of the reads; it is that of the last
  /// request, or else the one that was known before.
  package var edition: FirestoreEdition { state.withLock(\.edition) }

  /// The counts of the run's pull so far, for the row of a run that fails.
  package var counts: RunCounts { state.withLock(\.counts) }

  func note(_ counts: RunCounts) {
    state.withLock { $0.counts = counts }
  }

  /// Billed reads so far; a request in flight counts with the most that it can cost.
  package var spent: Int { state.withLock(\.taken) }

  /// Whether a query that scans its collection was not sent, since it needs more than is left.
  package var refusedScan: Bool { state.withLock(\.refusedScan) }

  func noteRefusedScan() { state.withLock { $0.refusedScan = true } }

  /// Performs a request that may cost up to `count` reads; it is granted what is left of them, but
  /// at least `least`.
  ///
  /// With `waits`, it waits until requests in flight return unused reads; such a call must not be
  /// part of another request. The result is nil when too few reads are left; then no request was
  /// sent. The client's own count, which includes requests that prepare this one, replaces the
  /// `reads` that the request returns.
  ///
  /// - Throws: what the request throws; it then counts only what the client has counted.
  package func spend<Answer>(
    upTo count: Int, atLeast least: Int = 1, waits: Bool = false,
    on request: (_ granted: Int) async throws -> (answer: Answer, reads: Int)
  ) async throws -> Answer? {
    while true {
      switch take(upTo: count, atLeast: least, waits: waits) {
      case .none: return nil
      case .later where !waits: return nil
      case .later: await oneIsOver()
      case .reads(let granted):
        let tally = ReadTally()
        var reads = 0
        defer { giveBack(granted - (tally.count ?? reads), on: tally.edition) }
        let outcome = try await ReadTally.$current.withValue(tally) { try await request(granted) }
        reads = outcome.reads
        return outcome.answer
      }
    }
  }

  /// Counts reads regardless of the budget, such as the one that finds where the next page starts.
  package func add(_ count: Int) {
    state.withLock { $0.taken += count }
  }

  /// The effects that store the count with the rows that it paid for, so that a day's total
  /// includes killed runs.
  package var effects: [StoreChange] { runId.map { [.billedReads(spent, run: $0)] } ?? [] }

  private func take(upTo count: Int, atLeast least: Int, waits: Bool) -> Grant {
    state.withLock { state in
      let granted = max(0, min(count, (limit ?? .max) - state.taken))
      if state.underWay > 0, granted < least || (waits && granted < count) { return .later }
      guard granted >= least else {
        state.refusedScan = state.refusedScan || granted > 0
        return .none
      }
      state.taken += granted
      state.underWay += 1
      return .reads(granted)
    }
  }

  private func giveBack(_ reads: Int, on edition: FirestoreEdition?) {
    let waiting = state.withLock { state in
      state.edition = edition ?? state.edition
      state.taken -= reads
      state.underWay -= 1
      defer { state.waiting = [] }
      return state.waiting
    }
    for one in waiting { one.resume() }
  }

  /// Waits until a request in flight ends; returns at once when there is none.
  private func oneIsOver() async {
    await withCheckedContinuation { continuation in
      let waits = state.withLock { state in
        if state.underWay > 0 { state.waiting.append(continuation) }
        return state.underWay > 0
      }
      if !waits { continuation.resume() }
    }
  }
}

extension FirestorePort {
  /// Returns how the query finds its documents; nil when the budget does not suffice to find out.
  ///
  /// The cost of finding out counts, such as the sample of a collection that is scanned.
  ///
  /// - Throws: the server's error.
  package func access(
    of query: StructuredQuery, under parent: String?, within reads: ReadBudgetMeter,
    waits: Bool = false
  ) async throws -> QueryAccess? {
    if let known = knownAccess(of: query, under: parent) { return known }
    let found = try await reads.spend(upTo: 1_000_000, waits: waits) { granted in
      let most = reads.limit == nil ? nil : granted
      let access = try await access(of: query, under: parent, upTo: most)
      if access == nil { reads.noteRefusedScan() }
      return (access, 0)
    }
    return found ?? nil
  }

  /// Counts the documents of a query without a limit; returns nil when the budget does not suffice
  /// to count them all.
  ///
  /// The count stops at `most` documents, which leaves reads to concurrent counts, or at the number
  /// that the rest of the budget pays for. A count that scans is not begun unless the scan fits.
  /// With `waits`, it waits until requests in flight return unused reads.
  ///
  /// - Throws: the server's error.
  package func count(
    of query: StructuredQuery, under parent: String?, readTime: Timestamp?,
    within reads: ReadBudgetMeter, upTo most: Int? = nil, waits: Bool = false
  ) async throws -> Int? {
    let access = try await access(of: query, under: parent, within: reads, waits: waits)
    guard let access else { return nil }
    let rules = edition.rules
    let scan = access.scannedUnits
    // The limit of the query has 32 bits.
    let wanted = scan ?? most.map(rules.readsOfCount) ?? 1_000_000
    let counted = try await reads.spend(upTo: wanted, atLeast: scan ?? 1, waits: waits) { granted in
      var limited = query
      limited.limit = most
      let isCut = scan == nil && reads.limit != nil && (most == nil || granted < wanted)
      if isCut { limited.limit = granted * rules.documentsPerCountedRead }
      let count = try await count(of: limited, under: parent, readTime: readTime)
      let isWhole = !isCut || count != limited.limit
      return (isWhole ? count : nil, rules.readsOfCount(count))
    }
    return counted ?? nil
  }
}
