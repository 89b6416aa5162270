import Jobs
import Model
import Rules

/// What a command's jobs would cost together, and what it cost to find out.
struct WorkspacePlan {
  let jobs: [JobPlan]
  let price: ReadPrice
  /// Of the day, before any of the jobs.
  let budget: ReadBudget
  let ownReads: Int

  /// Reads of all jobs that are known.
  var billedReads: Int { jobs.map(\.knownReads).reduce(0, +) }

  /// Whether nothing had to be left out of the sum.
  var isExact: Bool { jobs.allSatisfy { $0.billedReads != nil } }
}
