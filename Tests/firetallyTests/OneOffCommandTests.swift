import Emulator
import Foundation
import Jobs
import Model
import Store
import StoreTesting
import Testing

@testable import Firestore

/// `firetally get`, `query`, `count` and `inspect`, as an operator meets them.
@Suite struct OneOffCommandTests {
  private let workspace: TemporaryWorkspace

  init() async throws {
    workspace = try await TemporaryWorkspace(users: 1)
    let root = ResourceName(project: "demo")
    let documents: [String: [String: Value]] = [
      "Orders/o1": [
        "total": .double(9.5), "status": .string("paid"), "n": .integer(9_007_199_254_740_993),
        "address": .map(["city": .string("Köln, \"am Rhein\"")]), "nothing": .null,
      ],
      "Orders/o2": [
        "total": .double(.nan), "status": .string("=1+1"), "tags": .array([.string("a")]),
        "who": .reference("\(root)/Users/abc"), "at": .timestamp(Timestamp(microseconds: 1)),
      ],
      "Shops/a/Items/1": ["n": .integer(1)], "Shops/b/Items/2": ["n": .integer(2)],
    ]
    try workspace.server.documents.seed(
      documents.map { path, fields in
        Document(name: try root.appending(path: path).description, fields: fields)
      })
  }

  private func lastRun(_ name: String) throws -> Run? {
    try workspace.store().read { try $0.lastRuns() }[name]
  }

  private func object(_ line: String) throws -> [String: Any] {
    try #require(
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
  }

