import Emulator
import Firestore
import Fixtures
import JobsTesting
import Model
import StoreTesting
import Sync
import SyncTesting
import Testing

@testable import Jobs
@testable import Workspace

/// Plans of shards for an Enterprise database, which bills read units; see `docs/shards.md#plan`.
@Suite struct EnterpriseShardTests {
  /// Orders of 1,000 bytes each.
  private static let count = 600
  private static let all = "kind: sync-collection\ncollection: Orders\npage_size: 50\n"
  private static let paid = all + "where:\n  - {field: paid, op: \"==\", value: true}\n"

  /// Serves the orders, every sixth of which is paid.
  private func withOrders<T>(
    _ body: (EmulatorServer, FirestoreClient) async throws -> T
  ) async throws -> T {
    let server = try await EmulatorServer.start(edition: .enterprise)
    let client = FirestoreClient.speaking(to: server.address)
    client.learn(.enterprise)
    let empty = Document(
      name: "\(client.root)/Orders/o1000", fields: ["text": .string(""), "paid": .boolean(true)])
    let text = String(repeating: "x", count: 1_000 - DocumentSize.bytes(of: empty))
    for start in stride(from: 0, to: Self.count, by: 300) {
      var orders: [String: [String: Value]] = [:]
      for number in start..<start + 300 {
        orders["Orders/o\(1_000 + number)"] = [
          "text": .string(text), "paid": .boolean(number % 6 == 5),
        ]
      }
      try await client.put(orders)
    }
    let result = try await body(server, client)
    try await server.stop()
    return result
  }

  private func makePlan(
    _ job: String, shards: Int, _ client: FirestoreClient, maxReads: Int? = nil
  ) async throws -> (plan: ShardPlan, spent: Int) {
    let workspace = try TestWorkspace(jobs: ["orders": job])
    let files = workspace.folder
    let context = JobContext(
      workspace: files, config: try files.config(), catalog: try files.jobs(),
      store: workspace.store, services: ScriptedServices(client).services(),
      clock: ManualClock(start: .morning).jobClock)
    let planner = try ShardPlanner(
      job: "orders", shards: shards, isRecoverable: false, counts: true, context)
    return try await AdHocReads.perform(for: "shard plan", maxReads: maxReads, context) { reads in
      ((try await planner.plan(reads), reads.meter.spent), "Planned.")
    }
  }

  /// What the server bills for the loads of all shards, each by a client of its own.
  private func load(
    _ plan: ShardPlan, _ job: String, from server: EmulatorServer
  ) async throws -> Int {
    let before = server.documents.billedReadCount
    let stage = try ShardStage(MemoryFirestore(), jobs: ["orders": job])
    let path = stage.folder.path(of: "plan.json")
    try plan.write(to: try DraftFile(for: path))
    let stored = try ShardPlan.read(path)
    for number in 1...plan.shards.count {
      let client = FirestoreClient.speaking(to: server.address)
      client.learn(.enterprise)
      let manifest = try await stage.run(
        number, of: stored, services: ScriptedServices(client).services())
      #expect(manifest.rows.values.reduce(0, +) == plan.shards[number - 1].documents)
    }
    return server.documents.billedReadCount - before
  }

  @Test(arguments: [1, 4])
  func `shards are priced by the units that their loads bill`(shards: Int) async throws {
    try await withOrders { server, client in
      let before = server.documents.billedReadCount
      let (plan, spent) = try await makePlan(Self.all, shards: shards, client)
      #expect(server.documents.billedReadCount - before == spent)
      #expect(plan.edition == .enterprise && plan.noun == "read units")
      #expect(plan.shards.compactMap(\.documents).reduce(0, +) == Self.count)
      #expect(plan.shards.count { !$0.isEmpty } == shards)
      let reads = try #require(plan.reads)
      // A full page of 50 is 13 units; the end of a part may be a page of its own.
      #expect((147...160).contains(reads))
      let price = try #require(plan.price)
      #expect(abs(price - ReadPrice.unitExample.cost(of: reads).amount) < 1e-12)
      let billed = try await load(plan, Self.all, from: server)
      #expect(billed == reads)
    }
  }

  @Test func `a filter without an index scans the collection once in all shards`() async throws {
    try await withOrders { server, client in
      let (plan, _) = try await makePlan(Self.paid, shards: 4, client)
      #expect(plan.shards.compactMap(\.documents).reduce(0, +) == 100)
      let reads = try #require(plan.reads)
      let billed = try await load(plan, Self.paid, from: server)
      #expect(abs(billed - reads) <= reads / 10, "\(billed) of \(reads)")
    }
  }

  @Test func `a budget counts the units, not the documents`() async throws {
    try await withOrders { _, client in
      let (plan, _) = try await makePlan(Self.all, shards: 1, client)
      let reads = try #require(plan.reads)
      #expect(reads < Self.count)
      for (left, isAllowed) in [(reads, true), (reads - 1, false)] {
        let job = Self.all + "max_reads: \(left)\n"
        guard isAllowed else {
          await #expect {
            try await makePlan(job, shards: 1, client)
          } throws: { error in
            WorkspaceError.isShards(error, .tryLater, "would use \(reads) read units, and")
          }
          continue
        }
        _ = try await makePlan(job, shards: 1, client)
      }
    }
  }

  @Test(arguments: [(0, 0), (1, 1), (2, 2)])
  func `planning stops where its own budget ends`(maxReads: Int, spent: Int) async throws {
    try await withOrders { server, client in
      let before = server.documents.billedReadCount
      await #expect {
        try await makePlan(Self.all, shards: 4, client, maxReads: maxReads)
      } throws: { error in
        "\(error)".contains("this command used \(FirestoreEdition.enterprise.billed(spent));")
      }
      #expect(server.documents.billedReadCount - before == spent)
    }
  }
}
