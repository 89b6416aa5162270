import Fixtures
import GRDB
import Model
import StoreTesting
import Testing

@testable import Store

@Suite struct UpsertRowsTests {
  let folder: TemporaryStore
  let store: Store

  init() throws {
    (folder, store) = try TemporaryStore.opened()
  }

  private func upsert(_ users: [OnlineUser], updateTime: Int64) throws -> UpsertCounts {
    try store.merge(users, updateTime: updateTime)
  }

  private func ids() throws -> [String: Int64] {
    try store.read { reader in
      var ids: [String: Int64] = [:]
      for user in try reader.users(limit: 1_000).users {
        ids[user.userId] = Int64(
          try reader.count("SELECT id FROM OnlineUsers WHERE user_id = ?", [user.userId]))
      }
      return ids
    }
  }

  @Test func `no rows change nothing`() throws {
    #expect(try upsert([], updateTime: 1) == UpsertCounts())
  }

  @Test func `each row is counted as exactly what happened to it`() throws {
    #expect(
      try upsert([.numbered(1), .numbered(2)], updateTime: 5) == UpsertCounts(inserted: 2))
    #expect(
      try upsert([.numbered(1), .numbered(2)], updateTime: 5) == UpsertCounts(unchanged: 2))
    var rows = TableRows([.numbered(1)], updateTime: 5)
    rows.append(.numbered(2), updateTimeMicroseconds: 6)
    rows.append(.numbered(3), updateTimeMicroseconds: 6)
    #expect(
      try store.write { try $0.upsert(rows, into: .onlineUsers, at: .morning) }
        == UpsertCounts(inserted: 1, updated: 1, unchanged: 1))
  }

  /// Ids and updateTimes: runs of new keys, known ones between, keys that occur twice.
  private func randomRows(seed: UInt64) -> [(id: Int, updateTime: Int64)] {
    var random = SeededGenerator(seed: seed)
    var next = 0
    return (0..<300).map { _ in
      let isNew = next == 0 || Int.random(in: 0..<40, using: &random) > 0
      next += isNew ? 1 : 0
      let id = isNew ? next : Int.random(in: 1...next, using: &random)
      return (id, Int64.random(in: 1...2, using: &random))
    }
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `many rows at once end, and are counted, as one after the other`(seed: UInt64) throws {
    for _ in 1...2 {
      var rows = TableRows([], updateTime: 0)
      var expected = UpsertCounts()
      var stored = try updateTimes()
      for (id, updateTime) in randomRows(seed: seed) {
        rows.append(.numbered(id), updateTimeMicroseconds: updateTime)
        switch stored.updateValue(updateTime, forKey: "user-\(id)") {
        case nil: expected.inserted += 1
        case updateTime: expected.unchanged += 1
        default: expected.updated += 1
        }
      }
      let counts = try store.write { try $0.upsert(rows, into: .onlineUsers, at: .morning) }
      #expect(counts == expected, "seed \(seed)")
      #expect(try updateTimes() == stored, "seed \(seed)")
    }
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `known rows are found in whatever order they come`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    _ = try upsert((0..<300).filter { $0 % 7 > 0 }.map { .numbered($0) }, updateTime: 1)
    var stored = try updateTimes()
    var ids = (0..<300).map { "user-\($0)" }.sorted()
    switch seed % 4 {
    case 0: ids.reverse()
    case 1: ids.shuffle(using: &random)
    case 2: ids = ids.filter { _ in Int.random(in: 0..<3, using: &random) > 0 }
    default: break
    }
    var rows = TableRows([], updateTime: 0)
    var expected = UpsertCounts()
    for id in ids {
      let updateTime = Int64.random(in: 1...2, using: &random)
      let number = Int(id.dropFirst("user-".count)) ?? 0
      rows.append(.numbered(number), updateTimeMicroseconds: updateTime)
      switch stored.updateValue(updateTime, forKey: id) {
      case nil: expected.inserted += 1
      case updateTime: expected.unchanged += 1
      default: expected.updated += 1
      }
    }
    #expect(
      try store.write { try $0.upsert(rows, into: .onlineUsers, at: .morning) } == expected,
      "seed \(seed)")
    #expect(try updateTimes() == stored, "seed \(seed)")
  }

  private func updateTimes() throws -> [String: Int64] {
    try store.read { reader in
      let rows = try Row.fetchAll(
        reader.database, sql: "SELECT user_id, update_time FROM OnlineUsers")
      return Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0[1]) })
    }
  }

  @Test(arguments: [(4, true), (5, false), (6, true)])
  func `a row is rewritten when its updateTime is another one`(
    updateTime: Int64, isWritten: Bool
  ) throws {
    _ = try upsert([.numbered(1)], updateTime: 5)
    var renamed = OnlineUser.numbered(1)
    renamed[.name] = "Renamed"
    let counts = try upsert([renamed], updateTime: updateTime)
    #expect(counts == (isWritten ? UpsertCounts(updated: 1) : UpsertCounts(unchanged: 1)))
    let name = try store.read { try $0.user(id: "user-1")?.name }
    #expect(name == (isWritten ? "Renamed" : "User 1"))
  }

  @Test func `a user keeps its id through updates, in spite of the table's ON CONFLICT REPLACE`()
    throws
  {
    _ = try upsert((1...50).map { .numbered($0) }, updateTime: 1)
    let before = try ids()
    _ = try upsert((1...50).reversed().map { .numbered($0, seen: 9) }, updateTime: 2)
    #expect(try ids() == before)
    #expect(before.count == 50)
  }

  @Test func `the app's own INSERT OR REPLACE would have changed the id`() throws {
    _ = try upsert([.numbered(1)], updateTime: 1)
    let id = try ids()["user-1"]
    try store.write { writer in
      _ = try writer.run(
        "INSERT OR REPLACE INTO OnlineUsers (user_id, user_name) VALUES ('user-1', 'x')")
    }
    #expect(try ids().keys.sorted() == ["user-1"])
    #expect(try ids()["user-1"] != id)
  }

  @Test func `a user that occurs twice ends as its last row`() throws {
    var second = OnlineUser.numbered(1)
    second[.city] = "Berlin"
    var rows = TableRows([.numbered(1)], updateTime: 1)
    rows.append(second, updateTimeMicroseconds: 2)
    #expect(
      try store.write { try $0.upsert(rows, into: .onlineUsers, at: .morning) }
        == UpsertCounts(inserted: 1, updated: 1))
    #expect(try store.read { try $0.user(id: "user-1") } == second)
  }

  static let texts: [SampleText] = [
    "", "'; DROP TABLE OnlineUsers; --", "\"quoted\"", "null\u{0}inside", "\u{0}", "👩‍👩‍👧‍👦 e\u{301}",
    "?1 :name @x $y", "日本語 عربي", SampleText(String(repeating: "x", count: 100_000)), " spaced ",
    "12", "1e3",
  ]

  @Test(arguments: texts)
  func `every text comes back as it went in, in every column`(sample: SampleText) throws {
    let text = sample.text
    let user = OnlineUser([
      .userId: .text("id" + text), .name: .text(text), .image: .text(text), .gender: .text(text),
      .country: .text(text), .language: .text(text), .age: .text(text), .deviceId: .text(text),
      .deviceToken: .text(text), .area: .text(text), .city: .text(text), .state: .text(text),
      .decentTime: .integer(.max), .lastSeenAtSeconds: .integer(.min), .isAd: 1,
    ])
    _ = try upsert([user], updateTime: 1)
    #expect(try store.read { try $0.users(limit: 2).users } == [user])
    #expect(try upsert([user], updateTime: 1) == UpsertCounts(unchanged: 1))
  }

  @Test func `an integer in a text column is stored as its digits`() throws {
    let texts = "u-1Ann"
    let text = TableRows.Cell.text
    var row = [TableRows.Cell](repeating: text(0..<0), count: UserColumn.allCases.count)
    row[UserColumn.userId.rawValue] = text(0..<3)
    row[UserColumn.name.rawValue] = text(3..<6)
    row[UserColumn.age.rawValue] = .integer(31)
    for column in UserColumn.allCases where column.descriptor.isInteger {
      row[column.rawValue] = .integer(0)
    }
    var rows = TableRows.users()
    Array(texts.utf8).withUnsafeBytes { rows.append(row.span, from: $0) }
    _ = try store.write { try $0.upsert(rows, into: .onlineUsers, at: .morning) }
    let user = try store.read { try $0.user(id: "u-1") }
    #expect(user?.text(.age) == "31")
    #expect(user?.text(.city) == "")
  }

  @Test func `synced_at tells when a row was last written, not when it was last met`() throws {
    _ = try upsert([.numbered(1), .numbered(2)], updateTime: 1)
    var rows = TableRows([.numbered(1)], updateTime: 1)
    rows.append(.numbered(2), updateTimeMicroseconds: 2)
    let later = Instant.morning + .seconds(60)
    _ = try store.write { try $0.upsert(rows, into: .onlineUsers, at: later) }
    let sql = "SELECT synced_at FROM OnlineUsers WHERE user_id = ?"
    let times = try store.read { reader in
      try ["user-1", "user-2"].map { Int64(try reader.count(sql, [$0])) }
    }
    #expect(times == [Instant.morning.microseconds, later.microseconds])
  }

  @Test func `rows that fail half way leave nothing behind`() throws {
    #expect(throws: StoreTests.Stop.self) {
      try store.write { writer in
        _ = try writer.upsert(
          TableRows((0..<100).map { .numbered($0) }), into: .onlineUsers, at: .morning)
        throw StoreTests.Stop()
      }
    }
    #expect(try store.read { try $0.usersCount() } == 0)
  }
}
