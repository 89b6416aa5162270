import Model
import Rules
import Store
import Sync

/// What one run may read, and why.
package struct RunReads: Sendable {
  let budget: ReadBudget
  let allowance: ReadAllowance

  init(_ budget: ReadBudget, runId: Int64) {
    self.budget = budget
    allowance = ReadAllowance(budget.allowance, runId: runId)
  }

  /// Why the run stopped before its end.
  var exhaustion: JobsError { .readBudget(budget, spent: allowance.spent) }
}

extension JobContext {
  /// The same for one run, which reads within its budget.
  func reading(within reads: RunReads) -> JobContext {
    var context = self
    context.reads = reads
    return context
  }

  /// What the run may read that the work is a part of.
  var runReads: RunReads {
    guard let reads else { preconditionFailure("work is done in a run that the ledger has begun") }
    return reads
  }

  /// What a run that begins now may read, `reads` after what the ledger knows of the day.
  func budget(
    maxPerRun: Int?, after reads: Int = 0, _ reader: some Readable
  ) throws -> ReadBudget {
    let maxPerDay = config.cost.maxReadsPerDay
    return ReadBudget(
      maxPerRun: maxPerRun, maxPerDay: maxPerDay,
      // Nobody asks without a limit, and a fresh run need not load a calendar for it.
      readToday: maxPerDay == nil ? 0 : reads + (try readToday(reader)), now: now)
  }

  private func readToday(_ reader: some Readable) throws -> Int {
    let day = ReadBudget.day(of: now)
    return try reader.billedReads(from: day.start, to: day.end)
  }
}
