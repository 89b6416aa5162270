import CollectionMapping
import Firestore
import Fixtures
import Jobs
import JobsTesting
import Model
import Sync
import SyncTesting
import Testing
import Workspace

/// What plans count and price, over a Firestore in memory.
struct JobEstimatorTests {
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
    let estimator = JobEstimator(try workspace.context(at: ManualClock(start: .morning)))
    let selection = try workspace.scheduler().selection(JobRequest(.all))
    let plans = try await estimator.estimates(of: selection.jobs)
    #expect(plans.map(\.title) == ["settings", "orders"])
    #expect(plans.map(\.billedReads) == [1, 7])
    #expect(plans.map(\.budget.allowance) == [5, 4])
    #expect(plans.map(\.stopsAtBudget) == [false, true])
    #expect(plans.allSatisfy { !$0.lacksIndex })
  }

  @Test func `a changed declaration is planned with its price, by both plans`() async throws {
    let workspace = try TestWorkspace(jobs: [
      "orders": "kind: sync-collection\ncollection: Orders\ncolumns: {n: n INTEGER}\n"
    ])
    workspace.firestore.put(
      Dictionary(
        uniqueKeysWithValues: (10..<17).map { number -> (String, [String: Value]?) in
          ("Orders/o\(number)", ["n": .integer(1)])
        }))
    try await workspace.run(.all)
    try workspace.write(
      "kind: sync-collection\ncollection: Orders\ncolumns: {m: n TEXT}\n", to: "jobs/orders.yml")
    let selection = try workspace.scheduler().selection(JobRequest(.all))
    let dry = try #require(try workspace.scheduler().plan(selection).first)
    let estimator = JobEstimator(try workspace.context(at: ManualClock(start: .morning)))
    let plan = try #require(try await estimator.estimates(of: selection.jobs).first)
    #expect(plan.intention.schemaChanges == dry.schemaChanges)
    #expect(plan.intention.schemaChanges.map(\.action) == [.added, .removed])
    #expect(plan.intention.schemaChanges.map(plan.reads) == [7, nil])
    let run = try #require(try await workspace.run(.all).first)
    #expect(run.run.warnings.filter { $0.hasPrefix("Schema changed: ") }.count == 2)
    #expect(try workspace.scheduler().plan(selection).first?.schemaChanges == [])
  }

  @Test func `a table that the run would refuse is refused by both plans, in its words`()
    async throws
  {
    let job = "kind: sync-collection\ncollection: %\ntable: T\n"
    let workspace = try TestWorkspace(jobs: ["orders": job.replacing("%", with: "Orders")])
    try await workspace.run(.all)
    try workspace.write(job.replacing("%", with: "Others"), to: "jobs/orders.yml")
    let selection = try workspace.scheduler().selection(JobRequest(.all))
    let dry = try #require(try workspace.scheduler().plan(selection).first)
    let estimator = JobEstimator(try workspace.context(at: ManualClock(start: .morning)))
    let plan = try #require(try await estimator.estimates(of: selection.jobs).first)
    let failure = try #require(try await workspace.run(.all).first?.error as? WorkspaceError)
    #expect(plan.intention.problem == failure && dry.problem == failure)
    #expect(plan.intention.plan == "Would fail: \(failure)")
    #expect(plan.requests.queries.isEmpty)
  }

  @Test func `a filter is priced by the job that loads users`() async throws {
    let workspace = try TestWorkspace(jobs: ["users": "kind: sync-users\npage_size: 10\n"])
    try workspace.fill(users: 30)
    let estimator = JobEstimator(try workspace.context(at: ManualClock(start: .morning)))
    let plan = try await estimator.estimate(applying: UserFilter(gender: .female))
    #expect(plan.title == "filter apply" && plan.intention.trigger == .filter)
    #expect(plan.filter?.conditions.isEmpty == false)
    let none = try TestWorkspace(jobs: [:])
    await #expect(throws: WorkspaceError.noUsersJob) {
      try await JobEstimator(try none.context(at: ManualClock(start: .morning)))
        .estimate(applying: UserFilter(gender: .female))
    }
  }
}
