package import Model
import Store
import Sync

/// Prices jobs before they run; changes nothing, here or there.
package struct JobEstimator: Sendable {
  private let context: JobContext

  package init(_ context: JobContext) {
    self.context = context
  }

  /// What each of the jobs would do and cost, in their order, each after those before it.
  package func estimates(of jobs: [Job]) async throws -> [JobEstimate] {
    var estimates: [JobEstimate] = []
    var reads = 0
    for job in jobs {
      let estimate = try await estimate(of: job, after: reads)
      reads += min(estimate.knownReads, estimate.budget.allowance ?? .max)
      estimates.append(estimate)
    }
    return estimates
  }

  /// What `filter apply` would do and cost with the filter, after so many reads; see
  /// `docs/filters.md#filters`.
  ///
  /// - Throws: `JobsError.noUsersJob`, and whatever the load itself would end with.
  package func estimate(
    applying filter: UserFilter, after reads: Int = 0
  ) async throws -> JobEstimate {
    let (job, options) = try context.usersJob()
    let load = UsersSync(options: options, job: job.name, context: context)
    let requests = try load.plannedRequests(.replace(filter))
    let profile = try context.store.read { try context.profile($0) }
    return JobEstimate(
      job: job, trigger: .filter,
      intention: "Would \(try load.intention(.replace(filter))), and replace all users by these.",
      requests: requests, quotes: try await quotes(of: requests, countsAll: true),
      budget: try budget(of: job, after: reads),
      filter: JobEstimate.AppliedFilter(
        filter: filter, conditions: filter.conditions(city: profile.city)))
  }

  /// What a day has left before any of the jobs runs.
  package func budget() throws -> ReadBudget {
    try context.store.read { try context.readBudget(maxPerRun: nil, $0) }
  }

  private func estimate(of job: Job, after reads: Int) async throws -> JobEstimate {
    let intention = try JobIntention(of: job, context)
    let requests =
      intention.problem == nil
      ? try await job.definition.work(job.name, context).plannedRequests() : PlannedRequests()
    return JobEstimate(
      job: job, trigger: intention.trigger, intention: intention.plan, requests: requests,
      quotes: try await quotes(of: requests, countsAll: false),
      budget: try budget(of: job, after: reads), schemaChanges: intention.schemaChanges,
      problem: intention.problem)
  }

  private func quotes(
    of requests: PlannedRequests, countsAll: Bool
  ) async throws -> [QueryQuote] {
    var quotes: [QueryQuote] = []
    for query in requests.queries {
      quotes.append(
        try await context.services.firestore.database().quote(query, countsAll: countsAll))
    }
    return quotes
  }

  private func budget(of job: Job, after reads: Int) throws -> ReadBudget {
    try context.store.read {
      try context.readBudget(maxPerRun: job.definition.maxReads, after: reads, $0)
    }
  }
}
