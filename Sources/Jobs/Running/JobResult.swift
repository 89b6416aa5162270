package import Model

/// How a job's work ended, when it came to its end.
package struct JobResult: Sendable {
  package var outcome: Run.Outcome
  /// Nil for a run that began.
  package var refusedBy: Run.Refusal?
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

  /// A run that was kept from beginning.
  init(refusedBy refusal: Run.Refusal, _ reason: String) {
    self.init(.blocked, reason)
    refusedBy = refusal
  }
}
