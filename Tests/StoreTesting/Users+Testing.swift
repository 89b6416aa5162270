import Fixtures
package import Model
package import Store

extension OnlineUser {
  /// A user told apart by a number; `seen` is in unix seconds.
  package static func numbered(_ number: Int, seen: Int64 = 0) -> OnlineUser {
    OnlineUser([
      .userId: "user-\(number)", .name: "User \(number)", .lastSeenAtSeconds: .integer(seen),
    ])
  }
}

extension TableRows {
  /// Rows of the users, all of one `updateTime`.
  package init(_ users: [OnlineUser], updateTime: Int64 = 1) {
    self = .users()
    for user in users { append(user, updateTimeMicroseconds: updateTime) }
  }
}

extension Store {
  /// Merges the users in one transaction.
  @discardableResult
  package func merge(_ users: [OnlineUser], updateTime: Int64 = 1) throws -> UpsertCounts {
    try write {
      try $0.upsert(TableRows(users, updateTime: updateTime), into: .onlineUsers, at: .morning)
    }
  }
}

extension Writer {
  /// Replaces all users by `rows` in this transaction.
  package func replaceUsers(with rows: TableRows, at now: Instant) throws -> CommitCounts {
    try clearStagedRows(of: .onlineUsers)
    try stage(rows, for: .onlineUsers)
    return try replaceRowsWithStaged(of: .onlineUsers, at: now)
  }
}
