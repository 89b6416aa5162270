import Emulator
import Firestore
import Fixtures
import Foundation
import JobsTesting
import Model
import StoreTesting
import Sync
import SyncTesting
import Synchronization
import Testing

@testable import Jobs
@testable import Operations
@testable import Workspace
@testable import Store

/// Writing documents back into a Firestore.
@Suite struct DocumentLoadTests {
  private static let root = ResourceName(project: "target")
  private static let count = 1_203

  private let workspace: TestWorkspace
  private let folder: TemporaryFolder
  private let target = MemoryTarget(root: root)

  init() throws {
    workspace = try TestWorkspace(
      jobs: ["orders": "kind: sync-collection\ncollection: Orders\n"])
    folder = try TemporaryFolder()
  }

  private static func document(_ index: Int, n: Int? = nil) -> Document {
    Document(
      name: "projects/demo/databases/(default)/documents/Orders/\(index)",
      fields: [
        "n": .integer(Int64(n ?? index)), "own": .array([.reference("\(own)/Orders/1")]),
        "map": .map(["other": .reference("projects/x/databases/(default)/documents/C/1")]),
      ])
  }

  private static let own = "projects/demo/databases/(default)/documents"

  private func export(_ count: Int = count) throws -> String {
    let path = folder.path(of: "export")
    var writer = try ExportWriter(to: path, begin: Timestamp(microseconds: 5))
    for index in 0..<count { try writer.add(Self.document(index)) }
    _ = try writer.finish(end: Timestamp(microseconds: 9))
    return path
  }

  private func load(_ name: String, overwrites: Bool = false) async throws -> DocumentLoad.Counts {
    let context = try workspace.context(at: ManualClock(start: .morning))
    var load = DocumentLoad(
      try LoadSource(name, in: workspace.store), to: Self.root, by: target, context)
    load.overwrites = overwrites
    load.isPaced = false
    return try await load.run(after: load.interruption())
  }

  private func expected(_ count: Int = count) -> [String: [String: Value]] {
    let mover = ReferenceMove(from: "\(Self.own)/", to: "\(Self.root)/")
    return Dictionary(
      uniqueKeysWithValues: (0..<count).map {
        ("Orders/\($0)", Self.document($0).fields.mapValues(mover.moved))
      })
  }

