import Emulator
import Firestore
import Foundation
import Model
import Store
import StoreTesting
import Testing

/// Job files and documents that do not fit: one sentence each, the status of the table of exit
/// codes, and nothing lost of what was copied before.
@Suite struct BadInputTests {
  private let workspace: TemporaryWorkspace

  /// What `jobs/orders.yml` holds before it goes wrong.
  private static let sound = "collection: Orders\ndocument: true\ncolumns: {total: total REAL}"

  init() async throws {
    workspace = try await TemporaryWorkspace(users: 1)
    try put([
      "Orders/a": [
        "total": .double(9.5), "address": .map(["city": .string("Köln")]),
        "items": .array([.map(["sku": .string("x")])]),
      ],
      "Orders/b": ["total": .double(2), "address": .array([.string("Köln")]), "items": .map([:])],
    ])
    try job(Self.sound)
    #expect(try await workspace.run("run", "orders").status == 0)
  }

  private func put(_ documents: [String: [String: Value]]) throws {
    let root = ResourceName(project: "demo")
    try workspace.server.documents.seed(
      documents.map { path, fields in
        Document(name: try root.appending(path: path).description, fields: fields)
      })
  }

  private func job(_ text: String) throws {
    try workspace.write("kind: sync-collection\n\(text)\n", to: "jobs/orders.yml")
  }

  private func database(_ sql: String) throws -> [String] {
    try SQLiteFile.text(workspace.folder.appending(path: "data/firetally.sqlite").path, sql)
  }

  /// The whole documents and their totals, row by row.
  private func rows() throws -> [String] {
    try database("SELECT json_array(document_id, total, document) FROM Orders ORDER BY 1")
  }

  /// A declaration that is refused, and why.
  struct Refusal: CustomTestStringConvertible {
    let testDescription: String
    let job: String
    let sentence: String
  }

  private static let refusals = [
    Refusal(
      testDescription: "a column without a field",
      job: "collection: Orders\ncolumns: {total: ' REAL'}",
      sentence: "jobs/orders.yml:3:18: columns.total: `` is not a field path; names other than "
        + "letters, digits and _ need back-ticks"),
    Refusal(
      testDescription: "a part of documents that does not exist",
      job: "collection: Orders\ncolumns: {total: '@name'}",
      sentence: "jobs/orders.yml:3:18: columns.total: '@name' is unknown; there are @id, @path, "
        + "@createTime, @updateTime, and with a number from 1 to 99 @parent(1).id and "
        + "@parent(1).path"),
    Refusal(
      testDescription: "two fields that map to one column",
      job: "collection: Orders\ncolumns: {total: total REAL, Total: sum REAL}",
      sentence: "jobs/orders.yml:3:37: columns.Total: is declared twice; SQLite does not tell "
        + "capitals apart"),
    Refusal(
      testDescription: "two fields that map to one column of a child table",
      job: "collection: Orders\nexplode: {items: {column: sku TEXT, columns: {Sku: sku TEXT}}}",
      sentence: "jobs/orders.yml:3:27: explode.items.column: is declared twice; SQLite does not "
        + "tell capitals apart"),
    Refusal(
      testDescription: "two fields that map to one child table",
      job: "collection: Orders\nexplode:\n  items: {column: sku TEXT}\n"
        + "  tags: {column: tag TEXT, table: Orders_items}",
      sentence: "jobs/orders.yml:5:9: explode.tags: the table 'Orders_items' is for 'items'; name "
        + "another one under 'table'"),
    Refusal(
      testDescription: "a child table that exists",
      job: sound + "\nexplode: {items: {column: item JSON, table: Mine}}",
      sentence: "The table 'Mine' exists, and no sync-collection job created it; nothing was "
        + "fetched. Name another one under 'table', or drop that table."),
  ]

