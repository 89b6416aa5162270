package import Firestore
import Model
import Store
package import Sync
package import Workspace

/// Reads that a person requests outside of any job; see `docs/query.md#cost`.
///
/// They are recorded as a run and count against the day's budget like the reads of jobs.
package struct AdHocReads: Sendable {
  package let database: any FirestorePort
  package let meter: ReadBudgetMeter
  /// Reduces the page size when answers are too large.
  package let sizer = PageSizer()
  private let budget: ReadBudget
  private let store: Store
  private let now: Instant

  /// Performs `work` as a run named after the command; the summary goes to the run's row.
  ///
  /// Without `maxReads` only the day's limit applies.
  ///
  /// - Throws: what `work` throws, once the run is recorded as failed, blocked or interrupted.
  package static func perform<Answer>(
    for command: String, maxReads: Int?, _ context: JobContext,
    _ work: (AdHocReads) async throws -> (answer: Answer, summary: String)
  ) async throws -> Answer {
    let recorder = try await RunRecorder(context, command: command, maxReads: maxReads)
    var answer: Answer?
    let result = try await recorder.outcome {
      let reads = AdHocReads(
        database: try await context.services.firestore.database(), meter: recorder.budget.meter,
        budget: recorder.budget.budget, store: context.store, now: context.clock.now)
      let (found, summary) = try await RequestTags.$job.withValue(command) {
        try await work(reads)
      }
      answer = found
      return JobResult(.ok, summary)
    } failure: { problem in
      switch problem {
      case WorkspaceError.adHocBudget: (.blocked, String(describing: problem))
      // Other errors that ask to try again later are failures of the command.
      case _ where Run.Outcome(of: problem) == .interrupted: (.interrupted, "Interrupted.")
      default: (.failed, "Failed.")
      }
    }
    _ = try await recorder.recordEnd(with: result)
    guard let answer else { throw result.problem ?? WorkspaceError.interrupted }
    return answer
  }

  /// Why no further read is allowed.
  package var exhaustion: WorkspaceError {
    .adHocBudget(
      budget.ended(on: database.edition, atScan: meter.refusedScan), spent: meter.spent)
  }

  /// Performs a request that may cost up to `count` reads; it is granted what is left of them, but
  /// at least `least`.
  ///
  /// When other requests run concurrently, it waits for the reads that they reserved but do not
  /// use.
  ///
  /// - Throws: `exhaustion` when too few reads are left, and what the request throws.
  package func spend<Answer>(
    upTo count: Int, atLeast least: Int = 1,
    on request: (_ granted: Int) async throws -> (answer: Answer, reads: Int)
  ) async throws -> Answer {
    let answer = try await meter.spend(upTo: count, atLeast: least, waits: true, on: request)
    try record()
    guard let answer else { throw exhaustion }
    return answer
  }

  /// Stores the reads so far, so that the day's total is right even if the command is killed.
  ///
  /// Call it after requests that are billed to the meter directly.
  package func record() throws {
    try store.commit(meter.effects)
  }

  /// Requests the database's facts and stores them; nil when the server withholds them.
  package func rememberedFacts(note: @Sendable (String) -> Void) async throws -> KnownDatabase? {
    let known = try await database.knownFacts(at: now, note: note)
    if let known { try store.commit([try known.effect()]) }
    return known
  }
}

/// The two kinds of queries that commands send.
extension AdHocReads {
  /// The fraction of the budget that a count may use at first: 1 / `shares`.
  ///
  /// This leaves reads to concurrent counts.
  private static let shares = 16

  /// Counts the documents that a query without a limit finds, up to `most`.
  ///
  /// Unless `isAlone`, a count that needs more than a sixteenth of the budget is repeated and
  /// billed twice.
  ///
  /// - Throws: `exhaustion` when the budget is too small for the count.
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
      let share = max(1, limit / Self.shares) * database.edition.rules.documentsPerCountedRead
      let count = try await counted(upTo: min(share, most ?? share))
      if count < share || share == most { return count }
    }
    return try await counted(upTo: most)
  }

  /// Returns the cost of reading a query in this many parts.
  ///
  /// - Throws: `exhaustion` when the budget is too small to find it out.
  package func partCost(
    of query: StructuredQuery, under parent: String?, parts: Int
  ) async throws -> PartCost {
    let cost = try await database.partCost(of: query, under: parent, parts: parts, within: meter)
    try record()
    guard let cost else { throw exhaustion }
    return cost
  }

  /// Returns the documents that one request finds for a query without a limit.
  ///
  /// - Returns: the documents, and the number requested, which is below `most` when the budget or
  ///   the size of an answer allowed no more; further documents may follow.
  /// - Throws: `exhaustion` when no read is left, or too few for a query that scans.
  package func documents(
    of query: StructuredQuery, under parent: ResourceName?, upTo most: Int
  ) async throws -> (found: [Document], limit: Int) {
    let path = parent.flatMap { database.root.relativePath(of: $0.description) }
    guard
      try await database.access(of: query, under: path, within: meter, waits: true) != nil
    else {
      try record()
      throw exhaustion
    }
    let scan = database.scannedUnits(of: query, under: path)
    let limit = sizer.documents(atMost: most)
    return try await spend(upTo: scan ?? limit, atLeast: scan ?? 1) { granted in
      let most = scan == nil ? granted : limit
      let page = try await sizer.fitting(most, billing: meter, lost: scan) { limit in
        var limited = query
        limited.limit = limit
        return (found: try await database.documents(of: limited, under: parent), limit: limit)
      }
      return (page, max(1, page.found.count))
    }
  }
}
