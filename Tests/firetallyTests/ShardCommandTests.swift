import Emulator
import Firestore
import Foundation
import Jobs
import Model
import Store
import StoreTesting
import Testing

/// `firetally shard`, as an operator and an engine's task meet it.
@Suite struct ShardCommandTests {
  private let workspace: TemporaryWorkspace

  init() async throws {
    workspace = try await TemporaryWorkspace(users: 1)
    let root = ResourceName(project: "demo")
    try workspace.server.documents.seed(
      (0..<12).map { number in
        Document(
          name: try root.appending(path: "Orders/o\(100 + number)").description,
          fields: [
            "total": .integer(Int64(number)),
            "items": .array((0..<number % 3).map { .map(["sku": .string("s\($0)")]) }),
          ])
      })
    try workspace.write(
      """
      kind: sync-collection
      collection: Orders
      columns: {total: total INTEGER}
      explode:
        items: {columns: {sku: sku TEXT}}
      """, to: "jobs/orders.yml")
  }

  private func path(_ name: String) -> String { workspace.folder.appending(path: name).path }

  private var plan: String { path("plan.json") }
  private var shards: String { path("shards") }

  private func makePlan(_ arguments: String...) async throws -> BuiltProgram.Result {
    try await workspace.run(["shard", "plan", "orders", "--to", plan] + arguments)
  }

  private func run(_ shard: String, _ arguments: String...) async throws -> BuiltProgram.Result {
    try await workspace.run(
      ["shard", "run", plan, "--to", shards, "--shard", shard] + arguments)
  }

  private func object(_ line: String) throws -> [String: Any] {
    try #require(
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
  }

  private func permissions(_ file: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
  }

  @Test func `plan, run and gather tell each step as a JSON line`() async throws {
    let planned = try await makePlan("--shards", "2", "--json")
    #expect(planned.status == 0, "\(planned.errors)")
    #expect(planned.errors.contains("Planning costs at most"))
    let line = try object(planned.output)
    #expect(line["message_type"] as? String == "shard_plan" && line["shards"] as? Int == 2)
    #expect(line["reads"] as? Int == 12 && line["job"] as? String == "orders")
    let spent = try #require(line["planReads"] as? Int)
    let recorded = try workspace.store().read { try $0.lastRuns() }["shard plan"]
    #expect(spent >= 3 && recorded?.counts.billedReads == spent && recorded?.outcome == .ok)
    let early = try await workspace.run("shard", "gather", plan, shards)
    #expect(early.status == 75)
    #expect(early.errors.contains("These shards are not finished: 1, 2. Run them"))
    for (number, isNew) in [(1, true), (2, true), (2, false)] {
      let result = try await run("\(number)/2", "--json")
      #expect(result.status == 0, "\(result.errors)")
      let line = try object(result.output)
      #expect(line["message_type"] as? String == "shard" && line["isNew"] as? Bool == isNew)
      #expect(line["path"] as? String == "\(shards)/shard-000\(number).sqlite")
    }
    let gathered = try await workspace.run("shard", "gather", plan, shards, "--json")
    #expect(gathered.status == 0, "\(gathered.errors)")
    #expect(try workspace.store().read { try $0.lastRuns() }["orders"]?.counts.inserted == 12)
    let again = try await workspace.run("shard", "gather", plan, shards)
    #expect(again.status == 0)
    #expect(again.output.contains("All 2 shards were gathered before."))
    #expect(try workspace.store().read { try $0.lastRuns() }["orders"]?.outcome == .fresh)
  }

