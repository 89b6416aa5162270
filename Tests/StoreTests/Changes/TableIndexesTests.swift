import GRDB
import Model
import StoreTesting
import Testing

@testable import Store

@Suite struct TableIndexesTests {
  let folder: TemporaryStore
  let store: Store

  init() throws {
    (folder, store) = try TemporaryStore.opened()
  }

  /// The statements of the indexes that the file has.
  private func indexes() throws -> Set<String> {
    Set(
      try SQLiteFile.text(
        folder.path,
        """
        SELECT sql FROM sqlite_schema
        WHERE type = 'index' AND tbl_name = 'OnlineUsers' AND sql IS NOT NULL
        """))
  }

  private func drop(addedRows: Int = 0) throws {
    try store.write { try $0.dropIndexes(of: .onlineUsers, addedRows: addedRows) }
  }

  @Test func `the statements are those of the migrations`() throws {
    #expect(try indexes() == Set(SyncTable.onlineUsers.indexes.values))
    #expect(SyncTable.onlineUsers.indexes.count == 6)
    for (name, statement) in SyncTable.onlineUsers.indexes {
      #expect(statement.contains(" \(name)"))
    }
  }

  @Test func `an empty table loses its indexes and gets the same ones back`() throws {
    let before = try indexes()
    try drop()
    #expect(try indexes().isEmpty)
    try store.merge([.numbered(1), .numbered(2)])
    #expect(try indexes().isEmpty)
    for count in 1...6 {
      #expect(try store.read { try $0.lacksIndexes(of: .onlineUsers) })
      #expect(try store.write { try $0.buildNextIndex(of: .onlineUsers) })
      #expect(try indexes().count == count)
    }
    #expect(try store.read { try !$0.lacksIndexes(of: .onlineUsers) })
    #expect(try store.write { try !$0.buildNextIndex(of: .onlineUsers) })
    #expect(try indexes() == before)
    try store.checkIntegrity()
  }

  @Test func `a table with one user keeps its indexes`() throws {
    try store.merge([.numbered(1)])
    try drop()
    #expect(try indexes().count == 6)
  }

  @Test(arguments: [
    (160_000, 9_999, true), (160_000, 10_000, false), (160_015, 10_000, false),
    (160_016, 10_000, true), (1, 10_000, false), (1_600_000, 99_999, true),
    (1_600_000, 100_000, false),
  ])
  func `indexes go once a load has added enough, and a sixteenth of what is there`(
    rows: Int, added: Int, isKept: Bool
  ) throws {
    try store.merge([.numbered(1)])
    _ = try store.write { try $0.run("UPDATE OnlineUsers SET id = ?", [rows]) }
    try drop(addedRows: added)
    #expect(try indexes().count == (isKept ? 6 : 0))
  }

  @Test func `a user who comes twice is one row without the indexes too`() throws {
    try drop()
    try store.merge([.numbered(1), .numbered(1)])
    #expect(try store.merge([.numbered(1)], updateTime: 2) == UpsertCounts(updated: 1))
    #expect(try store.read { try $0.usersCount() } == 1)
  }

  @Test func `questions are answered without the indexes`() throws {
    try drop()
    try store.merge([.numbered(1, seen: 5), .numbered(2, seen: 7)])
    let users = try store.read { try $0.users(limit: 10) }.users
    #expect(users.map(\.userId) == ["user-2", "user-1"])
  }

  @Test func `only what is missing is built, and the connection is left as it was`() throws {
    _ = try store.write { try $0.run("DROP INDEX index_OnlineUsers_user_city") }
    try store.write { writer throws in
      let cache = try writer.reader.count("PRAGMA cache_size")
      #expect(try writer.buildNextIndex(of: .onlineUsers))
      #expect(try !writer.buildNextIndex(of: .onlineUsers))
      #expect(try writer.reader.count("PRAGMA cache_size") == cache)
      #expect(try writer.reader.count("PRAGMA threads") == 0)
    }
    #expect(try indexes().count == 6)
  }

  @Test func `a change that fails brings back what it dropped`() throws {
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try store.write { writer in
        try writer.dropIndexes(of: .onlineUsers, addedRows: 0)
        throw Stop()
      }
    }
    #expect(try indexes().count == 6)
  }

  @Test func `opening builds what a load that was killed left unbuilt`() throws {
    try drop()
    try store.merge([.numbered(1), .numbered(2)])
    try store.close()
    try folder.open(.readOnly).close()
    try Store.open(path: folder.path, buildsIndexes: false).close()
    #expect(try indexes().isEmpty)
    let healed = try folder.open()
    #expect(try indexes() == Set(SyncTable.onlineUsers.indexes.values))
    #expect(try healed.read { try $0.usersCount() } == 2)
    try healed.checkIntegrity()
    try healed.write { writer throws in
      #expect(try writer.reader.count("PRAGMA busy_timeout") == 5_000)
    }
  }

  @Test func `opening while another writes leaves them to it, at once`() throws {
    try drop()
    try store.write { writer in
      try writer.setMark("at work", named: "load")
      let clock = ContinuousClock()
      // The best of three: a busy disk may be slow once.
      let times = try (1...3).map { _ in try clock.measure { try folder.open().close() } }
      #expect(try #require(times.min()) < .seconds(4))
    }
    #expect(try indexes().isEmpty)
    try folder.open().close()
    #expect(try indexes().count == 6)
  }

  @Test(arguments: [(0, 0), (1, 1), (2, 2), (3, 2)])
  func `users are counted no further than asked`(userCount: Int, expected: Int) throws {
    try store.merge((0..<userCount).map { .numbered($0) })
    #expect(try store.read { try $0.usersCount(upTo: 2) } == expected)
  }
}
