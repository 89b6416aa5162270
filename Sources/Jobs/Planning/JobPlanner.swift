import Firestore
import Model
package import Rules
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

  /// What a day has left before any of the jobs runs.
  package func budget() throws -> ReadBudget {
    try context.store.read { try context.budget(maxPerRun: nil, $0) }
  }

  private func plan(of job: Job, after reads: Int) async throws -> JobPlan {
    let work = job.work(context)
    let requests = try await work.plannedRequests()
    var quotes: [QueryQuote] = []
    for query in requests.queries {
      quotes.append(try await QueryQuote(query, client: try await context.firestore()))
    }
    let budget = try context.store.read {
      try context.budget(maxPerRun: job.kind.maxReads, after: reads, $0)
    }
    return JobPlan(
      job: job, trigger: try work.trigger(), intention: try work.plan(), requests: requests,
      quotes: quotes, budget: budget)
  }
}