  @Test func `references of the own database are rewritten, others stay`() async throws {
    let counts = try await load(export(3))
    #expect(counts == DocumentLoad.Counts(written: 3))
    let fields = try #require(target.contents["Orders/2"])
    #expect(fields["own"] == .array([.reference("\(Self.root)/Orders/1")]))
    #expect(
      fields["map"] == .map(["other": .reference("projects/x/databases/(default)/documents/C/1")]))
  }

  @Test func `a load that ended is the same when repeated`() async throws {
    let path = try export()
    #expect(try await load(path) == DocumentLoad.Counts(written: Self.count))
    #expect(target.contents == expected())
    #expect(try await load(path) == DocumentLoad.Counts(same: Self.count))
    #expect(target.contents == expected())
  }

  /// Every request dies before it is carried out, or its answer is lost after it was.
  @Test(arguments: [false, true])
  func `a load that dies at any request goes on, and doubles nothing`(isLate: Bool) async throws {
    let path = try export()
    for request in [0, 1, 1] {
      target.fail(at: request, afterwards: isLate)
      await #expect(throws: MemoryTarget.Death.self) { _ = try await load(path) }
    }
    let counts = try await load(path)
    #expect(counts.total == Self.count)
    #expect(counts.refused == 0)
    #expect(target.contents == expected())
    #expect(target.replacedCount == 0)
  }

  @Test func `a load into a database that lost its content begins again`() async throws {
    let path = try export()
    target.fail(at: 1, afterwards: false)
    await #expect(throws: MemoryTarget.Death.self) { _ = try await load(path) }
    #expect(target.contents.count == 500)
    target.removeAll()
    #expect(try await load(path) == DocumentLoad.Counts(written: Self.count))
    #expect(target.contents == expected())
  }

  @Test func `an interrupted load goes on with --overwrite from the beginning`() async throws {
    let path = try export()
    target.put(["Orders/1": ["n": .string("mine")]])
    target.fail(at: 1, afterwards: false)
    await #expect(throws: MemoryTarget.Death.self) { _ = try await load(path) }
    #expect(try await load(path, overwrites: true) == DocumentLoad.Counts(written: Self.count))
    #expect(target.contents == expected())
  }

  @Test func `a table that was synced meanwhile begins again`() async throws {
    let path = try export(600)
    _ = try await workspace.run(.named(["orders"]), options: RunOptions(exportPath: path))
    target.fail(at: 1, afterwards: false)
    await #expect(throws: MemoryTarget.Death.self) { _ = try await load("Orders") }
    try SQLiteFile.execute(
      workspace.folder.databasePath,
      "UPDATE Orders SET synced_at = synced_at + 1 WHERE document_id = '0'")
    #expect(try await load("Orders") == DocumentLoad.Counts(written: 100, same: 500))
  }

  @Test func `names that differ only in how a letter is composed are written in two requests`()
    async throws
  {
    let path = folder.path(of: "twins.ndjson")
    let lines = ["\u{e9}", "e\u{301}", "f"].map { id in
      JSON.object([
        "document": .string(
          String(
            decoding: Document(
              name: "\(Self.own)/Orders/\(id)", fields: ["n": .integer(1)]
            ).json.serialized(), as: UTF8.self))
      ])
    }
    try folder.write(
      lines.map { String(decoding: $0.serialized(), as: UTF8.self) }.joined(separator: "\n"),
      to: "twins.ndjson")
    #expect(try await load(path).total == 3)
    #expect(target.largestRequest.writes == 2)
  }

  @Test func `a table, its NDJSON and its export give the same documents`() async throws {
    _ = try await workspace.run(.named(["orders"]), options: RunOptions(exportPath: try export()))
    #expect(try await load("Orders").written == Self.count)
    #expect(target.contents == expected())
    let rows = try workspace.store.read {
      try $0.documents(of: "Orders", after: "", limit: .max)
    }
    let lines = rows.map { row in
      let json = JSON.object(["document_id": .string("x"), "document": .string(row.document)])
      return String(decoding: json.serialized(), as: UTF8.self)
    }
    try folder.write(lines.joined(separator: "\n") + "\n\n", to: "orders.ndjson")
    #expect(try await load(folder.path(of: "orders.ndjson")).same == Self.count)
    try folder.write(lines[0] + "\nnot JSON\n", to: "bad.ndjson")
    await #expect(throws: WorkspaceError.self) { _ = try await load(folder.path(of: "bad.ndjson")) }
  }

  @Test func `rows that are marked as deleted do not count`() throws {
    try SQLiteFile.execute(
      workspace.folder.databasePath,
      """
      CREATE TABLE Kept (
        document_path TEXT, document TEXT, deleted_at INTEGER, synced_at INTEGER);
      INSERT INTO Kept VALUES ('a', '{}', NULL, 5), ('b', '{}', 1, 9), ('c', NULL, NULL, 9);
      """)
    try workspace.store.read { reader in
      let found = try reader.documentCount(of: "Kept")
      #expect(found.count == 1 && found.syncedAt == 5)
      let documents = try reader.documents(of: "Kept", after: "", limit: 9)
      #expect(documents.map(\.path) == ["a"])
    }
  }

  @Test func `documents that exist stay without --overwrite, and are replaced with it`()
    async throws
  {
    target.put(["Orders/1": ["n": .string("mine")]])
    let path = try export(3)
    let counts = try await load(path)
    #expect(
      counts == DocumentLoad.Counts(written: 2, same: 0, refused: 1, refusedPaths: ["Orders/1"]))
    #expect(target.contents["Orders/1"] == ["n": .string("mine")])
    #expect(try await load(path, overwrites: true) == DocumentLoad.Counts(written: 3))
    #expect(target.contents == expected(3))
  }

  @Test func `a request has at most 500 writes and 10 MiB`() async throws {
    let path = folder.path(of: "large")
    var writer = try ExportWriter(to: path, begin: Timestamp(microseconds: 5))
    for index in 0..<12 {
      var document = Self.document(index)
      document.fields["t"] = .string(String(repeating: "x", count: 900_000))
      try writer.add(document)
    }
    _ = try writer.finish(end: Timestamp(microseconds: 9))
    _ = try await load(path)
    _ = try await load(export())
    #expect(target.largestRequest.writes == 500)
    #expect(target.largestRequest.bytes <= 10 << 20)
    #expect(target.contents.count == Self.count)
  }

  @Test func `requests to Google begin with 500 writes a second`() async throws {
    let clock = ManualClock(start: .morning, skipsPauses: true)
    let load = DocumentLoad(
      try LoadSource(try export(1_001), in: workspace.store), to: Self.root, by: target,
      try workspace.context(at: clock))
    _ = try await load.run(after: load.interruption())
    // The third request waits for the two before it.
    #expect(clock.jobClock.elapsed() == .seconds(2))
  }

  /// Sizes are those of docs/firestore.md#limits: 1,024 bytes are one unit, and one more byte two.
  @Test func `an Enterprise database bills units of 1 KiB, a Standard one documents`() throws {
    let path = folder.path(of: "sized")
    var writer = try ExportWriter(to: path, begin: Timestamp(microseconds: 5))
    for (id, size) in [("a", 1_024), ("b", 1_025), ("c", 2_048), ("d", 100)] {
      var document = Document(
        name: "projects/demo/databases/(default)/documents/C/\(id)", fields: ["t": .string("")])
      let rest = size - DocumentSize.bytes(of: document)
      document.fields["t"] = .string(String(repeating: "x", count: rest))
      #expect(DocumentSize.bytes(of: document) == size)
      try writer.add(document)
    }
    _ = try writer.finish(end: Timestamp(microseconds: 9))
    let load = DocumentLoad(
      try LoadSource(path, in: workspace.store), to: Self.root, by: target,
      try workspace.context(at: ManualClock(start: .morning)))
    #expect(try load.billedWrites(in: FirestoreEdition.standard.rules) == 4)
    #expect(try load.billedWrites(in: FirestoreEdition.enterprise.rules) == 1 + 2 + 2 + 1)
  }

  @Test func `writes cost by the edition's price, or the workspace's own`() {
    var cost = CostConfig()
    #expect(cost.costOfWrites(1_000_000) == Money(amount: 0.9, currency: "USD"))
    cost.edition = .enterprise
    #expect(cost.costOfWrites(1_000_000) == Money(amount: 0.26, currency: "USD"))
    (cost.per100kWriteUnits, cost.documentPrice.currency) = (0.05, "EUR")
    #expect(cost.costOfWrites(300_000) == Money(amount: 0.15, currency: "EUR"))
    (cost.edition, cost.per100kWrites) = (.standard, 0.2)
    #expect(cost.costOfWrites(300_000) == Money(amount: 0.6, currency: "EUR"))
  }

  @Test func `targets and what protects them`() throws {
    let host = ["FIRESTORE_EMULATOR_HOST": "127.0.0.1:1"]
    let source = try LoadSource(try export(1), in: workspace.store)
    let emulator = try LoadTarget("emulator", environment: host)
    #expect(emulator.isEmulator)
    #expect(emulator.root(of: source) == ResourceName(project: "demo"))
    try emulator.check(source, intoSource: false)
    let named = try LoadTarget("p/d", environment: [:])
    #expect(named.root(of: source) == ResourceName(project: "p", database: "d"))
    try named.check(source, intoSource: false)
    let own = try LoadTarget("demo", environment: [:])
    #expect(throws: WorkspaceError.self) { try own.check(source, intoSource: false) }
    try own.check(source, intoSource: true)
    for wrong in ["", "a/b/c", "a/", "/d"] {
      #expect(throws: WorkspaceError.self) { _ = try LoadTarget(wrong, environment: host) }
    }
    #expect(throws: WorkspaceError.self) { _ = try LoadTarget("emulator", environment: [:]) }
    #expect(throws: WorkspaceError.self) { _ = try LoadSource("nothing", in: workspace.store) }
    #expect(throws: WorkspaceError.self) { _ = try LoadSource("OnlineUsers", in: workspace.store) }
  }
}

