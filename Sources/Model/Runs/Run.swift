/// One execution of one job: a row of `sync_runs`.
package struct Run: Hashable, Codable, Sendable {
  package enum Outcome: String, CaseIterable, Codable, Sendable {
    case ok
    /// Done, but documents or items were skipped.
    case partial
    /// Nothing was due; no request was made.
    case fresh
    /// A limit, a quota or a failed dependency prevented it.
    case blocked
    case failed
    /// Another process held the workspace's lock.
    case locked
    /// Stopped by a signal or killed. Every row begins with this outcome, for a process that is
    /// killed.
    case interrupted

    /// Whether the work was done, or nothing was due.
    package var isSuccess: Bool {
      switch self {
      case .ok, .partial, .fresh: true
      case .blocked, .locked, .failed, .interrupted: false
      }
    }
  }

  package enum Trigger: String, CaseIterable, Codable, Sendable {
    case scheduled
    case firstLoad = "first-load"
    case stale, fresh, manual, filter, forced
  }

  /// What prevented a run from beginning.
  package enum Refusal: String, CaseIterable, Codable, Sendable {
    /// A job that it needs failed.
    case need
    /// The profile's limit of the feature.
    case limit
    /// Another process held the workspace's lock.
    case lock
  }

  /// The row's id; nil before it is stored.
  package var id: Int64?
  package var job: String
  package var kind: String
  package var trigger: Trigger
  package var startedAt: Instant
  /// Nil while it runs, and after it was killed.
  package var endedAt: Instant?
  package var outcome = Outcome.interrupted
  /// Nil for a run that began.
  package var refusedBy: Refusal?
  package var counts = RunCounts()
  /// The cost of its billed reads by that day's price; nil while it runs, and in old rows.
  package var estimatedCost: Money?
  /// The snapshot of all pages; nil when the job reads without one.
  package var readTime: Instant?
  package var warnings: [String] = []
  /// A sentence; nil unless the run failed, was blocked or found the workspace locked.
  package var error: String?
  /// The edition of the database that billed its reads; nil when unknown, without reads, and in old
  /// rows.
  package var edition: FirestoreEdition?
  /// The exit status that its error stands for; nil without one, while it runs, and in old rows.
  package var exitStatus: Int32?
}

extension Run {
  /// A run that begins, or one of which only its end is known besides.
  package init(
    id: Int64? = nil, job: String, kind: String, trigger: Trigger, startedAt: Instant,
    endedAt: Instant? = nil, outcome: Outcome = .interrupted
  ) {
    self.init(
      id: id, job: job, kind: kind, trigger: trigger, startedAt: startedAt, endedAt: endedAt,
      outcome: outcome, refusedBy: nil)
  }
}

package struct RunCounts: Hashable, Codable, Sendable {
  package var fetched: Int
  package var inserted: Int
  package var updated: Int
  package var unchanged: Int
  package var deleted: Int
  /// Skipped documents or lines, by reason (`own-user`, `empty-name`, `bad-field:User_age`, ...).
  package var skipped: [String: Int]
  /// The reads that Google bills: documents, or the read units of an Enterprise database.
  package var billedReads: Int
  /// Bytes of response bodies on the wire, before decompression.
  package var bytes: Int
  package var requests: Int
  package var retries: Int

  package init(
    fetched: Int = 0, inserted: Int = 0, updated: Int = 0, unchanged: Int = 0, deleted: Int = 0,
    skipped: [String: Int] = [:], billedReads: Int = 0, bytes: Int = 0, requests: Int = 0,
    retries: Int = 0
  ) {
    self.fetched = fetched
    self.inserted = inserted
    self.updated = updated
    self.unchanged = unchanged
    self.deleted = deleted
    self.skipped = skipped
    self.billedReads = billedReads
    self.bytes = bytes
    self.requests = requests
    self.retries = retries
  }

  /// Rows that hold what was fetched and that the run wrote.
  package var storedTotal: Int { inserted + updated }

  package var skippedTotal: Int { skipped.values.reduce(0, +) }
}

/// The billed reads that a run may use, by its own limit and the day's.
///
/// They are documents, or the read units of an Enterprise database: `docs/costs.md#read-budget`.
package struct ReadBudget: Hashable, Sendable {
  /// The limit that stops a run.
  package enum Limit: Hashable, Sendable {
    case run(Int)
    case day(Int)
  }

  /// Nil means no limit, as for `maxPerDay`.
  package let maxPerRun: Int?
  package let maxPerDay: Int?
  /// Reads of other runs on this day; used only when the day has a limit.
  package let readToday: Int
  /// The edition of the database, which determines the unit of the reads.
  package private(set) var edition: FirestoreEdition
  /// Whether the run ended before a query whose scan needs more than is left.
  package private(set) var endedAtScan = false
  /// An instant of the day.
  private let now: Instant

  package init(
    maxPerRun: Int?, maxPerDay: Int?, readToday: Int, now: Instant,
    edition: FirestoreEdition = .standard
  ) {
    self.maxPerRun = maxPerRun
    self.maxPerDay = maxPerDay
    self.readToday = readToday
    self.now = now
    self.edition = edition
  }

  /// Returns the budget after the end of a run, which may have learned the edition.
  package func ended(on edition: FirestoreEdition, atScan: Bool) -> ReadBudget {
    var budget = self
    (budget.edition, budget.endedAtScan) = (edition, atScan)
    return budget
  }

  /// The end of the day, when the daily limit starts again.
  package var resetsAt: Instant { Self.day(of: now).end }

  /// The day of Google's quota that an instant counts to.
  package static func day(of instant: Instant) -> LocalDay {
    LocalDay(of: instant, in: "America/Los_Angeles")
  }

  /// Reads left today, 0 or more; nil without a daily limit.
  package var leftToday: Int? { maxPerDay.map { max(0, $0 - readToday) } }

  /// Reads that a run may make now; nil without any limit.
  package var allowance: Int? { [maxPerRun, leftToday].compactMap(\.self).min() }

  /// The limit that a run reaches first, its own if both are equal; nil without any.
  package var nearest: Limit? {
    if let maxPerRun, maxPerRun <= leftToday ?? .max { return .run(maxPerRun) }
    return maxPerDay.map { .day($0) }
  }
}

/// A run of a list: of fresh runs of one job, with nothing else of that job between them, the
/// newest.
///
/// A job that runs every five minutes and finds nothing to do would fill the list:
/// `docs/runs.md#the-list`.
package struct ListedRun: Hashable, Sendable {
  package let run: Run
  /// How many runs it stands for; 1 unless they are fresh.
  package private(set) var count = 1
  /// When the oldest of them began.
  package private(set) var since: Instant

  private init(_ run: Run) {
    self.run = run
    since = run.startedAt
  }

  /// Folds fresh runs of any jobs; newest first.
  package static func folding(_ runs: some Sequence<Run>) -> [ListedRun] {
    var lines: [ListedRun] = []
    // The line that the next fresh run of a job belongs to.
    var open: [String: Int] = [:]
    for run in runs {
      if run.outcome == .fresh, let line = open[run.job] {
        lines[line].count += 1
        lines[line].since = run.startedAt
      } else {
        open[run.job] = run.outcome == .fresh ? lines.count : nil
        lines.append(ListedRun(run))
      }
    }
    return lines
  }
}
