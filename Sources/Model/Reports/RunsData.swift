/// What the ledger knows of the jobs, for the runs report and the index.
package struct RunsData: Sendable {
  /// A job of the workspace, as its file and its schedule describe it.
  package struct JobSummary: Hashable, Sendable {
    package var name: String
    package var kind: JobKindName
    /// Cron syntax; nil when the job runs only on demand.
    package var schedule: String?
    /// When cron should have started the job, the last time whose grace has passed; nil without a
    /// schedule.
    package var lastDueAt: Instant?
    /// The start that cron should have made before that; nil when there was none.
    package var dueBeforeAt: Instant?
    /// When its schedule comes up next; nil without one.
    package var nextDueAt: Instant?
    /// How often it should run, as the end of a sentence: `every 10 minutes`; nil without a
    /// schedule.
    package var expected: String?
    /// The starts of the period; nil where none was due or expected.
    package var starts: DueStarts?
    /// The jobs that must run before it, directly or indirectly.
    package var needs: Set<String>
    /// The fault in its file that keeps it from running; nil when the file is correct.
    package var problem: String?

    package init(
      name: String, kind: JobKindName, schedule: String?, lastDueAt: Instant?,
      dueBeforeAt: Instant? = nil, nextDueAt: Instant? = nil, expected: String? = nil,
      needs: Set<String> = [], problem: String? = nil
    ) {
      self.name = name
      self.kind = kind
      self.schedule = schedule
      self.lastDueAt = lastDueAt
      self.dueBeforeAt = dueBeforeAt
      self.nextDueAt = nextDueAt
      self.expected = expected
      self.needs = needs
      self.problem = problem
    }
  }

  /// Each job after the jobs that it needs.
  package var jobs: [JobSummary]
  /// The runs of the period and the one before it, newest first.
  package var runs: [Run]
  /// The last run of each job at any time, by job name.
  package var lastRuns: [String: Run]
  /// The last run of each job that neither a limit nor the lock refused, by job name.
  package var lastJudgedRuns: [String: Run]
  /// The last run of each job that ended `ok`, `partial` or `fresh`, by job name.
  package var lastSuccesses: [String: Run]
  /// The runs that are dated too far after the data time to count; nil without any.
  package var futureRuns: FutureRuns?
  /// The failures of each job since it last succeeded, by job name; none for one that last did.
  package var failures: [String: FailureStreak] = [:]
  /// The incidents that last, the oldest first.
  package var openIncidents: [JobIncident] = []
  /// The incidents that lasted in the period, those that last first, then the newest.
  package var incidents: [JobIncident] = []
  /// Nil where it is not mentioned.
  package var backup: BackupStatus?
  /// The names of the jobs that are running now; these runs are not in `runs`.
  package var running: Set<String> = []
  /// When the oldest run of the ledger began; nil without runs.
  package var beginsAt: Instant?
  /// Whether the schedules are examples, by which nothing starts the jobs.
  package var isDemo = false
  /// The price for runs that recorded none.
  package var price: ReadPrice
  /// The prices of runs that recorded none, where their edition is known.
  package var prices: [FirestoreEdition: ReadPrice] = [:]
  /// The billed reads that a day may have; nil without a budget.
  package var maxReadsPerDay: Int?

  /// `lastJudgedRuns` defaults to `lastRuns`.
  package init(
    jobs: [JobSummary], runs: [Run], lastRuns: [String: Run], lastJudgedRuns: [String: Run]? = nil,
    lastSuccesses: [String: Run], price: ReadPrice = .example
  ) {
    self.jobs = jobs
    self.runs = runs
    self.lastRuns = lastRuns
    self.lastJudgedRuns = lastJudgedRuns ?? lastRuns
    self.lastSuccesses = lastSuccesses
    self.price = price
  }

  /// Whether the ledger has a run that began before an instant.
  package func hasRuns(before instant: Instant) -> Bool { beginsAt.map { $0 < instant } ?? false }

  /// What the reads of a run cost, in the currency of the present price: as it was recorded, or by
  /// the price of its edition when nothing is recorded in that currency.
  package func cost(of run: Run) -> Double {
    guard let cost = run.estimatedCost, cost.currency == price.currency else {
      let price = run.edition.flatMap { prices[$0] } ?? price
      return price.cost(of: run.counts.billedReads).amount
    }
    return cost.amount
  }
}

/// Runs of a job that failed one after the other, since it last succeeded.
package struct FailureStreak: Hashable, Sendable {
  /// When the first of them began.
  package var since: Instant
  /// How many; at least 1.
  package var runs: Int

  package init(since: Instant, runs: Int) {
    self.since = since
    self.runs = runs
  }
}

/// Runs that a wrong clock dated in the future: docs/running.md#times-in-the-future.
package struct FutureRuns: Hashable, Sendable {
  /// How many; at least 1.
  package var count: Int
  package var latest: Run

  package init(count: Int, latest: Run) {
    self.count = count
    self.latest = latest
  }
}
