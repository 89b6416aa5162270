import Firestore
import Fixtures
import JobsTesting
import Model
import Store
import StoreTesting
import SyncTesting
import Synchronization
import Testing

@testable import Jobs
@testable import Workspace

/// What planning reads and reports, and the budgets that it keeps to.
@Suite struct ShardPlannerTests {
  private let stage: ShardStage
  private let firestore = MemoryFirestore()

  init() throws {
    firestore.put(ShardStage.orders(0..<40))
    stage = try ShardStage(firestore)
  }

  @Test func `planning says before what it costs at most`() throws {
    let context = try stage.workspace.context(at: ManualClock(start: .morning))
    func bound(
      _ shards: Int, counts: Bool, on edition: FirestoreEdition = .standard
    ) throws -> String {
      try ShardPlanner(
        job: "orders", shards: shards, isRecoverable: false, counts: counts, context
      ).bound(on: edition)
    }
    #expect(try bound(1, counts: false) == "Planning costs at most 1 billed read.")
    #expect(
      try bound(1, counts: true)
        == "Planning costs at most 2 billed reads and one for each 1000 documents.")
    #expect(
      try bound(4, counts: true)
        == "Planning costs at most 102 billed reads and one for each 83 documents.")
    #expect(try bound(1, counts: false, on: .enterprise) == "Planning costs at most 1 read unit.")
    #expect(
      try bound(4, counts: true, on: .enterprise)
        == "Planning costs at most 202 read units and one for each 10 documents.")
  }

  @Test func `the reads of planning are recorded, and limited by the day's budget`() async throws {
    try await stage.plan("orders", shards: 4)
    let run = try #require(try stage.workspace.store.read { try $0.lastRuns() }["shard plan"])
    // The time, and a count for each shard.
    #expect(run.counts.billedReads == 5 && run.outcome == .ok)
    for (left, isAllowed) in [(44, false), (45, true)] {
      let stage = try ShardStage(firestore)
      try stage.workspace.write(
        "app: {name: Chat, bundle_id: com.example.app}\ncost: {max_reads_per_day: \(left)}\n",
        to: "firetally.yml")
      let planned = try? await stage.plan("orders", shards: 4)
      #expect((planned != nil) == isAllowed, "\(left)")
      await #expect {
        try await stage.plan("orders", shards: 4, counts: false)
      } throws: { error in
        WorkspaceError.isShards(error, .usage, "how many reads the shards of 'orders' make")
      }
    }
    // Planning itself stops at the budget.
    let stage = try ShardStage(firestore)
    try stage.workspace.write(
      "app: {name: Chat, bundle_id: com.example.app}\ncost: {max_reads_per_day: 3}\n",
      to: "firetally.yml")
    await #expect {
      try await stage.plan("orders", shards: 4)
    } throws: { error in
      guard case WorkspaceError.adHocBudget(_, spent: 3) = error else { return false }
      return true
    }
  }

  @Test func `a plan says that it looks for cuts that no server offers, and how far it is`()
    async throws
  {
    // A server that does not cut.
    let services = ScriptedServices(FaultyDatabase(firestore)).services()
    firestore.put(ShardStage.orders(40..<340))
    let events = Mutex<[WorkObserver.Event]>([])
    let sentences = Mutex<[String]>([])
    let workspace = stage.workspace
    let context = JobContext(
      workspace: workspace.folder, config: try workspace.folder.config(),
      catalog: try workspace.folder.jobs(), store: workspace.store, services: services,
      clock: ManualClock(start: .morning).jobClock,
      observer: WorkObserver { event in events.withLock { $0.append(event) } })
    let planner = try ShardPlanner(
      job: "orders", shards: 3, isRecoverable: false, counts: true, context)
    _ = try await AdHocReads.perform(for: "shard plan", maxReads: nil, context) { reads in
      (
        try await planner.plan(reads) { sentence in sentences.withLock { $0.append(sentence) } },
        "Planned."
      )
    }
    #expect(sentences.withLock(\.count) == 1)
    #expect(
      sentences.withLock { $0[0] }.hasPrefix(
        "The server offers 0 of 2 cuts, so the plan searches for even ones"))
    let seen = events.withLock(\.self)
    #expect(seen.first == .began(title: "looking for cuts", unit: "requests", total: nil))
    #expect(seen.contains(.began(title: "counting", unit: "shards", total: 3)))
    #expect(seen.last == .ended)
  }

  @Test func `a plan beyond the read budget is not made`() async throws {
    let text = try #require(ShardStage.jobs["orders"])
    // 40 documents, and no empty page behind the last one.
    for (budget, isAllowed) in [(39, false), (40, true), (41, true)] {
      try stage.workspace.write("\(text)\nmax_reads: \(budget)\n", to: "jobs/orders.yml")
      let planned = try? await stage.plan("orders", shards: 1)
      #expect((planned != nil) == isAllowed, "\(budget)")
    }
  }
}