  @Test func `get prints a document, and its read is recorded`() async throws {
    let result = try await workspace.run("get", "/Orders/o1")
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.hasPrefix("Orders/o1\n  @createTime  "))
    #expect(result.output.contains("\n  n            9007199254740993\n"))
    #expect(result.output.contains("\n  nothing      null\n"))
    #expect(result.errors.isEmpty)
    let run = try #require(try lastRun("get"))
    #expect(run.counts.billedReads == 1 && run.outcome == .ok && run.trigger == .manual)
  }

  @Test func `JSON is plain, or typed without loss`() async throws {
    let plain = try await workspace.run("get", "Orders/o2", "--json")
    #expect(plain.output.contains(#""total":"NaN""#))
    #expect(plain.output.contains(#""who":"Users/abc""#))
    #expect(plain.output.contains(#""at":"1970-01-01T00:00:00.000001Z""#))
    #expect(try object(plain.output)["message_type"] as? String == "document")
    let typed = try await workspace.run("get", "Orders/o2", "--json", "--typed")
    #expect(typed.output.contains(#""total":{"doubleValue":"NaN"}"#))
    #expect(typed.output.contains(#""tags":{"arrayValue":{"values":[{"stringValue":"a"}]}}"#))
  }

  @Test(
    arguments: [
      (["get", "Orders/o3"], Int32(1), "There is no document Orders/o3; similar names: o1, o2."),
      (["get", "Oders/o1"], 1, "There is no document Oders/o1; similar names: Orders."),
      (["get", "Orders"], 64, "'Orders' is a collection"),
      (["get", "Orders//x"], 64, "'Orders//x' is not a path"), (["get", ""], 64, "is empty"),
      (["query", "Orders/o1"], 64, "'Orders/o1' is a document"),
      (["query", "Orders", "--where", "a = 1"], 64, "op: must be one of"),
      (["query", "Orders", "--limit", "0"], 64, "--limit takes 1 to 10000"),
      (["query", "Orders", "--limit", "10001"], 64, "--limit takes 1 to 10000"),
      (["query", "Orders", "--csv", "--json"], 64, "Give either --csv or --json"),
      (["query", "a/b/c", "--group"], 64, "--group takes the id"),
      (["count", "Orders", "--where", "x"], 64, "is not FIELD OP VALUE"),
      (["inspect", "Oders"], 1, "There is no collection Oders; similar names: Orders."),
      (["inspect", "Orders/o1"], 64, "is a document"),
      (["inspect", "--sample", "0"], 64, "--sample takes 1 to 1000"),
      (["inspect", "--sample", "1001"], 64, "--sample takes 1 to 1000"),
      (["inspect", "--overwrite"], 64, "--overwrite goes with --write"),
      (["inspect", "--max-reads", "1"], 75, "--max-reads allows 1"),
    ])
  func `wrong input is told in a sentence`(
    arguments: [String], status: Int32, sentence: String
  ) async throws {
    let result = try await workspace.run(arguments)
    #expect(result.status == status, "\(result.errors)")
    #expect(result.errors.contains(sentence), "\(result.errors)")
  }

  @Test func `what is not there costs as much as the help says`() async throws {
    try await put(count: 30)
    let help = try await workspace.run("get", "--help").output
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(help.contains("it reads up to 11 names more"))
    _ = try await workspace.run("get", "Many/m00x")
    #expect(try lastRun("get")?.counts.billedReads == 11)
    _ = try await workspace.run("get", "Many/zzz")
    #expect(try lastRun("get")?.counts.billedReads == 12)
    _ = try await workspace.run("count", "Mani")
    #expect(try lastRun("count")?.counts.billedReads == 2)
    _ = try await workspace.run("query", "Mani")
    #expect(try lastRun("query")?.counts.billedReads == 2)
  }

  /// Documents `Many/m000` and so on.
  private func put(count: Int) async throws {
    let root = ResourceName(project: "demo")
    try workspace.server.documents.seed(
      try (0..<count).map { number in
        Document(
          name: try root.appending(path: "Many/m\(String(1_000 + number).dropFirst())").description,
          fields: ["n": .integer(Int64(number))])
      })
  }

  @Test func `query finds, orders, selects and limits`() async throws {
    let result = try await workspace.run(
      "query", "Orders", "--where", "status in [paid, \"=1+1\"]", "--order-by", "status desc",
      "--limit", "1", "--select", "status,address.city")
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.hasPrefix("Orders/o1\n"))
    #expect(result.output.contains("\n  address.city  Köln, \"am Rhein\"\n"))
    #expect(!result.output.contains("o2") && !result.output.contains("total"))
    #expect(try lastRun("query")?.counts.billedReads == 1)
    for (limit, isCut) in [("1", true), ("2", true), ("3", false)] {
      let told = try await workspace.run("query", "Orders", "--limit", limit, "--verbose")
      #expect(told.errors.contains(", as many as --limit: there may be more.") == isCut)
    }
  }

  @Test func `CSV has a column for each field, text as it is and nested values as JSON`()
    async throws
  {
    let result = try await workspace.run("query", "Orders", "--csv")
    let lines = result.output.components(separatedBy: "\r\n")
    #expect(lines.count == 4 && lines[3].isEmpty)
    #expect(lines[0] == "document_path,address,at,n,nothing,status,tags,total,who")
    #expect(
      lines[1]
        == #"Orders/o1,"{""city"":""Köln, \""am Rhein\""""}",,9007199254740993,,paid,,9.5,"#)
    #expect(
      lines[2]
        == #"Orders/o2,,1970-01-01T00:00:00.000001Z,,,=1+1,"[""a""]",NaN,Users/abc"#)
  }

  @Test func `a group is read and counted wherever its collections are`() async throws {
    let lines = try await workspace.run("query", "Items", "--group", "--json").output
    #expect(
      try lines.split(separator: "\n").map { try object(String($0))["path"] as? String } == [
        "Shops/a/Items/1", "Shops/b/Items/2",
      ])
    let count = try await workspace.run("count", "Items", "--group", "--where", "n > 1")
    #expect(count.output == "1\n")
    let json = try await workspace.run("count", "Orders", "--json")
    #expect(try object(json.output)["count"] as? Int == 2)
  }

  @Test func `what finds nothing succeeds and says why`() async throws {
    let filtered = try await workspace.run("query", "Orders", "--where", "n == 3")
    #expect(filtered.status == 0 && filtered.output.isEmpty)
    #expect(filtered.errors.contains("No document of the collection Orders was found."))
    let time = try await workspace.run("count", "Orders", "--where", "at > 2026-01-31T08:00:00Z")
    #expect(time.errors.contains("a timestamp is written {timestamp: \"2026-01-31T08:00:00Z\"}."))
    let missing = try await workspace.run("count", "Oders")
    #expect(missing.output == "0\n")
    #expect(missing.errors.contains("similar names: Orders."))
  }

  @Test func `the day's budget stops a query, and what was paid for is printed`() async throws {
    try workspace.add("cost: {max_reads_per_day: 2}")
    #expect(try await workspace.run("get", "Orders/o1").status == 0)
    let result = try await workspace.run("query", "Orders", "--csv")
    #expect(result.status == 75)
    #expect(result.output.contains("Orders/o1,") && !result.output.contains("Orders/o2,"))
    #expect(
      result.errors.contains(
        "this command used 1 billed read; cost.max_reads_per_day in firetally.yml allows 2 a "
          + "day; other runs used 1. Try again after"))
    #expect(try lastRun("query")?.outcome == .blocked)
    let none = try await workspace.run("count", "Orders")
    #expect(none.status == 75 && none.output.isEmpty)
  }

  @Test func `inspect tells its price, prints what it found, and drafts jobs that run`()
    async throws
  {
    workspace.server.expiry.set(
      [ExpiryPolicy(collectionId: "Orders", field: "until", state: .active)],
      of: "projects/demo/databases/(default)")
    let result = try await workspace.run("inspect", "Orders", "Shops", "--write")
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors.contains("Reads at most 5,000 documents (--max-reads)"))
    #expect(result.errors.contains("Found 2 collections with 2 documents."))
    #expect(result.output.contains("Orders: 2 documents, 2 sampled; a full load costs 2 reads"))
    #expect(result.output.contains("  address.city      50%  string"))
    #expect(result.output.contains("  subcollections: Items (2 of 2 missing documents)"))
    #expect(result.output.contains("jobs/orders.yml written: "))
    #expect(result.output.contains("jobs/items.yml written: "))
    #expect(result.output.hasSuffix("with kind: sync-auth; see docs/jobs/sync-auth.md.\n"))
    #expect(
      result.output.contains(
        "  Documents of Orders expire by until (TTL policy, active): they disappear without "
          + "an update; see docs/jobs/sync-collection.md#ttl-policies.\n"))
    for job in ["orders", "items"] {
      let run = try await workspace.run("run", job)
      #expect(run.status == 0, "\(run.errors)")
      #expect(try lastRun(job)?.counts.inserted == 2)
    }
    let again = try await workspace.run("inspect", "Orders", "--write")
    #expect(again.output.contains("jobs/orders.yml exists and was kept"))
    // The names of commands are no jobs: nothing is overdue or failed because of them.
    let runs = try await workspace.run("runs", "--json")
    #expect(runs.output.contains(#""job":"inspect""#))
    let status = try await workspace.run("status", "--json")
    #expect(!status.output.contains(#""inspect""#))
  }

  @Test func `inspect's JSON has an object for each collection and a total`() async throws {
    let result = try await workspace.run("inspect", "Orders", "--json", "--write")
    let objects = try result.output.split(separator: "\n").map { try object(String($0)) }
    #expect(
      objects.compactMap { $0["message_type"] as? String } == [
        "collection", "draft", "inspect_total",
      ])
    #expect(objects[0]["documents"] as? Int == 2)
    #expect(objects[2]["billedReads"] as? Int == (try lastRun("inspect"))?.counts.billedReads)
    #expect(objects[1]["outcome"] as? String == "written")
    #expect((objects[0]["expiry"] as? [Any])?.isEmpty == true)
    #expect(!result.output.contains("sync-auth"))
  }

  @Test func `names of documents cannot write to the terminal`() async throws {
    let root = ResourceName(project: "demo")
    try workspace.server.documents.seed([
      Document(
        name: "\(root)/Orders/o3", fields: ["evil\u{1B}[2J\n": .string("\u{1B}[31m\nred")])
    ])
    for command in [["get", "Orders/o3"], ["query", "Orders"], ["inspect", "Orders", "--write"]] {
      let result = try await workspace.run(command)
      #expect(result.status == 0, "\(result.errors)")
      #expect(!result.output.contains("\u{1B}") && !result.errors.contains("\u{1B}"))
    }
  }
}
