import Emulator
import Firestore
import Foundation
import Model
import Store
import StoreTesting
import Testing

/// `firetally run` of jobs of kind `sync-collection`, as an operator meets them.
@Suite(.enabled(if: SQLiteShell.isInstalled, "needs /usr/bin/sqlite3"))
struct CollectionCommandTests {
  private let workspace: TemporaryWorkspace

  init() async throws {
    workspace = try await TemporaryWorkspace(users: 1)
  }

  private func put(_ documents: [String: [String: Value]]) throws {
    let root = ResourceName(project: "demo")
    try workspace.server.documents.seed(
      documents.map { path, fields in
        Document(name: try root.appending(path: path).description, fields: fields)
      })
  }

  private func job(_ text: String, named name: String = "orders") throws {
    try workspace.write("kind: sync-collection\n\(text)\n", to: "jobs/\(name).yml")
  }

  /// What sqlite3, the operator's own tool, prints.
  private func sqlite(_ sql: String) throws -> [String] {
    let process = Process()
    process.executableURL = URL(filePath: SQLiteShell.path)
    process.arguments = [
      workspace.folder.appending(path: "data/firetally.sqlite").path, sql,
    ]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test
  func `a collection becomes a table that sqlite3 reads, and a run again changes nothing`()
    async throws
  {
    try put([
      "Orders/o1": [
        "total": .double(9.5), "address": .map(["city": .string("Köln")]),
        "n": .integer(9_007_199_254_740_993),
      ],
      "Orders/o2": ["total": .integer(2), "n": .null],
    ])
    try job(
      """
      collection: Orders
      columns:
        total: total REAL
        city: address.city TEXT
        n: n INTEGER
      document: true
      """)
    let first = try await workspace.run("run", "orders")
    #expect(first.status == 0, "\(first.errors)")
    #expect(first.output.isEmpty)
    #expect(
      try sqlite("SELECT document_path, total, city, n FROM Orders ORDER BY document_id") == [
        "Orders/o1|9.5|Köln|9007199254740993", "Orders/o2|2.0||",
      ])
    #expect(
      try sqlite("SELECT document ->> '$.fields.n.integerValue' FROM Orders") == [
        "9007199254740993"
      ])
    let again = try await workspace.run("run", "orders")
    #expect(again.status == 0)
    let run = try workspace.store().read { try $0.lastRuns() }["orders"]
    #expect(run?.counts.unchanged == 2)
    #expect(run?.counts.billedReads == 2)
    #expect(run?.kind == "sync-collection")
  }

  @Test
  func `a value that does not fit is NULL, is told, and makes the run partial`() async throws {
    try put(["Orders/o1": ["total": .string("much")], "Orders/o2": ["total": .double(1)]])
    try job("collection: Orders\ncolumns: {total: total REAL}")
    let result = try await workspace.run("run", "orders")
    #expect(result.status == 3)
    #expect(
      result.errors.contains(
        "Left empty, because the value does not fit: total (string) 1."))
    #expect(
      result.errors.contains("Fields with values of several types: total (double 1, string 1)."))
    #expect(try sqlite("SELECT document_id FROM Orders WHERE total IS NULL") == ["o1"])
  }

  @Test func `filters, orders and groups go to Firestore`() async throws {
    try put([
      "Shops/a/Items/1": ["open": .boolean(true), "n": .integer(1)],
      "Shops/b/Items/2": ["open": .boolean(true), "n": .integer(2)],
      "Shops/b/Items/3": ["open": .boolean(false), "n": .integer(3)],
      "Items/4": ["open": .boolean(true)],
    ])
    try job(
      """
      collection_group: Items
      where: [{field: open, op: "==", value: true}]
      order_by: n desc
      page_size: 1
      """, named: "items")
    let result = try await workspace.run("run", "items")
    #expect(result.status == 0, "\(result.errors)")
    let run = try workspace.store().read { try $0.lastRuns() }["items"]
    #expect(
      run?.warnings == [
        "1 document is not in the table: it lacks n, and the load sorts by it. "
          + "Remove 'order_by' to fetch all."
      ])
    #expect(
      try sqlite("SELECT document_path FROM Items ORDER BY rowid") == [
        "Shops/b/Items/2", "Shops/a/Items/1",
      ])
  }

  @Test func `a job file that is wrong is told with its keys, and nothing runs`() async throws {
    try job("collection: Orders\ntable: OnlineUsers\ncolums: {}")
    let result = try await workspace.run("run", "orders")
    #expect(result.status == 65)
    #expect(result.errors.contains("jobs/orders.yml:3:8: table: 'OnlineUsers' is one of"))
    #expect(result.errors.contains("colums: unknown key. Did you mean 'columns'?"))
    #expect(workspace.server.requests.isEmpty)
  }

  @Test
  func `a changed declaration is shown by the plan, made by the run, and told with its remedy`()
    async throws
  {
    try put(["Orders/o1": ["total": .double(1)]])
    try job("collection: Orders\ncolumns: {total: total REAL}")
    #expect(try await workspace.run("run", "orders").status == 0)
    try job("collection: Orders\ncolumns: {total: total TEXT}")
    let change =
      "Orders.total: changed from total REAL to total TEXT; filled by reading all documents; "
      + "present values kept as total_removed"
    let dry = try await workspace.run("run", "orders", "--dry-run")
    #expect(dry.output.contains("\n  schema        \(change)\n"))
    let plan = try await workspace.run("plan", "orders")
    #expect(plan.output.contains("\n  schema        \(change) (1 billed read)\n"))
    #expect(try sqlite("SELECT total FROM Orders") == ["1.0"])
    let result = try await workspace.run("run", "orders")
    #expect(result.status == 3)
    #expect(try sqlite("SELECT total IS NULL, total_removed FROM Orders") == ["1|1.0"])
    _ = try sqlite(#"ALTER TABLE "Orders" DROP COLUMN "total_removed""#)
    #expect(try sqlite("SELECT count(*) FROM v_Orders") == ["1"])
  }

  @Test
  func `a plan and a dry run refuse what the run refuses, in its words and with its status`()
    async throws
  {
    _ = try await workspace.run("run", "--all")
    _ = try sqlite("CREATE TABLE Orders (a)")
    try job("collection: Orders")
    let sentence = "The table 'Orders' exists, and no sync-collection job created it"
    for words in [["run", "orders"], ["run", "orders", "--dry-run"], ["plan", "orders"]] {
      let result = try await workspace.run(words)
      #expect(result.status == 65, "\(words)")
      #expect((result.output + result.errors).contains(sentence), "\(words)")
    }
  }

  @Test func `field names of documents cannot write to the terminal`() async throws {
    try put(["Orders/o1": ["a": .integer(1)]])
    try job("collection: Orders\ncolumns: {a: a TEXT}\ndocument: true")
    _ = try await workspace.run("run", "orders")
    try put(["Orders/o2": ["evil\u{1B}[2J\n": .null]])
    let result = try await workspace.run("run", "orders")
    #expect(result.errors.contains("New fields: evil"))
    #expect(!result.errors.contains("\u{1B}"))
  }

  @Test func `--dry-run says what would be fetched and asks for nothing`() async throws {
    try job("collection: Shops/berlin/Orders")
    let result = try await workspace.run("run", "orders", "--dry-run")
    #expect(result.status == 0)
    #expect(
      result.output.contains(
        "orders: Would fetch all documents of the collection Shops/berlin/Orders into the table "
          + "Orders, 500 a page."))
    #expect(workspace.server.requests.isEmpty)
  }
}

/// The operator's own tool.
private enum SQLiteShell {
  static let path = "/usr/bin/sqlite3"
  static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: path) }
}
