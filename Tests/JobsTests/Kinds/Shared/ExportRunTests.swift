import Firestore
import Fixtures
import Foundation
import JobsTesting
import Model
import StoreTesting
import Sync
import SyncTesting
import Testing

@testable import CollectionMapping
@testable import Jobs
@testable import Operations
@testable import Workspace
@testable import Store

/// Jobs that load managed exports instead of asking Firestore.
@Suite struct ExportRunTests {
  private static let mirror = """
    kind: sync-collection
    collection: Orders
    columns: {city: address.city TEXT, n: n INTEGER}
    explode: {items: {columns: {sku: sku TEXT}}}
    document: true
    deletes: drift
    max_delete: 100%
    """
  private static let morning = Instant.morning.microseconds

  private let firestore = MemoryFirestore()
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func workspace(_ job: String = mirror) throws -> TestWorkspace {
    try TestWorkspace(jobs: ["orders": job], firestore: firestore)
  }

  /// Writes an export that began and ended so many microseconds after the morning.
  @discardableResult
  private func export(
    _ name: String, _ documents: [String: [String: Value]], from begin: Int64, to end: Int64,
    project: String = "demo"
  ) throws -> String {
    let path = folder.path(of: name)
    var writer = try ExportWriter(
      to: path, begin: Timestamp(microseconds: Self.morning + begin))
    for (id, fields) in documents.sorted(by: { $0.key > $1.key }) {
      try writer.add(
        Document(
          name: "projects/\(project)/databases/(default)/documents/\(id)", fields: fields))
    }
    _ = try writer.finish(end: Timestamp(microseconds: Self.morning + end))
    return path
  }

  private func run(
    _ workspace: TestWorkspace, from path: String?, isForced: Bool = false
  ) async throws -> JobReport {
    let reports = try await workspace.run(
      .named(["orders"]), at: .morning + .seconds(60),
      options: RunOptions(isForced: isForced, exportPath: path))
    return try #require(reports.first)
  }

  private func rows(_ workspace: TestWorkspace, _ sql: String) throws -> [String] {
    try workspace.store.read { try $0.reader.values(sql) }
  }

  private func numbers(_ workspace: TestWorkspace) throws -> [String] {
    try rows(workspace, "SELECT document_id || ' ' || n FROM Orders ORDER BY 1")
  }

  private static func orders(_ numbers: [String: Int64]) -> [String: [String: Value]] {
    Dictionary(
      uniqueKeysWithValues: numbers.map { ("Orders/\($0)", ["n": .integer($1)]) })
  }

  @Test func `an export fills the tables that a load fills, without a read`() async throws {
    let documents: [String: [String: Value]] = [
      "Orders/a": [
        "address": .map(["city": .string("Köln")]), "n": .integer(1),
        "items": .array([.map(["sku": .string("x")]), .map(["sku": .string("y")])]),
        "none": .array([]), "zero": .double(-0.0),
        "r": .reference("projects/other/databases/(default)/documents/C/__id7__"),
      ],
      "Orders/__id7__": ["n": .integer(2)], "Orders/a/Orders/below": ["n": .integer(3)],
      "Others/x": ["n": .integer(4)],
    ]
    firestore.put(documents.mapValues { $0 })
    let loaded = try workspace()
    #expect(try await run(loaded, from: nil).run.outcome == .ok)
    let exported = try workspace()
    let report = try await run(
      exported, from: try export("e", documents, from: 0, to: 9))
    #expect(report.run.outcome == .ok)
    #expect(report.run.counts == RunCounts(fetched: 2, inserted: 2))
    #expect(report.run.readTime == .morning + .microseconds(9))
    for sql in [
      "SELECT document_path || ' ' || document_id || ' ' || ifnull(city, '-') || n FROM Orders ORDER BY 1",
      "SELECT json_extract(document, '$.fields') FROM Orders ORDER BY 1",
      "SELECT document_path || ' ' || idx || ' ' || sku FROM Orders_items",
    ] {
      let found = try rows(exported, sql)
      #expect(found == (try rows(loaded, sql)), "\(sql)")
      #expect(found.count == 2)
    }
    let times = try rows(exported, "SELECT DISTINCT CAST(update_time AS TEXT) FROM Orders")
    #expect(times == ["\(Self.morning + 9)"])
    #expect(exported.firestore.calls.count == loaded.firestore.calls.count)
  }

