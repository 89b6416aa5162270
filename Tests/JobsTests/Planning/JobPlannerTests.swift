import Firestore
import Fixtures
import Jobs
import JobsTesting
import Model
import Rules
import SyncTesting
import Testing

/// What plans count and price, over a Firestore in memory.
struct JobPlannerTests {
  @Test func `jobs are priced in their order, each after those before it`() async throws {
    let workspace = try TestWorkspace(
      jobs: [
        "settings": "kind: sync-settings\n",
        "orders": "kind: sync-collection\ncollection: Orders\nneeds: [settings]\n",
      ],
      configuration:
        "app: {name: Chat, bundle_id: com.example.app}\ncost: {max_reads_per_day: 5}\n")
    workspace.firestore.put(
      Dictionary(uniqueKeysWithValues: (10..<17).map { ("Orders/o\($0)", [:]) }))
    let planner = JobPlanner(try workspace.context(at: ManualClock(start: .morning)))
    let selection = try workspace.engine().selection(JobRequest(.all))
    let plans = try await planner.plans(of: selection.jobs)
    #expect(plans.map(\.title) == ["settings", "orders"])
    #expect(plans.map(\.billedReads) == [1, 7])
    #expect(plans.map(\.budget.allowance) == [5, 4])
    #expect(plans.map(\.stopsAtBudget) == [false, true])
    #expect(plans.allSatisfy { !$0.lacksIndex })
  }

  @Test func `a filter is priced by the job that loads users`() async throws {
    let workspace = try TestWorkspace(jobs: ["users": "kind: sync-users\npage_size: 10\n"])
    try workspace.fill(users: 30)
    let planner = JobPlanner(try workspace.context(at: ManualClock(start: .morning)))
    let plan = try await planner.plan(applying: UserFilter(gender: .female))
    #expect(plan.title == "filter apply" && plan.trigger == .filter)
    #expect(plan.filter?.conditions.isEmpty == false)
    let none = try TestWorkspace(jobs: [:])
    await #expect(throws: JobsError.noUsersJob) {
      try await JobPlanner(try none.context(at: ManualClock(start: .morning)))
        .plan(applying: UserFilter(gender: .female))
    }
  }
}
