package import Firestore
package import Model
package import Store
import Synchronization

/// A counter of a run's billed reads against its budget, shared by everything in it that reads.
///
/// Before it is sent, a request reserves the most reads that it can cost; it returns the reads that
/// its answer did not cost. So no request can exceed the budget; see `docs/costs.md#read-budget`.
package final class ReadBudgetMeter: Sendable {
  /// The budget; nil for a run without one.
  package let limit: Int?
  private let runId: Int64?
  private let state = Mutex(State())

  private struct State {
    /// Reads of finished requests, and the most that requests in flight can cost.
    var taken = 0
    var underWay = 0
    /// Callers that wait for a request in flight to return unused reads.
    var waiting: [CheckedContinuation<Void, Never>] = []
    var counts = RunCounts()
  }

  private enum Grant {
    case reads(Int)
    /// The missing reads may be returned by a request in flight.
    case later
    case none
  }

  /// `runId` names the recorded run that keeps the count; nil for none.
  package init(_ limit: Int? = nil, runId: Int64? = nil) {
    self.limit = limit
    self.runId = runId
  }

  /// The counts of the run's pull so far, for the row of a run that fails.
  package var counts: RunCounts { state.withLock(\.counts) }

  func note(_ counts: RunCounts) {
    state.withLock { $0.counts = counts }
  }

  /// Billed reads so far; a request in flight counts with the most that it can cost.
  package var spent: Int { state.withLock(\.taken) }

  /// Performs a request that may cost `count` reads, or the remaining reads if they are fewer.
  ///
  /// With `waits`, it first waits for requests in flight that may return reads; such a call must
  /// not be made inside another request. If no read is left, no request is sent and the answer is
  /// nil.
  ///
  /// - Throws: the error of the request, which then counts as no read.
  package func spend<Answer>(
    upTo count: Int, waits: Bool = false,
    on request: (_ granted: Int) async throws -> (answer: Answer, reads: Int)
  ) async throws -> Answer? {
    while true {
      switch take(upTo: count, waits: waits) {
      case .none: return nil
      case .later where !waits: return nil
      case .later: await oneIsOver()
      case .reads(let granted):
        var reads = 0
        defer { giveBack(granted - reads) }
        let outcome = try await request(granted)
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

  private func take(upTo count: Int, waits: Bool) -> Grant {
    state.withLock { state in
      let granted = max(0, min(count, (limit ?? .max) - state.taken))
      if state.underWay > 0, granted == 0 || (waits && granted < count) { return .later }
      guard granted > 0 else { return .none }
      state.taken += granted
      state.underWay += 1
      return .reads(granted)
    }
  }

  private func giveBack(_ reads: Int) {
    let waiting = state.withLock { state in
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
  /// Counts the documents of a query without a limit; returns nil when the budget does not suffice
  /// to count them all.
  ///
  /// Firestore bills a read for each thousand, or a unit for 128. A count is therefore limited to
  /// what the budget has left, or to `most`, so that concurrent counts leave each other reads. With
  /// `waits`, it first waits for requests in flight that may return reads.
  ///
  /// - Throws: the server's error.
  package func count(
    of query: StructuredQuery, under parent: String?, readTime: Timestamp?,
    within reads: ReadBudgetMeter, upTo most: Int? = nil, waits: Bool = false
  ) async throws -> Int? {
    // More would not fit the wire's 32-bit limit.
    let rules = edition.rules
    let wanted = most.map(rules.readsOfCount) ?? 1_000_000
    let counted = try await reads.spend(upTo: wanted, waits: waits) { granted in
      var limited = query
      limited.limit = most
      let isCut = reads.limit != nil && (most == nil || granted < wanted)
      if isCut { limited.limit = granted * rules.documentsPerCountedRead }
      let count = try await count(of: limited, under: parent, readTime: readTime)
      let isWhole = !isCut || count != limited.limit
      return (isWhole ? count : nil, rules.readsOfCount(count))
    }
    return counted ?? nil
  }
}
