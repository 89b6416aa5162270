package import Model

/// Why a load in shards cannot be planned, run or gathered; see `docs/shards.md#statuses`.
package enum ShardProblem: Error, Hashable, Sendable {
  /// The job does not copy a whole collection in the order of names; the reason ends a sentence.
  case unsuitableJob(job: String, reason: String)
  /// The plan would read more than the budget has left.
  case budget(job: String, reads: Int, allowance: Int)
  /// The plan would not count what a read budget limits.
  case uncounted(job: String)
  case badPlan(path: String, reason: String)
  /// Nothing says which shard this process is, or two things say different; a whole sentence.
  case number(String)
  /// The job's file is not what it was when the plan was made.
  case otherDeclaration(job: String)
  /// The shard or the gathering would be about another project.
  case otherProject(planned: String, asked: String)
  /// The server has forgotten the snapshot of the plan.
  case snapshotTooOld(readTime: Instant)
  /// Shards that are not there yet, or not whole yet; each reason ends a sentence.
  case unfinished([String])
  /// Files that are no shards of this plan; each reason ends a sentence with what to do.
  case unusable([String])
  /// The workspace was loaded after the plan's snapshot.
  case newerLoad(job: String, readTime: Instant, loaded: Instant)

  var category: JobsError.Category {
    switch self {
    case .unsuitableJob, .badPlan, .otherDeclaration, .unusable, .newerLoad: .badData
    case .number, .uncounted: .usage
    case .otherProject: .configuration
    case .budget, .unfinished: .tryLater
    case .snapshotTooOld: .inputGone
    }
  }
}

extension ShardProblem: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unsuitableJob(let job, let reason):
      "The job '\(job)' cannot be loaded in shards: \(reason)."
    case .budget(let job, let reads, let allowance):
      "The shards of '\(job)' would make \(reads) billed reads, and the read budget has "
        + "\(allowance) left. No plan was written. Raise the budget, or plan again later."
    case .uncounted(let job):
      "A read budget is in force, and --no-count leaves open how many reads the shards of '\(job)' "
        + "make. Leave --no-count out, or remove the budget."
    case .badPlan(let path, let reason):
      "\(path) cannot be used: \(reason). Make a plan with `firetally shard plan`."
    case .number(let sentence): sentence
    case .otherDeclaration(let job):
      "The job '\(job)' of this workspace would store other rows than the plan's. Use the job file "
        + "that the plan was made with, or make a new plan."
    case .otherProject(let planned, let asked):
      "The plan is about the project \(planned); this workspace asks \(asked). Name the plan's "
        + "project with --project."
    case .snapshotTooOld(let readTime):
      "The plan's snapshot of \(readTime) is too old: Firestore does not know it any more. Make a "
        + "new plan; with point-in-time recovery and --pitr it lives 7 days."
    case .unfinished(let reasons):
      "Not every shard is finished: \(Self.list(reasons)). Run what is missing, then try again."
    case .unusable(let reasons): "Shards cannot be used: \(Self.list(reasons))."
    case .newerLoad(let job, let readTime, let loaded):
      "Nothing was gathered: '\(job)' was loaded as of \(loaded), after the plan's snapshot of "
        + "\(readTime). Make a new plan."
    }
  }

  private static let mostListed = 5

  private static func list(_ reasons: [String]) -> String {
    let listed = reasons.prefix(mostListed).joined(separator: "; ")
    let rest = reasons.count - mostListed
    return listed + (rest > 0 ? "; and \(rest) more" : "")
  }
}