  @Test(arguments: refusals)
  func `a declaration that cannot be is refused by plan and run alike, and nothing changes`(
    refusal: Refusal
  ) async throws {
    try SQLiteFile.execute(
      workspace.folder.appending(path: "data/firetally.sqlite").path,
      "CREATE TABLE Mine (a); INSERT INTO Mine VALUES (7)")
    let before = try rows()
    let requests = workspace.server.requests.count
    try job(refusal.job)
    for words in [["run", "orders"], ["run", "orders", "--dry-run"], ["plan", "orders"]] {
      let result = try await workspace.run(words)
      #expect(result.status == 65, "\(words)")
      let told = (result.output + result.errors).split(separator: "\n")
        .filter { $0.contains(refusal.sentence) }
      #expect(told.count == 1, "\(words): \(result.output)\(result.errors)")
    }
    #expect(workspace.server.requests.count == requests)
    #expect(try rows() == before)
    #expect(try database("SELECT CAST(a AS TEXT) FROM Mine") == ["7"])
  }

  /// Documents that do not fit a declaration, and what is said of them.
  struct Misfit: CustomTestStringConvertible {
    let testDescription: String
    let job: String
    let status: Int32
    let sentence: String
  }

  private static let misfits = [
    Misfit(
      testDescription: "a column that names nothing",
      job: "\(sound)\n".replacing("REAL}", with: "REAL, city: adress.city TEXT}"), status: 0,
      sentence: "No document has the field of these columns: city (adress.city)."),
    Misfit(
      testDescription: "a path through a scalar",
      job: "\(sound)\n".replacing("REAL}", with: "REAL, city: total.city TEXT}"), status: 3,
      sentence: "Left empty, because the value does not fit: city (double where a map was "
        + "expected) 2."),
    Misfit(
      testDescription: "an array where a map was",
      job: "\(sound)\n".replacing("REAL}", with: "REAL, city: address.city TEXT}"), status: 3,
      sentence: "Left empty, because the value does not fit: city (array where a map was "
        + "expected) 1."),
    Misfit(
      testDescription: "a map where an array was, of a child table",
      job: "\(sound)\nexplode: {items: {columns: {sku: sku TEXT}}}", status: 3,
      sentence: "Left empty, because the value does not fit: items (map where an array was "
        + "expected) 1."),
  ]

  @Test(arguments: misfits)
  func `what does not fit is one sentence, and every document stays`(misfit: Misfit) async throws {
    let before = try rows()
    try job(misfit.job)
    let result = try await workspace.run("run", "orders", "--full")
    #expect(result.status == misfit.status, "\(result.errors)")
    let warnings = try workspace.store().read { try $0.lastRuns() }["orders"]?.warnings ?? []
    #expect(warnings.filter { $0 == misfit.sentence }.count == 1, "\(warnings)")
    #expect(result.errors.split(separator: "\n").count { $0.contains(misfit.sentence) } == 1)
    #expect(try rows() == before)
    // Each is printed once; `firetally runs` and the report have its warnings.
    _ = try await workspace.run("run", "orders", "--full")
    let again = try await workspace.run("run", "orders", "--full")
    #expect(again.status == misfit.status && !again.errors.contains(misfit.sentence))
  }

  @Test func `a claim of the wrong type is one sentence, and the claims stay`() async throws {
    func user(_ id: String, _ claims: String?, isDisabled: Bool = false) -> JSON {
      var members: [String: JSON] = ["localId": .string(id), "disabled": .boolean(isDisabled)]
      members["customAttributes"] = claims.map { .string($0) }
      return .object(members)
    }
    workspace.server.accounts.seed(
      [
        user("a", #"{"tier":"pro"}"#), user("b", #"{"tier":7}"#), user("c", nil),
        user("d", #"{"tier":"gold"}"#, isDisabled: true),
      ], project: "demo")
    try workspace.write("kind: sync-auth\nemail: none\nphone: none\n", to: "jobs/accounts.yml")
    let result = try await workspace.run("run", "accounts")
    #expect(result.status == 3)
    #expect(
      result.errors.contains(
        "Left empty, because it cannot be read: the claim tier that is a number (1), the claim "
          + "tier that names no tier (1)."))
    let rows = "SELECT json_array(uid, disabled, tier, claims) FROM auth_users ORDER BY uid"
    #expect(
      try database(rows) == [
        #"["a",0,"pro","{\"tier\":\"pro\"}"]"#, #"["b",0,null,"{\"tier\":7}"]"#,
        #"["c",0,null,null]"#, #"["d",1,null,"{\"tier\":\"gold\"}"]"#,
      ])
  }
}
