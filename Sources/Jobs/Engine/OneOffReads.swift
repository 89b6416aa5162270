package import Firestore
import Model
import Store
package import Sync
package import Workspace

/// Reads that a person asks for outside of any job; see `docs/query.md#cost`.
///
/// They are recorded as a run, and count against the day's budget as the reads of jobs do.
package struct OneOffReads: Sendable {
  package let database: any FirestorePort
  package let meter: ReadBudgetMeter
  /// Makes pages smaller whose answers are too large.
  package let sizer = PageSizer()
  private let budget: ReadBudget
  private let store: Store
  private let now: Instant

  /// Performs `work` as a run that bears the command's name, with a sentence for the run's row.
  ///
  /// Without `maxReads` only the day's limit holds.
  ///
  /// - Throws: what `work` throws, once the run is recorded as failed, blocked or interrupted.
  package static func perform<Answer>(
    for command: String, maxReads: Int?, _ context: JobContext,
    _ work: (OneOffReads) async throws -> (answer: Answer, summary: String)
  ) async throws -> Answer {
    let recorder = try await RunRecorder(context, command: command, maxReads: maxReads)
    do {
      let reads = OneOffReads(
        database: try await context.services.firestore.database(), meter: recorder.budget.meter,
        budget: recorder.budget.budget, store: context.store, now: context.clock.now)
      let (answer, summary) = try await RequestTags.$job.withValue(command) {
        try await work(reads)
      }
      _ = try await recorder.end(with: JobResult(.ok, summary))
      return answer
    } catch {
      _ = try await recorder.end(with: JobResult(failedBy: error))
      throw error
    }
  }

  /// Why no further read is allowed.
  package var exhaustion: JobsError { .oneOffBudget(budget, spent: meter.spent) }

  /// Performs a request that may cost `count` reads, or those that are left when they are fewer.
  ///
  /// Side by side with others it waits for the reads that they do not need after all.
  ///
  /// - Throws: `exhaustion` when no read is left, and what the request throws.
  package func spend<Answer>(
    upTo count: Int, on request: (_ granted: Int) async throws -> (answer: Answer, reads: Int)
  ) async throws -> Answer {
    guard let answer = try await meter.spend(upTo: count, waits: true, on: request) else {
      throw exhaustion
    }
    try record()
    return answer
  }

  /// Stores the reads so far, so that the day's total includes a command that is killed.
  ///
  /// Called after requests that are billed to the meter itself.
  package func record() throws {
    try store.commit(meter.effects)
  }

  /// What the database says of itself, which the workspace keeps; nil where it does not say.
  package func rememberedFacts(note: @Sendable (String) -> Void) async throws -> KnownDatabase? {
    let known = try await database.knownFacts(at: now, note: note)
    if let known { try store.commit([try known.effect()]) }
    return known
  }
}

/// The two questions that commands ask a database.
extension OneOffReads {
  /// A share of the budget that a count takes before it is known to need more, so that counts side
  /// by side leave each other reads.
  private static let shares = 16

  /// How many documents a query without a limit finds; counting stops at `most`.
  ///
  /// Unless nothing else is asked meanwhile, a count that needs more than a sixteenth of the budget
  /// is made again, and billed twice.
  ///
  /// - Throws: `exhaustion` when the budget does not reach to count them.
  package func count(
    of query: StructuredQuery, under parent: String?, at readTime: Timestamp? = nil,
    upTo most: Int? = nil, isAlone: Bool = false
  ) async throws -> Int {
    func counted(upTo most: Int?) async throws -> Int {
      let count = try await database.count(
        of: query, under: parent, readTime: readTime, within: meter, upTo: most, waits: true)
      try record()
      guard let count else { throw exhaustion }
      return count
    }
    if !isAlone, let limit = meter.limit {
      let share = max(1, limit / Self.shares) * 1_000
      let count = try await counted(upTo: min(share, most ?? share))
      if count < share || share == most { return count }
    }
    return try await counted(upTo: most)
  }

  /// The documents that one request finds, of a query without a limit.
  ///
  /// - Returns: the documents, and how many were asked for, fewer than `most` where the budget or
  ///   the size of an answer allowed no more: more of them may follow these.
  /// - Throws: `exhaustion` when no read is left.
  package func documents(
    of query: StructuredQuery, under parent: ResourceName?, upTo most: Int
  ) async throws -> (found: [Document], limit: Int) {
    try await spend(upTo: sizer.documents(atMost: most)) { granted in
      let page = try await sizer.fitting(granted, billing: meter) { limit in
        var limited = query
        limited.limit = limit
        return (found: try await database.documents(of: limited, under: parent), limit: limit)
      }
      return (page, max(1, page.found.count))
    }
  }
}

extension JobResult {
  fileprivate init(failedBy error: any Error) {
    switch error {
    case is CancellationError: self.init(.interrupted, "Interrupted.", problem: error)
    case JobsError.oneOffBudget:
      self.init(.blocked, String(describing: error), problem: error)
    default: self.init(.failed, "Failed.", problem: error)
    }
  }
}
