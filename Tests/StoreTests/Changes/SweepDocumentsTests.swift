import Fixtures
import GRDB
import Model
import StoreTesting
import Testing

@testable import Store

@Suite struct SweepDocumentsTests {
  let folder: TemporaryStore
  let store: Store

  init() throws {
    (folder, store) = try TemporaryStore.opened()
  }

  private func keys(_ texts: [String]) -> TableRows {
    var rows = TableRows(width: 1)
    for text in texts { rows.append(text: text) }
    return rows
  }

  private func sweep(_ texts: [String]) throws {
    try store.write { try $0.sweep(keys(texts), of: .onlineUsers) }
  }

  private func delete(at seconds: Int64 = 0) throws -> Int {
    try store.write { try $0.deleteUnswept(of: .onlineUsers, at: .morning + .seconds(seconds)) }
  }

  private func userIds() throws -> Set<String> {
    Set(try store.read { try $0.users(limit: 1_000).users.map(\.userId) })
  }

  private func tombstones() throws -> [String: Int64] {
    try store.read { try $0.tombstones(of: .onlineUsers) }
  }

  @Test func `rows without a document go and leave tombstones, the others stay`() throws {
    try store.merge((1...5).map { .numbered($0) })
    try sweep(["user-1", "user-3"])
    try sweep(["user-5", "user-6", "user-5"])
    #expect(try store.read { try $0.unsweptCount(of: .onlineUsers) } == 2)
    #expect(try userIds().count == 5)
    #expect(try delete() == 2)
    #expect(try userIds() == ["user-1", "user-3", "user-5"])
    let morning = Instant.morning.microseconds
    #expect(try tombstones() == ["user-2": morning, "user-4": morning])
  }

  @Test func `a sweep is used once`() throws {
    try store.merge([.numbered(1), .numbered(2)])
    try sweep(["user-1"])
    #expect(try delete() == 1)
    #expect(try store.read { try $0.unsweptCount(of: .onlineUsers) } == 1)
    try sweep(["user-1"])
    #expect(try delete() == 0)
    #expect(try tombstones().keys.sorted() == ["user-2"])
  }

  @Test func `what an unfinished sweep collected can be forgotten`() throws {
    try store.merge([.numbered(1), .numbered(2)])
    try sweep(["user-1", "user-2"])
    try store.write { try $0.clearSweep(of: .onlineUsers) }
    try sweep(["user-2"])
    #expect(try delete() == 1)
    #expect(try userIds() == ["user-2"])
  }

  @Test func `sweeps of different tables do not meet`() throws {
    try store.merge([.numbered(1)])
    let other = SyncTable.named("Other", key: "id")
    try store.write { writer in
      try writer.sweep(keys(["user-1"]), of: other)
      try writer.noteSkipped(keys(["x"]), of: other)
    }
    #expect(try store.read { try $0.unsweptCount(of: .onlineUsers) } == 1)
    #expect(try store.read { try $0.mirrorCounts(of: .onlineUsers) } == (1, 0))
    #expect(try delete() == 1)
    #expect(
      try store.read { try $0.reader.count("SELECT count(*) FROM swept_documents") } == 1)
    #expect(
      try store.read { try $0.reader.count("SELECT count(*) FROM skipped_documents") } == 1)
  }

  @Test func `a document that returns has no tombstone any more`() throws {
    try store.merge([.numbered(1), .numbered(2)])
    try sweep([])
    #expect(try delete() == 2)
    try store.merge([.numbered(2)])
    try store.write { try $0.clearTombstonesOfRows(in: .onlineUsers) }
    #expect(try tombstones().keys.sorted() == ["user-1"])
  }

  @Test func `a document that goes again has the later tombstone`() throws {
    try store.merge([.numbered(1)])
    #expect(try delete() == 1)
    try store.merge([.numbered(1)])
    #expect(try delete(at: 60) == 1)
    #expect(try tombstones() == ["user-1": (Instant.morning + .seconds(60)).microseconds])
  }

  @Test func `a skipped document counts while it is no row and was not swept away`() throws {
    try store.merge([.numbered(1), .numbered(2)])
    try store.write { try $0.noteSkipped(keys(["a", "b", "user-2", "a", ""]), of: .onlineUsers) }
    #expect(try store.read { try $0.mirrorCounts(of: .onlineUsers) } == (2, 3))
    try sweep(["user-1", "user-2", "b"])
    #expect(try delete() == 0)
    #expect(try store.read { try $0.mirrorCounts(of: .onlineUsers) } == (2, 1))
  }

  @Test func `texts with NUL, quotes and letters of two code points are keys like others`() throws {
    let names = ["a\u{0}b", "it's", "\"", "e\u{301}", "é", "😀"]
    try store.merge(names.map { OnlineUser([.userId: .text($0), .name: "x"]) })
    try sweep(names)
    #expect(try delete() == 0)
    try sweep(names.filter { $0.unicodeScalars.count != 2 })
    #expect(try delete() == 1)
    #expect(try tombstones().keys.first?.unicodeScalars.count == 2)
  }

  @Test func `a table and a column are named as they are`() throws {
    let table = SyncTable.named("a \"b\"", key: "c \"d\"")
    try store.write { writer in
      try writer.run(#"CREATE TABLE "a ""b""" ("c ""d""" TEXT)"#)
      try writer.run(#"INSERT INTO "a ""b""" VALUES ('1'), ('2')"#)
      try writer.sweep(keys(["2"]), of: table)
      #expect(try writer.deleteUnswept(of: table, at: .morning) == 1)
      try writer.clearTombstonesOfRows(in: table)
    }
    #expect(try store.read { try $0.mirrorCounts(of: table) } == (1, 0))
    #expect(try store.read { try $0.tombstones(of: table) }.keys.sorted() == ["1"])
  }

  @Test func `finding rows without a document looks each up in an index`() throws {
    let plan = try store.read { reader in
      try reader.plan(
        "SELECT count(*) FROM OnlineUsers AS row WHERE \(Writer.isUnswept("row.user_id"))",
        ["OnlineUsers"])
    }
    #expect(plan.contains { $0.contains("SEARCH swept USING") }, "\(plan)")
  }
}

extension SyncTable {
  fileprivate static func named(_ name: String, key: String) -> SyncTable {
    SyncTable(name: name, columns: [Column(key, .text)], cursorPrefix: name)
  }
}
