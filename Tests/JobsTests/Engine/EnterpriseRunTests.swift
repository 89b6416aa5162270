import Emulator
import Firestore
import Fixtures
import Foundation
import JobsTesting
import Model
import StoreTesting
import Sync
import SyncTesting
import Testing
import Workspace

@testable import Jobs
@testable import Store

/// The ledger and the first report of an Enterprise database; see `docs/editions.md#units`.
@Suite struct EnterpriseRunTests {
  private static let load = """
    kind: sync-collection
    collection: Orders
    page_size: 20
    where:
      - {field: paid, op: "==", value: true}

    """

  private func withOrders<T>(
    _ body: (EmulatorServer, FirestoreClient) async throws -> T
  ) async throws -> T {
    let server = try await EmulatorServer.start(edition: .enterprise)
    let client = FirestoreClient.speaking(to: server.address)
    client.learn(.enterprise)
    let text = Value.string(String(repeating: "x", count: 900))
    var orders: [String: [String: Value]] = [:]
    for number in 0..<400 {
      orders["Orders/o\(1_000 + number)"] = ["text": text, "paid": .boolean(number % 8 == 7)]
    }
    try await client.put(orders)
    let result = try await body(server, client)
    try await server.stop()
    return result
  }

  private func lastRun(_ job: String, _ workspace: TestWorkspace) throws -> Run {
    try #require(try workspace.store.read { try $0.lastRuns()[job] })
  }

  @Test func `a load without an index records what the server billed, and its edition`()
    async throws
  {
    try await withOrders { server, client in
      let workspace = try TestWorkspace(jobs: ["orders": Self.load])
      try await workspace.run(.all, services: ScriptedServices(client).services())
      let run = try lastRun("orders", workspace)
      let billed = server.documents.billedReadCount
      #expect(run.outcome == .ok && run.counts.fetched == 50)
      #expect(billed > 100)
      #expect(abs(run.counts.billedReads - billed) <= billed / 20, "\(run.counts) of \(billed)")
      #expect(run.edition == .enterprise)
      #expect(run.estimatedCost == ReadPrice.unitExample.cost(of: run.counts.billedReads))
    }
  }

  @Test func `max_reads ends a load before a scan that does not fit`() async throws {
    try await withOrders { server, client in
      let workspace = try TestWorkspace(jobs: ["orders": Self.load + "max_reads: 80\n"])
      for _ in 0..<2 {
        let before = server.documents.billedReadCount
        try await workspace.run(.all, services: ScriptedServices(client).services())
        let run = try lastRun("orders", workspace)
        #expect(run.outcome == .blocked)
        #expect(run.error?.contains("make the index that `firetally plan` prints") == true)
        let billed = server.documents.billedReadCount - before
        #expect(billed <= 80 && run.counts.billedReads == billed)
        #expect(run.error?.contains("this run used \(billed) read unit") == true)
      }
    }
  }

  @Test func `the report after the first run has the price of units`() async throws {
    try await withOrders { _, client in
      let workspace = try TestWorkspace(jobs: [
        "orders": Self.load, "report": "kind: report\nformats: [text]\nneeds: [orders]\n",
      ])
      try await workspace.run(.all, services: ScriptedServices(client).services())
      #expect(try lastRun("report", workspace).edition == nil)
      let text = try String(
        contentsOfFile: workspace.folder.root + "/output/runs.txt", encoding: .utf8)
      let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(words.contains("$0.005 per 100,000 read units, Google's price of"))
      #expect(!text.contains("$0.06"))
    }
  }

  @Test func `a run that was killed is priced by its edition`() throws {
    let workspace = try TestWorkspace(jobs: [:])
    var run = Run(job: "orders", kind: "sync-collection", trigger: .manual, startedAt: .morning)
    run.counts.billedReads = 100_000
    let prices = try workspace.folder.config().cost.prices
    for (edition, expected) in [(.enterprise, 0.005), (.standard, 0.06), (nil, 0.06)]
      as [(FirestoreEdition?, Double)]
    {
      run.edition = edition
      let stored = try workspace.store.write { [run] writer in
        _ = try writer.run("DELETE FROM sync_runs")
        _ = try writer.begin(run)
        let end = Instant.morning + .seconds(1)
        return try writer.billedReads(from: .morning, to: end, price: .example, prices: prices)
      }
      #expect(abs(stored.amount - expected) < 1e-9)
      var data = RunsData(jobs: [], runs: [], lastRuns: [:], lastSuccesses: [:])
      data.prices = prices
      #expect(data.cost(of: run) == expected)
    }
  }

  @Test(arguments: [(0, false), (1, true)])
  func `a run records the edition once a read is billed`(reads: Int, isRecorded: Bool) async throws
  {
    try await withOrders { _, client in
      let workspace = try TestWorkspace(jobs: ["report": "kind: report\nformats: [text]\n"])
      let services = ScriptedServices(client)
      let context = JobContext(
        workspace: workspace.folder, config: try workspace.folder.config(),
        catalog: try workspace.folder.jobs(), store: workspace.store,
        services: services.services(), clock: ManualClock(start: .morning).jobClock)
      try await AdHocReads.perform(for: "count", maxReads: nil, context) { _ in
        services.bill(reads)
        return ((), "Counted.")
      }
      let run = try lastRun("count", workspace)
      #expect(run.counts.billedReads == reads)
      #expect(run.edition == (isRecorded ? .enterprise : nil))
    }
  }

  /// Documents, and the units of a count that others may run beside: 32 units allow each count two,
  /// which count 256 documents.
  @Test(arguments: [(255, 2), (256, 2 + 2), (257, 2 + 3)])
  func `a count beside others takes a sixteenth of the budget at first`(
    documents: Int, units: Int
  ) async throws {
    try await withOrders { server, client in
      let workspace = try TestWorkspace(jobs: [:])
      let context = JobContext(
        workspace: workspace.folder, config: try workspace.folder.config(),
        catalog: try workspace.folder.jobs(), store: workspace.store,
        services: ScriptedServices(client).services(),
        clock: ManualClock(start: .morning).jobClock)
      var query = StructuredQuery(
        from: [.init(collectionId: "Orders")], orderBy: [.init(field: .documentName)])
      let last = "\(client.root)/Orders/o\(1_000 + documents)"
      query.endAt = .init(values: [.reference(last)], before: true)
      let before = server.documents.billedReadCount
      let spent = try await AdHocReads.perform(for: "count", maxReads: 32, context) { reads in
        let count = try await reads.count(of: query, under: nil)
        #expect(count == documents)
        return (reads.meter.spent, "Counted.")
      }
      #expect(spent == units && server.documents.billedReadCount - before == units)
    }
  }
}
