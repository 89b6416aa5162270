import Fixtures
import Model
import Store

/// A store in a folder of its own, which goes away with this value.
final class TemporaryStore: Sendable {
  let store: Store
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    store = try Store.open(path: folder.path(of: "firetally.sqlite"))
  }

  /// Newest first.
  func users() throws -> [OnlineUser] {
    try store.read { try $0.users(limit: 10_000) }.users
  }

  /// The users' ids, sorted.
  func userIds() throws -> [String] { try users().map(\.userId).sorted() }

  /// The row ids of all users but the oldest.
  func rowIds() throws -> [String: Int64] {
    try store.read { reader in
      var ids: [String: Int64] = [:]
      var page = try reader.users(limit: 1)
      while let next = page.next, let user = page.users.first {
        ids[user.userId] = next.id
        page = try reader.users(after: next, limit: 1)
      }
      return ids
    }
  }
}

extension Instant {
  /// 2026-01-31T08:00:00Z, the morning that the tests live in.
  static let morning = Instant(unixSeconds: 1_769_846_400)
}
