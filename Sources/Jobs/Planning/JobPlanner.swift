import Firestore
package import Model
import Store
import Sync

/// Prices jobs before they run; changes nothing, here or there.
package struct JobPlanner: Sendable {
  private let context: JobContext

  package init(_ context: JobContext) {
    self.context = context
  }

  /// What each of the jobs would do and cost, in their order, each after those before it.
  package func plans(of jobs: [Job]) async throws -> [JobPlan] {
    var plans: [JobPlan] = []
    var reads = 0
    for job in jobs {
      let plan = try await plan(of: job, after: reads)
      reads += min(plan.knownReads, plan.budget.allowance ?? .max)
      plans.append(plan)
    }
    return plans
  }

  /// What `filter apply` would do and cost with the filter, after so many reads; see
  /// `docs/filters.md#filters`.
  ///
  /// - Throws: `JobsError.noUsersJob`, and whatever the load itself would end with.
  package func plan(applying filter: UserFilter, after reads: Int = 0) async throws -> JobPlan {
    let (job, options) = try context.usersJob()
    let load = UsersSync(options: options, job: job.name, context: context)
    let requests = try load.plannedRequests(.replace(filter))
    var quotes: [QueryQuote] = []
    for query in requests.queries {
      quotes.append(
        try await context.services.firestore.database().quote(query, countsAll: true))
    }
    let (budget, profile) = try context.store.read {
      (
        try context.readBudget(maxPerRun: job.definition.maxReads, after: reads, $0),
        try context.profile($0)
      )
    }
    var plan = JobPlan(
      job: job, trigger: .filter,
      intention: "Would \(try load.intention(.replace(filter))), and replace all users by these.",
      requests: requests, quotes: quotes, budget: budget)
    plan.filter = JobPlan.AppliedFilter(
      filter: filter, conditions: filter.conditions(city: profile.city))
    return plan
  }

  /// What a day has left before any of the jobs runs.
  package func budget() throws -> ReadBudget {
    try context.store.read { try context.readBudget(maxPerRun: nil, $0) }
  }

  private func plan(of job: Job, after reads: Int) async throws -> JobPlan {
    let intention = try JobIntention(of: job, context)
    let requests =
      intention.problem == nil
      ? try await job.definition.work(job.name, context).plannedRequests() : PlannedRequests()
    var quotes: [QueryQuote] = []
    for query in requests.queries {
      quotes.append(try await context.services.firestore.database().quote(query, countsAll: false))
    }
    let budget = try context.store.read {
      try context.readBudget(maxPerRun: job.definition.maxReads, after: reads, $0)
    }
    var plan = JobPlan(
      job: job, trigger: intention.trigger, intention: intention.plan, requests: requests,
      quotes: quotes, budget: budget)
    plan.schemaChanges = intention.schemaChanges
    plan.problem = intention.problem
    return plan
  }
}
