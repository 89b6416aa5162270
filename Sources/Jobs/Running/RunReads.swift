import Model
package import Rules
package import Store
package import Sync

/// What one run may read, and where what it has read is kept.
package struct RunReads: Sendable {
  package let budget: ReadBudget
  package let allowance: ReadAllowance
  private let runId: Int64

  init(budget: ReadBudget, runId: Int64) {
    self.budget = budget
    self.runId = runId
    allowance = ReadAllowance(budget.allowance)
  }

  /// Keeps what was read so far with the rows that were, so that a day counts killed runs too.
  package func record(in writer: Writer) throws {
    try writer.setBilledReads(allowance.spent, ofRun: runId)
  }

  /// Why the run stopped before its end.
  package var exhaustion: JobsError {
    .readBudget(budget, spent: allowance.spent)
  }
}

extension JobContext {
  /// What a run of a job that begins now may read.
  func budget(of job: Job, _ reader: some Readable) throws -> ReadBudget {
    let day = ReadBudget.day(of: now)
    return ReadBudget(
      maxPerRun: job.kind.maxReads, maxPerDay: config.cost.maxReadsPerDay,
      readToday: try reader.billedReads(from: day.start, to: day.end), resetsAt: day.end)
  }
}
