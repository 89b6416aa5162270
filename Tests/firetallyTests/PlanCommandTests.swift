import Emulator
import Firestore
import Foundation
import Model
import Store
import StoreTesting
import Testing

/// `firetally plan`; see `docs/costs.md#plan`.
@Suite struct PlanCommandTests {
  private static func objects(_ output: String) throws -> [[String: Any]] {
    try output.split(separator: "\n").compactMap {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
    }
  }

  /// Every file of the workspace with its bytes, but for those that SQLite lays beside a database
  /// for whoever reads it.
  private static func files(_ workspace: TemporaryWorkspace) throws -> [String: Data] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: workspace.folder.path)
      .filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
    let files = try names.compactMap { name -> (String, Data)? in
      let url = workspace.folder.appendingPathComponent(name)
      let isFile = try url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true
      return isFile ? (name, try Data(contentsOf: url)) : nil
    }
    return Dictionary(files) { first, _ in first }
  }

  @Test
  func `a plan tells documents, reads, price and index, and what it cost itself`() async throws {
    let workspace = try await TemporaryWorkspace()
    let result = try await workspace.run("plan", "online-users")
    #expect(result.status == 0)
    #expect(result.errors.isEmpty)
    // One read more than documents asks whether the field has numbers: docs/loads.md#two-types.
    #expect(
      result.output == """
        online-users: There are no users yet. Would fetch up to 250 documents of Users, 50 a page.
          documents     60
          billed reads  61
          cost          about $0.000037
          index         present: Collection (last_time_seen DESC, __name__ DESC)

        In all 61 billed reads, about $0.000037 at $0.06 per 100,000 reads, \
        Google's price of September 2026. Writes are not priced.
        No daily budget is set (cost.max_reads_per_day).
        This plan itself cost 2 billed reads.

        """)
    // The first asks for the edition.
    #expect(workspace.server.requests.count == 3)
  }

  @Test func `without names every job is planned, in the order of a run`() async throws {
    let workspace = try await TemporaryWorkspace()
    let result = try await workspace.run("plan", "--json")
    let lines = try Self.objects(result.output)
    #expect(lines.dropLast().allSatisfy { $0["message_type"] as? String == "plan" })
    #expect(lines.last?["message_type"] as? String == "plan_total")
    let run = try await workspace.run("run", "--all", "--json")
    let order = try Self.objects(run.output).compactMap { ($0["run"] as? [String: Any])?["job"] }
    #expect(
      lines.dropLast().map { $0["job"] as? String } == order.map { $0 as? String })
  }

  @Test func `what a plan says is what the run is billed`() async throws {
    let workspace = try await TemporaryWorkspace()
    try workspace.write(
      "kind: sync-users\npage_size: 20\nmax_documents: all\n", to: "jobs/online-users.yml")
    let planned = try Self.objects(
      try await workspace.run("plan", "settings", "online-users", "--json").output)
    _ = try await workspace.run("run", "settings", "online-users")
    let runs = try workspace.store().read { try $0.lastRuns() }
    for line in planned.dropLast() {
      let job = try #require(line["job"] as? String)
      let run = try #require(runs[job])
      #expect(line["billedReads"] as? Int == run.counts.billedReads)
      let cost = line["estimatedCost"] as? [String: Any]
      #expect(cost?["amount"] as? Double == run.estimatedCost?.amount)
      #expect(cost?["currency"] as? String == "USD")
    }
    #expect(planned.first { $0["job"] as? String == "online-users" }?["billedReads"] as? Int == 61)
    #expect(planned.last?["billedReads"] as? Int == 62)
    #expect(planned.last?["ownBilledReads"] as? Int == 2)
  }

  @Test func `a plan changes nothing: no row, no mark, not even a database`() async throws {
    let workspace = try await TemporaryWorkspace()
    let before = try Self.files(workspace)
    #expect(try await workspace.run("plan").status == 0)
    #expect(try Self.files(workspace) == before)
    _ = try await workspace.run("run", "settings")
    // What the run left in the log would be brought into the file by whoever closes it last.
    let path = workspace.folder.appendingPathComponent("data/firetally.sqlite").path
    try Store.open(path: path).optimize()
    let stored = try Self.files(workspace)
    #expect(try await workspace.run("plan", "--force").status == 0)
    #expect(try Self.files(workspace) == stored)
    #expect(try workspace.store().read { try $0.lastRuns() }.count == 1)
  }

  @Test func `what is fresh costs nothing, and asks nothing, unless it is forced`() async throws {
    let workspace = try await TemporaryWorkspace()
    _ = try await workspace.run("run", "online-users")
    let requests = workspace.server.requests.count
    let fresh = try await workspace.run("plan", "online-users", "--json")
    #expect(workspace.server.requests.count == requests)
    #expect(try Self.objects(fresh.output).first?["billedReads"] as? Int == 0)
    #expect(try Self.objects(fresh.output).first?["trigger"] as? String == "fresh")
    let forced = try await workspace.run("plan", "online-users", "--force", "--json")
    #expect(try Self.objects(forced.output).first?["billedReads"] as? Int == 61)
    #expect(try Self.objects(forced.output).first?["trigger"] as? String == "forced")
  }

  @Test
  func `a missing index is told with its link and its entry, and ends with 78`() async throws {
    let workspace = try await TemporaryWorkspace()
    let message = "The query requires an index. You can create it here: https://a.b/create?x=y"
    workspace.server.inject(
      .status(.failedPrecondition, message: message), times: nil, matching: ":runQuery")
    let result = try await workspace.run("plan", "settings", "online-users")
    #expect(result.status == 78)
    #expect(
      result.output.contains("  documents     cannot be counted without the index, 250 at most"))
    #expect(
      result.output.contains("  index         missing. Create the index at https://a.b/create"))
    #expect(result.output.contains(#""collectionGroup":"Users""#))
    #expect(result.output.contains("In all at least 1 billed read,"))
    let json = try await workspace.run("plan", "online-users", "--json")
    #expect(json.status == 78)
    let line = try #require(try Self.objects(json.output).first)
    #expect(line["billedReads"] is NSNull)
    #expect(line["documentsAtMost"] as? Int == 250)
    let queries = try #require(line["queries"] as? [[String: Any]])
    let index = try #require(queries.first?["index"] as? [String: Any])
    #expect(index["state"] as? String == "missing")
    #expect(index["link"] as? String == "https://a.b/create?x=y")
    #expect(index["firestore_indexes"] is [String: Any])
  }

  @Test
  func `a plan says where the budget would stop the jobs, one after the other`() async throws {
    let workspace = try await TemporaryWorkspace()
    try workspace.add("cost: {max_reads_per_day: 62}")
    let enough = try await workspace.run("plan", "settings", "online-users")
    #expect(!enough.output.contains("would stop"))
    #expect(
      enough.output.contains("Left today: 62 of 62 billed reads, until 2026-02-01T08:00:00Z."))
    _ = try await workspace.run("run", "settings")
    let scarce = try await workspace.run("plan", "settings", "online-users")
    #expect(scarce.output.contains("Left today: 61 of 62 billed reads"))
    #expect(
      scarce.output.contains(
        "  budget        would stop after 60 billed reads, what the day has left, and go on"))
    try workspace.write("kind: sync-users\nmax_reads: 10\n", to: "jobs/online-users.yml")
    let run = try await workspace.run("plan", "online-users")
    #expect(run.output.contains("  budget        would stop after 10 billed reads, max_reads, and"))
  }

  @Test func `what waits in the outbox is counted by kind`() async throws {
    let workspace = try await TemporaryWorkspace()
    for text in ["It does not work at all.", "It still does not work."] {
      #expect(try await workspace.run("rating", "submit", "2", "--feedback", text).status == 0)
    }
    let text = try await workspace.run("plan", "upload-feedback")
    #expect(text.output.contains("  upload        2 of kind feedback\n"))
    #expect(!text.output.contains("of kind moment\n"))
    let json = try await workspace.run("plan", "upload-feedback", "--json")
    let uploads = try Self.objects(json.output).first?["uploads"] as? [String: Int]
    #expect(uploads == ["feedback": 2, "moment": 0, "event": 0])
    #expect(workspace.server.requests.isEmpty)
  }

  @Test func `a load that goes on is priced for what is left of it`() async throws {
    let workspace = try await TemporaryWorkspace()
    try workspace.write(
      "kind: sync-users\nmax_documents: all\nmax_reads: 45\n", to: "jobs/online-users.yml")
    #expect(try await workspace.run("run", "online-users").status == 75)
    let plan = try await workspace.run("plan", "online-users", "--json")
    #expect(try Self.objects(plan.output).first?["documents"] as? Int == 15)
  }

  @Test func `what follows the load of a whole copy is priced with it`() async throws {
    let workspace = try await TemporaryWorkspace()
    try workspace.write(
      "kind: sync-users\npage_size: 1000\nmax_documents: all\ndeletes: sweep\n",
      to: "jobs/online-users.yml")
    let plan = try await workspace.run("plan", "online-users", "--json")
    let line = try #require(try Self.objects(plan.output).first)
    let queries = try #require(line["queries"] as? [[String: Any]])
    #expect(queries.map { $0["purpose"] as? String } == ["load", "count", "list"])
    #expect(line["documents"] as? Int == 60)
    _ = try await workspace.run("run", "online-users")
    let run = try workspace.store().read { try $0.lastRuns() }["online-users"]
    #expect(line["billedReads"] as? Int == run?.counts.billedReads)
    try workspace.write(
      "kind: sync-users\nmax_documents: all\ndeletes: drift\n", to: "jobs/online-users.yml")
    let drift = try await workspace.run("plan", "online-users", "--force")
    #expect(drift.output.contains("  unknown       If the count shows that documents are gone,"))
  }

  @Test
  func `wrong names, an unreachable server and another project's data end it as they end a run`()
    async throws
  {
    let workspace = try await TemporaryWorkspace()
    #expect(try await workspace.run("plan", "nosuch").status == 64)
    _ = try await workspace.run("run", "settings")
    #expect(try await workspace.run("plan", "online-users", "--project", "other").status == 78)
    workspace.server.inject(.status(.permissionDenied), times: nil)
    #expect(try await workspace.run("plan", "online-users").status == 77)
  }
}
