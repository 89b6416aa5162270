import Fixtures
package import Foundation
package import Model
package import Store

/// A database file that need not exist yet, in a folder of one test's own.
package struct StoreFile: Sendable {
  package let path: String
  private let temporary: TemporaryFolder

  package init() throws {
    temporary = try TemporaryFolder()
    path = temporary.path(of: "firetally.sqlite")
  }

  package var folder: URL { temporary.url }

  package func open(_ mode: Store.Mode = .readWrite) throws -> Store {
    try Store.open(path: path, mode: mode)
  }
}

/// An empty database of the newest schema, made once: migrating one for every test takes minutes.
package enum NewDatabase {
  private static let bytes = Result {
    let file = try StoreFile()
    try file.open().close()
    return try Data(contentsOf: URL(fileURLWithPath: file.path))
  }

  /// Opens the database at a path, whose folder exists; puts an empty one there if there is none.
  package static func open(path: String) throws -> Store {
    if !FileManager.default.fileExists(atPath: path) {
      try bytes.get().write(to: URL(fileURLWithPath: path))
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }
    return try Store.open(path: path)
  }
}

/// A store in a folder of one test's own; the folder goes with the last copy of this value.
package struct TemporaryStore: Sendable {
  package let store: Store
  private let file: StoreFile

  /// `prepare` may put a database at the path before it is opened.
  package init(_ prepare: (String) throws -> Void = { _ in }) throws {
    file = try StoreFile()
    try prepare(file.path)
    store = try NewDatabase.open(path: file.path)
  }

  /// The same with the store beside it, for a test that names both.
  package static func opened() throws -> (folder: TemporaryStore, store: Store) {
    let temporary = try TemporaryStore()
    return (temporary, temporary.store)
  }

  package var path: String { file.path }
  package var folder: URL { file.folder }

  /// Opens the database once more, as another process would.
  package func open(_ mode: Store.Mode = .readWrite) throws -> Store { try file.open(mode) }
}

/// Plain looks at the database, past the store.
extension TemporaryStore {
  /// The first column of what a statement selects, as text.
  package func texts(_ sql: String) throws -> [String] { try SQLiteFile.text(path, sql) }

  package func execute(_ sql: String) throws { try SQLiteFile.execute(path, sql) }
}

/// The users of the store.
extension TemporaryStore {
  /// Newest first.
  package func users() throws -> [OnlineUser] {
    try store.read { try $0.users(limit: 10_000) }.users
  }

  /// The users' ids, sorted.
  package func userIds() throws -> [String] { try users().map(\.userId).sorted() }

  /// The row ids of all users but the oldest.
  package func rowIds() throws -> [String: Int64] {
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