  @Test func `run and gather tell a log in a line what they did, unless they are to be quiet`()
    async throws
  {
    #expect(try await makePlan("--shards", "1").status == 0)
    let made = try await run("1/1")
    #expect(
      made.output == "\(shards)/shard-0001.sqlite: Orders 12, Orders_items 12 rows, 12 reads\n")
    #expect(try await run("1/1").output.hasSuffix("12 reads, finished before\n"))
    #expect(try await run("1/1", "--quiet").output.isEmpty)
    let gathered = try await workspace.run("shard", "gather", plan, shards)
    #expect(gathered.output.contains("12 fetched into Orders: 12 new"), "\(gathered.output)")
    let quiet = try await workspace.run("shard", "gather", plan, shards, "--quiet")
    #expect(quiet.status == 0 && quiet.output.isEmpty)
  }

  @Test func `a finished shard ends with 0 without opening the workspace`() async throws {
    #expect(try await makePlan("--shards", "1").status == 0)
    #expect(try await run("1/1").status == 0)
    let result = try await BuiltProgram().run(
      "shard", "run", plan, "--to", shards, "--shard", "1/1", "--json", "-C", path("nowhere"))
    #expect(result.status == 0, "\(result.errors)")
    #expect(try object(result.output)["isNew"] as? Bool == false)
  }

  @Test func `wrong input is told in a sentence, with its status`() async throws {
    #expect(try await makePlan("--shards", "2").status == 0)
    for (shard, sentence) in [
      ("3/2", "and the plan has shards 1 to 2"), ("1/3", "names shard 1 of 3"),
      ("x", "not 'x'"),
    ] {
      let result = try await run(shard)
      #expect(result.status == 64 && result.errors.contains(sentence), "\(result.errors)")
    }
    let nothing = try await workspace.run("shard", "run", plan, "--to", shards)
    #expect(nothing.status == 64 && nothing.errors.contains("Nothing says which shard this is"))
    let plan = try object(try String(contentsOfFile: plan, encoding: .utf8))
    let end = try #require((plan["expires"] as? String).flatMap(Instant.init(iso8601:)))
    let late = try await workspace.run(
      ["shard", "run", self.plan, "--to", shards, "--shard", "1/2"], at: end)
    #expect(late.status == 66 && late.errors.contains("is too old"), "\(late.errors)")
    try workspace.write("{}", to: "no.plan.json")
    let none = try await workspace.run("shard", "gather", path("no.plan.json"), shards)
    #expect(none.status == 65 && none.errors.contains("it is not a plan of shards"))
    try workspace.write("kind: sync-collection\nnonsense: 1\n", to: "jobs/orders.yml")
    let broken = try await run("1/2")
    #expect(broken.status == 65 && broken.errors.contains("orders.yml:2"), "\(broken.errors)")
    #expect(try await makePlan("--shards", "2").status == 65)
    let unknown = try await workspace.run("shard", "plan", "order", "--shards", "2")
    #expect(unknown.status == 64 && unknown.errors.contains("There is no job 'order'"))
  }

  @Test func `a plan that could not be written costs nothing`() async throws {
    let before = workspace.server.requests.count
    let result = try await workspace.run(
      "shard", "plan", "orders", "--shards", "2", "--to", path("missing/plan.json"))
    #expect(result.status == 1, "\(result.errors)")
    #expect(result.errors.contains("missing/plan.json"), "\(result.errors)")
    #expect(workspace.server.requests.count == before)
  }

  @Test func `--no-count leaves reads and prices out, and is refused under a read budget`()
    async throws
  {
    let planned = try await makePlan("--shards", "2", "--no-count", "--json")
    #expect(planned.status == 0, "\(planned.errors)")
    let line = try object(planned.output)
    #expect(line["reads"] is NSNull && line["price"] is NSNull)
    try workspace.add("cost: {max_reads_per_day: 20}")
    let refused = try await makePlan("--shards", "2", "--no-count")
    #expect(refused.status == 64 && refused.errors.contains("Leave --no-count out"))
    try workspace.write(
      "kind: sync-collection\ncollection: Orders\nmax_reads: 11\n", to: "jobs/orders.yml")
    let exceeding = try await makePlan("--shards", "2")
    #expect(exceeding.status == 75, "\(exceeding.errors)")
    #expect(exceeding.errors.contains("No plan was written"))
  }

  @Test func `--pitr reads a whole minute, for 7 days`() async throws {
    for (arguments, isWhole, days) in [(["--pitr"], true, 7.0), ([], false, 1.0 / 24)] {
      let result = try await workspace.run(
        ["shard", "plan", "orders", "--to", plan, "--shards", "1", "--no-count"] + arguments)
      #expect(result.status == 0, "\(result.errors)")
      let stored = try ShardPlan.read(plan).plan
      #expect((stored.readTime.microseconds % 60_000_000 == 0) == isWhole)
      #expect(result.errors.contains("The snapshot is the whole minute") == isWhole)
      let life = stored.expires.microseconds - stored.readTime.microseconds
      #expect(life == Int64(days * 86_400e6))
    }
  }

  @Test(arguments: [
    ("csv", false, "csv"), ("ndjson", true, "ndjson.gz"), ("parquet", false, "parquet"),
  ])
  func `export writes a file for each shard and child table`(
    format: String, isGzip: Bool, ending: String
  ) async throws {
    #expect(try await makePlan("--shards", "2").status == 0)
    for shard in 1...2 { #expect(try await run("\(shard)/2").status == 0) }
    try workspace.add("output: {mode: 0640}")
    let to = path("files")
    let result = try await workspace.run(
      ["shard", "export", plan, shards, "--to", to, "--format", format, "--json"]
        + (isGzip ? ["--gzip"] : []))
    #expect(result.status == 0, "\(result.errors)")
    let lines = try result.output.split(separator: "\n").map { try object(String($0)) }
    #expect(
      lines.compactMap { $0["file"] as? String }
        == (1...2).flatMap { shard in
          ["", "Orders_items/"].map { "\(to)/\($0)shard-000\(shard).\(ending)" }
        })
    #expect(lines.compactMap { $0["rows"] as? Int }.reduce(0, +) == 12 + 12)
    let child = "\(to)/Orders_items/shard-0001.\(ending)"
    #expect(try permissions(child) == 0o640 && permissions(to) == 0o750)
    let bytes = try Data(contentsOf: URL(filePath: child))
    switch format {
    case "csv":
      let rows = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n")
      #expect(rows[0] == "document_path,idx,sku" && rows[1] == "Orders/o101,0,s0", "\(rows)")
    case "ndjson": #expect(bytes.starts(with: [0x1f, 0x8b]))
    default: #expect(bytes.starts(with: Array("PAR1".utf8)))
    }
    let other = try await workspace.run(
      "shard", "export", plan, shards, "--to", path("missing/folder"), "--format", format)
    #expect(other.status == 1 && other.errors.contains("Create the folder first"))
    let outside = try await BuiltProgram().run(
      "shard", "export", plan, shards, "--to", path("own"), "--format", format)
    #expect(outside.status == 0, "\(outside.errors)")
    #expect(try permissions("\(path("own"))/shard-0001.\(format)") == 0o600)
  }
}