  /// The row's document was written two microseconds after the morning, with number 1.
  @Test(arguments: [(2, "a 1"), (3, "a 8"), (0, "a 1")] as [(Int64, String)])
  func `only a row from before the export's beginning is overwritten`(
    begin: Int64, expected: String
  ) async throws {
    firestore.put(Self.orders(["a": 1]))
    let workspace = try workspace()
    _ = try await run(workspace, from: nil)
    #expect(
      try rows(workspace, "SELECT CAST(update_time AS TEXT) FROM Orders") == ["\(Self.morning + 2)"]
    )
    let path = try export("e", Self.orders(["a": 8]), from: begin, to: 50)
    _ = try await run(workspace, from: path)
    #expect(try numbers(workspace) == [expected])
    let again = try await run(workspace, from: path)
    #expect(again.run.counts == RunCounts(fetched: 1, unchanged: 1))
  }

  @Test func `an older export brings no deleted document back, and a newer one deletes`()
    async throws
  {
    firestore.put(Self.orders(["a": 1, "b": 2]))
    let workspace = try workspace()
    _ = try await run(workspace, from: nil)
    firestore.put(["Orders/b": nil])
    #expect(try await run(workspace, from: nil).run.counts.deleted == 1)
    let old = try export("old", Self.orders(["a": 1, "b": 2]), from: -100, to: -90)
    let report = try await run(workspace, from: old)
    #expect(report.run.counts.inserted == 0)
    #expect(try numbers(workspace) == ["a 1"])
    let new = try export("new", Self.orders(["c": 3]), from: 100, to: 110)
    #expect(try await run(workspace, from: new).run.counts.deleted == 1)
    #expect(try numbers(workspace) == ["c 3"])
    #expect(
      try rows(workspace, "SELECT key FROM tombstones ORDER BY 1") == ["Orders/a", "Orders/b"])
  }

  @Test func `kept rows of deleted documents stay as they were`() async throws {
    firestore.put(Self.orders(["a": 1, "b": 2]))
    let workspace = try workspace(Self.mirror + "\nkeep_deleted: true")
    _ = try await run(workspace, from: nil)
    firestore.put(["Orders/b": nil])
    _ = try await run(workspace, from: nil)
    let old = try export("old", Self.orders(["a": 1, "b": 9]), from: -100, to: -90)
    _ = try await run(workspace, from: old)
    #expect(try numbers(workspace) == ["a 1", "b 2"])
    #expect(try rows(workspace, "SELECT document_id FROM Orders WHERE deleted_at > 0") == ["b"])
  }

  @Test func `an export that is not whole stores nothing`() async throws {
    let workspace = try workspace()
    let path = try export("e", Self.orders(["a": 1, "b": 2]), from: 0, to: 9)
    let output = "\(path)/\(ExportWriter.folderName)/all_namespaces/all_kinds/output-0"
    var bytes = try Data(contentsOf: URL(filePath: output))
    let whole = bytes
    bytes[bytes.count - 1] ^= 1
    try bytes.write(to: URL(filePath: output))
    var report = try await run(workspace, from: path)
    #expect(report.run.outcome == .failed)
    #expect((report.error as? WorkspaceError)?.category == .badData)
    #expect(report.run.error?.hasSuffix("a checksum is wrong. Nothing was stored.") == true)
    #expect(try numbers(workspace) == [])
    try Data().write(to: URL(filePath: output))
    report = try await run(workspace, from: path)
    #expect(report.run.error?.contains("counts 2 documents, and its outputs hold 0") == true)
    try whole.write(to: URL(filePath: output))
    #expect(try await run(workspace, from: path).run.outcome == .ok)
    #expect(try numbers(workspace) == ["a 1", "b 2"])
  }

  @Test func `the next incremental load begins where the export began`() async throws {
    func changed(_ microseconds: Int64) -> [String: Value] {
      let time = Timestamp(microseconds: Self.morning + microseconds)
      return ["n": .integer(microseconds), "at": .timestamp(time)]
    }
    let workspace = try workspace(Self.mirror + "\nincremental: {field: at, overlap: 1s}")
    let path = try export(
      "e", ["Orders/a": changed(5), "Orders/b": changed(-7)], from: 3, to: 9)
    _ = try await run(workspace, from: path)
    let cursor = try rows(
      workspace, "SELECT value FROM sync_cursors WHERE key LIKE '%watermark at'")
    #expect(cursor == [Timestamp(microseconds: Self.morning + 3).rfc3339])
    firestore.put(["Orders/a": changed(5), "Orders/b": changed(-7)])
    _ = try await run(workspace, from: nil)
    let asked = firestore.calls.compactMap { call -> StructuredQuery.Filter? in
      if case .page(let query, _) = call { query.filter } else { nil }
    }
    let from = Timestamp(microseconds: Self.morning + 3 - 1_000_000)
    let field = FieldPath(segments: ["at"])
    #expect(asked.contains(.field(field, .greaterThanOrEqual, .timestamp(from))))
  }

  @Test func `a sweep fetches what changed while the export ran, and moved no field`() async throws
  {
    let at = Value.timestamp(Timestamp(microseconds: Self.morning - 9_000_000))
    firestore.put([
      "Orders/a": ["n": .integer(1), "at": at], "Orders/b": ["n": .integer(2), "at": at],
    ])
    let workspace = try workspace(
      Self.mirror.replacing("drift", with: "sweep") + "\nincremental: {field: at, overlap: 1s}")
    let old: [String: [String: Value]] = [
      "Orders/a": ["n": .integer(8), "at": at], "Orders/b": ["n": .integer(2), "at": at],
    ]
    // Both were written two microseconds after the morning.
    _ = try await run(workspace, from: try export("e", old, from: 1, to: 50))
    #expect(try numbers(workspace) == ["a 8", "b 2"])
    _ = try await run(workspace, from: nil)
    #expect(try numbers(workspace) == ["a 1", "b 2"])
  }

  @Test func `what a query leaves out, an export leaves out`() async throws {
    let workspace = try workspace(
      """
      kind: sync-collection
      collection: Orders
      columns: {n: n INTEGER}
      where: [{field: n, op: ">=", value: 2}]
      max_documents: 1
      """)
    let documents = Self.orders(["a": 1, "b": 2, "c": 3]).merging(["Orders/d": [:]]) { $1 }
    let report = try await run(workspace, from: try export("e", documents, from: 0, to: 9))
    #expect(report.run.counts == RunCounts(fetched: 2, inserted: 2))
    #expect(try numbers(workspace) == ["b 2", "c 3"])
  }

  @Test func `a job file names exports, of which the newest is loaded once`() async throws {
    let workspace = try workspace(Self.mirror + "\nfrom: \(folder.path)/*/")
    var report = try await run(workspace, from: nil)
    #expect(report.run.outcome == .failed)
    #expect(report.run.error?.hasPrefix("No folder matches 'from: ") == true)
    try export("b", Self.orders(["a": 1]), from: 0, to: 9)
    try export("a", Self.orders(["a": 2]), from: 20, to: 29)
    report = try await run(workspace, from: nil)
    #expect(report.run.counts.inserted == 1)
    #expect(try numbers(workspace) == ["a 2"])
    report = try await run(workspace, from: nil)
    #expect(report.run.outcome == .fresh)
    #expect(report.summary == "The newest export is loaded.")
    #expect(try await run(workspace, from: nil, isForced: true).run.outcome == .ok)
    try export("c", Self.orders(["a": 3]), from: 30, to: 39)
    #expect(try await run(workspace, from: nil).run.counts.updated == 1)
    #expect(firestore.calls.isEmpty)
  }

  @Test func `an export of another project is refused`() async throws {
    let workspace = try workspace()
    _ = try await run(workspace, from: try export("e", Self.orders(["a": 1]), from: 0, to: 9))
    let path = try export("o", Self.orders(["b": 2]), from: 20, to: 29, project: "other")
    let report = try await run(workspace, from: path)
    #expect((report.error as? WorkspaceError)?.category == .configuration)
    #expect(try numbers(workspace) == ["a 1"])
  }

  @Test func `users and feedback come from exports, too`() async throws {
    let workspace = try TestWorkspace(
      jobs: [
        "orders": "kind: sync-users\nmax_documents: 1\n", "texts": "kind: sync-feedback\n",
      ], firestore: firestore)
    try workspace.fill(users: 30)
    let users = firestore.contents(of: "Users")
    var documents = Dictionary(
      uniqueKeysWithValues: users.map { ("Users/\($0)", $1) })
    documents["Feedback/com.example.app/Rating_Feedback/t1"] = [
      "stars": .integer(2), "timestamp": .integer(Self.morning / 1_000_000 - 60),
      "user_id": .string("u"), "feedback": .string("too slow"),
    ]
    let path = try export("e", documents, from: -120_000_000, to: -60_000_000)
    let report = try await run(workspace, from: path)
    #expect(report.run.counts.fetched == users.count)
    #expect(report.run.counts.inserted > 20)
    let profile = try workspace.store.read { try $0.profile(named: Profile.defaultName) }
    #expect(profile?.usersRefreshedAt == .morning - .seconds(60))
    let reports = try await workspace.run(.named(["texts"]), options: RunOptions(exportPath: path))
    #expect(reports.first?.run.counts.fetched == 1)
    #expect(firestore.calls.isEmpty)
  }

  @Test func `an inspection of an export counts all documents and places`() throws {
    let path = try export(
      "e",
      [
        "Orders/a": ["n": .integer(1)], "Orders/b": ["n": .string("x")],
        "Missing/x/Sub/y": ["z": .null], "Orders/a/Sub/y": [:],
      ], from: 0, to: 9)
    var inspection = ExportInspection(try InspectionRequest(), of: try .named(path))
    let findings = try inspection.run()
    #expect(findings.isComplete)
    #expect(findings.collections.map(\.name) == ["Missing", "Orders", "Sub"])
    #expect(findings.collections.map(\.count) == [0, 2, 2])
    #expect(findings.collections[0].hasMissingParents)
    #expect(findings.collections[1].profile.documentCount == 2)
    #expect(findings.collections[1].profile.fields.first?.kinds.count == 2)
    #expect(findings.collections[2].places == ["Missing/*/Sub", "Orders/*/Sub"])
    var named = ExportInspection(try InspectionRequest(["Nope"]), of: try .named(path))
    #expect(throws: WorkspaceError.self) { _ = try named.run() }
  }
}
