/// What the ledger knows of the jobs, for the runs report and the index.
package struct RunsFacts: Sendable {
  /// A job file of the workspace.
  package struct Job: Hashable, Sendable {
    package var name: String
    package var kind: String
    package var description: String
    /// Cron syntax; nil when the job runs only when asked for.
    package var schedule: String?
    /// When cron should have started it last; nil without a schedule.
    package var lastDueAt: Instant?
    /// When cron should have started it the time before that; nil when there was none.
    package var dueBeforeAt: Instant?

    package init(
      name: String, kind: String, description: String, schedule: String?, lastDueAt: Instant?,
      dueBeforeAt: Instant? = nil
    ) {
      self.name = name
      self.kind = kind
      self.description = description
      self.schedule = schedule
      self.lastDueAt = lastDueAt
      self.dueBeforeAt = dueBeforeAt
    }
  }

  /// By name.
  package var jobs: [Job]
  /// Of the period and the one before it, newest first.
  package var runs: [Run]
  /// The last run of each job, whenever it was, by job name.
  package var lastRuns: [String: Run]
  /// The last run of each job that ended `ok`, `partial` or `fresh`, by job name.
  package var lastSuccesses: [String: Run]
  /// The jobs whose last run is still going on, and not among `runs`, by name.
  package var running: Set<String> = []
  /// For runs whose own price is not known.
  package var price: ReadPrice

  package init(
    jobs: [Job], runs: [Run], lastRuns: [String: Run], lastSuccesses: [String: Run],
    price: ReadPrice = .example
  ) {
    self.jobs = jobs
    self.runs = runs
    self.lastRuns = lastRuns
    self.lastSuccesses = lastSuccesses
    self.price = price
  }
}
