package import Firestore
package import Model
package import Store
import Synchronization

/// The billed reads of a run against its budget, shared by everything in it that reads.
///
/// A request takes the reads that it can cost at most before it is sent, and gives back those that
/// its answer did not cost. So no request can exceed the budget; see `docs/costs.md#read-budget`.
package final class ReadBudgetMeter: Sendable {
  /// Nil for a run without a budget.
  package let limit: Int?
  private let runId: Int64?
  private let state = Mutex(State())

  private struct State {
    /// Reads of requests that are over, and the most that those under way can cost.
    var taken = 0
    var underWay = 0
    /// Those that wait for a request under way to give back what it did not cost.
    var waiting: [CheckedContinuation<Void, Never>] = []
    var counts = RunCounts()
  }

  private enum Grant {
    case reads(Int)
    /// What is missing may be given back.
    case later
    case none
  }

  /// `runId` names the recorded run that keeps the count; nil for none.
  package init(_ limit: Int? = nil, runId: Int64? = nil) {
    self.limit = limit
    self.runId = runId
  }

  /// What the run's pull has fetched and stored so far, for the row of a run that fails.
  package var counts: RunCounts { state.withLock(\.counts) }

  func note(_ counts: RunCounts) {
    state.withLock { $0.counts = counts }
  }

  /// Billed reads so far; a request under way counts with the most that it can cost.
  package var spent: Int { state.withLock(\.taken) }

  /// Performs a request that may cost `count` reads, or those that are left when they are fewer.
  ///
  /// One that `waits` does so for requests under way that may give reads back, and is never within
  /// one. The answer is nil when no read is left, and no request was sent.
  ///
  /// - Throws: what the request throws; it then counts as no read.
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

  /// Counts reads whatever the budget, such as the one that finds where the next page starts.
  package func add(_ count: Int) {
    state.withLock { $0.taken += count }
  }

  /// What stores the count with the rows that it paid for, so that a day's total includes killed
  /// runs.
  package var effects: [Effect] { runId.map { [.billedReads(spent, run: $0)] } ?? [] }

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

  /// Waits for a request under way to end; not when none is.
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
  /// How many documents the query, without a limit of its own, finds; nil when the budget does not
  /// reach to count them all.
  ///
  /// Firestore bills a read for each thousand, or a unit for 128, so a count is limited to what the
  /// budget has left, or to `most`, so that counts side by side leave each other reads. One that
  /// `waits` does so for requests under way that may give reads back.
  ///
  /// - Throws: what the server answers.
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