/// A Firestore in memory that documents are written into, and that fails when told.
final class MemoryTarget: DocumentTarget {
  struct Death: Error {}

  private struct State {
    var contents: [String: [String: Value]] = [:]
    var failure: (request: Int, afterwards: Bool)?
    var requestCount = 0
    var replacedCount = 0
    var largest = (writes: 0, bytes: 0)
  }

  let root: ResourceName
  private let state = Mutex(State())

  init(root: ResourceName) { self.root = root }

  var contents: [String: [String: Value]] { state.withLock(\.contents) }
  var replacedCount: Int { state.withLock(\.replacedCount) }
  var largestRequest: (writes: Int, bytes: Int) { state.withLock(\.largest) }

  func put(_ documents: [String: [String: Value]]) {
    state.withLock { $0.contents.merge(documents) { $1 } }
  }

  func removeAll() { state.withLock { $0.contents = [:] } }

  /// Lets a request of those to come die, before or after it was carried out.
  func fail(at request: Int, afterwards: Bool) {
    state.withLock { $0.failure = (request + $0.requestCount, afterwards) }
  }

  func batchWrite(_ writes: [Write]) async throws -> [Result<WriteResult, FirestoreError>] {
    try state.withLock { state in
      defer { state.requestCount += 1 }
      let dies = state.failure.flatMap { $0.request == state.requestCount ? $0 : nil }
      if dies?.afterwards == false { throw Death() }
      let bytes = JSON.object(["writes": .array(writes.map(\.json))]).serialized().count
      state.largest = (max(state.largest.writes, writes.count), max(state.largest.bytes, bytes))
      let results = writes.map { write in carryOut(write, &state) }
      if dies != nil { throw Death() }
      return results
    }
  }

  private func carryOut(
    _ write: Write, _ state: inout State
  ) -> Result<WriteResult, FirestoreError> {
    guard case .update(let document, nil) = write.operation else {
      return .failure(.refusal(.invalidArgument))
    }
    let path = root.relativePath(of: document.name)
    if write.precondition == .exists(false), state.contents[path] != nil {
      return .failure(.refusal(.alreadyExists))
    }
    if state.contents[path] != nil { state.replacedCount += 1 }
    state.contents[path] = document.fields
    return .success(WriteResult(updateTime: Timestamp(microseconds: 1)))
  }

  func documents(at paths: [String]) async throws -> [String: Document] {
    let contents = contents
    return Dictionary(
      uniqueKeysWithValues: paths.compactMap { path in
        contents[path].map { (path, Document(name: "\(root)/\(path)", fields: $0)) }
      })
  }
}
