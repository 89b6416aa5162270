package import Model

/// How a job's work ended, when it came to its end.
package struct JobResult: Sendable {
  package var outcome: Run.Outcome
  package var counts: RunCounts
  package var readTime: Instant?
  package var warnings: [String]
  /// Why the outcome is not `ok`; nil otherwise.
  package var problem: (any Error)?
  /// A sentence for the operator.
  package var summary: String

  package init(
    _ outcome: Run.Outcome, _ summary: String, counts: RunCounts = RunCounts(),
    readTime: Instant? = nil, warnings: [String] = [], problem: (any Error)? = nil
  ) {
    self.outcome = outcome
    self.summary = summary
    self.counts = counts
    self.readTime = readTime
    self.warnings = warnings
    self.problem = problem
  }
}

/// The work of one job: what it would do, and doing it.
protocol JobWork: Sendable {
  /// Why the work would be done now; nothing is changed.
  func trigger() throws -> Run.Trigger

  /// What the work would do now, as a sentence; nothing is changed and nothing requested.
  func plan() throws -> String

  /// Does it.
  ///
  /// Dying anywhere inside must leave a state from which doing it again ends as if it had been
  /// done once.
  func perform() async throws -> JobResult
}

extension JobWork {
  func trigger() throws -> Run.Trigger { .scheduled }
}
