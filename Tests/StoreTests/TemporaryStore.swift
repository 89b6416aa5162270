import Fixtures
import Foundation
import Model
import Store

/// A folder of its own for one test, removed with it, and stores on the file in it.
struct TemporaryStore {
  let path: String
  private let temporary: TemporaryFolder

  init() throws {
    temporary = try TemporaryFolder()
    path = temporary.path(of: "firetally.sqlite")
  }

  var folder: URL { temporary.url }

  func open(_ mode: Store.Mode = .readWrite) throws -> Store {
    try Store.open(path: path, mode: mode)
  }

  /// A new store in a folder that lives as long as the returned value.
  static func opened() throws -> (folder: TemporaryStore, store: Store) {
    let folder = try TemporaryStore()
    return (folder, try folder.open())
  }
}

extension Instant {
  /// 2026-01-31T08:00:00Z, the morning that the tests live in.
  static let morning = Instant(unixSeconds: 1_769_846_400)
}

extension OnlineUser {
  /// A user told apart by a number; `seen` is in unix seconds.
  static func numbered(_ number: Int, seen: Int64 = 0) -> OnlineUser {
    OnlineUser(userId: "user-\(number)", name: "User \(number)", lastSeenAtSeconds: seen)
  }
}

extension TableRows {
  /// Rows of the users, all of one `updateTime`.
  init(_ users: [OnlineUser], updateTime: Int64 = 1) {
    self = .users()
    for user in users { append(user, updateTimeMicroseconds: updateTime) }
  }
}

extension Store {
  /// Merges the users in one transaction.
  @discardableResult
  func merge(_ users: [OnlineUser], updateTime: Int64 = 1) throws -> UpsertCounts {
    try write {
      try $0.upsert(TableRows(users, updateTime: updateTime), into: .onlineUsers, at: .morning)
    }
  }
}

extension Writer {
  /// Replaces all users by `rows` in this transaction.
  func replaceUsers(with rows: TableRows, at now: Instant) throws -> ReplaceCounts {
    try clearStagedRows(of: .onlineUsers)
    try stage(rows, for: .onlineUsers)
    return try replaceRowsWithStaged(of: .onlineUsers, at: now)
  }
}
