package import Store
import Synchronization

/// What a run may read, shared by all of it that reads at the same time.
///
/// A reader takes what its request can cost at most before it asks, and gives back what the answer
/// did not cost: so no request is sent that could exceed the budget of `docs/jobs.md#read-budget`.
package final class ReadAllowance: Sendable {
  /// Nil: as much as it takes.
  package let limit: Int?
  private let runId: Int64?
  private let taken = Mutex(0)

  /// `runId` is the run whose row in the ledger counts along; nil for none.
  package init(_ limit: Int? = nil, runId: Int64? = nil) {
    self.limit = limit
    self.runId = runId
  }

  /// Billed reads so far, requests on their way at the most that they can cost.
  package var spent: Int { taken.withLock(\.self) }

  /// Performs a request that costs `count` reads at most, or fewer when no more are left.
  ///
  /// - Parameters:
  ///   - count: what the request would like to cost at most; 1 or more.
  ///   - request: gets what it may cost, and returns its answer with what it did cost.
  /// - Returns: the answer; nil when nothing is left, and nothing was asked.
  /// - Throws: what the request throws, which then has cost nothing.
  package func spend<Answer>(
    upTo count: Int, on request: (_ granted: Int) async throws -> (answer: Answer, reads: Int)
  ) async throws -> Answer? {
    let granted = take(upTo: count)
    guard granted > 0 else { return nil }
    var reads = 0
    defer { taken.withLock { $0 -= granted - reads } }
    let outcome = try await request(granted)
    reads = outcome.reads
    return outcome.answer
  }

  /// Counts reads that no budget can spare, such as the one that makes a page's end known.
  package func add(_ count: Int) {
    taken.withLock { $0 += count }
  }

  /// Keeps what was read with the rows that were, so that a day counts killed runs too.
  package func record(in writer: Writer) throws {
    if let runId { try writer.setBilledReads(spent, ofRun: runId) }
  }

  private func take(upTo count: Int) -> Int {
    taken.withLock { taken in
      let granted = max(0, min(count, (limit ?? .max) - taken))
      taken += granted
      return granted
    }
  }
}
