import Fixtures
import GRDB
import Model
import StoreTesting
import Testing

@testable import Store

@Suite struct ReplaceRowsTests {
  let folder: TemporaryStore
  let store: Store

  init() throws {
    (folder, store) = try TemporaryStore.opened()
  }

  private func userIds() throws -> Set<String> {
    Set(try store.read { try $0.users(limit: 1_000).users.map(\.userId) })
  }

  private func id(of user: String) throws -> Int {
    try store.read { try $0.reader.count("SELECT id FROM OnlineUsers WHERE user_id = ?", [user]) }
  }

  @Test func `users outside the new set go, those inside stay with their ids`() throws {
    try store.merge((1...4).map { .numbered($0) }, updateTime: 1)
    let kept = try id(of: "user-3")
    var rows = TableRows([.numbered(3)], updateTime: 1)
    rows.append(.numbered(4, seen: 7), updateTimeMicroseconds: 2)
    rows.append(.numbered(5), updateTimeMicroseconds: 2)
    let counts = try store.write { try $0.replaceUsers(with: rows, at: .morning) }
    #expect(
      counts
        == CommitCounts(
          upserted: UpsertCounts(inserted: 1, updated: 1, unchanged: 1), deleted: 2))
    #expect(try userIds() == ["user-3", "user-4", "user-5"])
    #expect(try id(of: "user-3") == kept)
    #expect(try store.read { try $0.user(id: "user-4")?.lastSeenAtSeconds } == 7)
  }

  @Test func `pages are collected unseen and appear at once`() throws {
    try store.merge([.numbered(1)])
    try store.write { try $0.clearStagedRows(of: .onlineUsers) }
    try store.write { try $0.stage(TableRows([.numbered(2)]), for: .onlineUsers) }
    try store.write { try $0.stage(TableRows([.numbered(3)]), for: .onlineUsers) }
    #expect(try userIds() == ["user-1"])
    let counts = try store.write { try $0.replaceRowsWithStaged(of: .onlineUsers, at: .morning) }
    #expect(counts == CommitCounts(upserted: UpsertCounts(inserted: 2), deleted: 1))
    #expect(try userIds() == ["user-2", "user-3"])
  }

  @Test func `a load that fails after some pages leaves the users as they were`() throws {
    try store.merge([.numbered(1)])
    try store.write { try $0.stage(TableRows([.numbered(2)]), for: .onlineUsers) }
    #expect(throws: StoreTests.Stop.self) {
      try store.write { writer in
        _ = try writer.replaceRowsWithStaged(of: .onlineUsers, at: .morning)
        throw StoreTests.Stop()
      }
    }
    #expect(try userIds() == ["user-1"])
    #expect(
      try store.write { try $0.replaceRowsWithStaged(of: .onlineUsers, at: .morning).deleted } == 1)
  }

  @Test func `what an earlier load staged does not get into the next one`() throws {
    try store.write { try $0.stage(TableRows([.numbered(1)]), for: .onlineUsers) }
    _ = try store.write { try $0.replaceUsers(with: TableRows([.numbered(2)]), at: .morning) }
    #expect(try userIds() == ["user-2"])
    let again = try store.write { try $0.replaceRowsWithStaged(of: .onlineUsers, at: .morning) }
    #expect(again == CommitCounts(deleted: 1))
  }

  @Test func `a user staged twice ends as its last row`() throws {
    try store.write {
      try $0.stage(TableRows([.numbered(1, seen: 1)], updateTime: 1), for: .onlineUsers)
    }
    try store.write {
      try $0.stage(TableRows([.numbered(1, seen: 2)], updateTime: 2), for: .onlineUsers)
    }
    _ = try store.write { try $0.replaceRowsWithStaged(of: .onlineUsers, at: .morning) }
    #expect(try store.read { try $0.users(limit: 9).users } == [.numbered(1, seen: 2)])
  }

  @Test func `texts survive the staging table`() throws {
    let users = UpsertRowsTests.texts.map(\.text).enumerated().map { index, text in
      OnlineUser([
        .userId: "user-\(index)", .name: .text(text), .city: .text(text), .lastSeenAtSeconds: 1,
      ])
    }
    _ = try store.write { try $0.replaceUsers(with: TableRows(users), at: .morning) }
    for user in users { #expect(try store.read { try $0.user(id: user.userId) } == user) }
  }

  @Test func `unfinished loads of users begin anew after a replace or a removal, others do not`()
    throws
  {
    let cursor = SyncCursor(value: "{}", startedAt: .morning)
    let key = SyncCursor.usersKeyPrefix + "[1]"
    let removals: [(Writer) throws -> Void] = [
      { _ = try $0.replaceRowsWithStaged(of: .onlineUsers, at: .morning) },
      { try $0.deleteAllUsers() },
    ]
    for removal in removals {
      try store.write { writer in
        try writer.setCursor(cursor, job: "online-users", key: key)
        try writer.setCursor(cursor, job: "more-users", key: key)
        try writer.setCursor(cursor, job: "products", key: "collection [1]")
      }
      try store.write(removal)
      try store.read { reader throws in
        #expect(try reader.cursor(job: "online-users", key: key) == nil)
        #expect(try reader.cursor(job: "more-users", key: key) == nil)
        #expect(try reader.cursor(job: "products", key: "collection [1]") == cursor)
      }
    }
  }

  @Test func `replacing twice by the same rows writes nothing the second time`() throws {
    let rows = TableRows((1...20).map { .numbered($0) })
    _ = try store.write { try $0.replaceUsers(with: rows, at: .morning) }
    let again = try store.write { try $0.replaceUsers(with: rows, at: .morning) }
    #expect(again == CommitCounts(upserted: UpsertCounts(unchanged: 20)))
  }
}
