import Foundation
import GRDB

/// How the database file is made and its connections are set up.
enum DatabaseFile {
  /// How long a writer waits for the writer of another process.
  static let busyTimeoutSeconds = 5.0

  /// Bytes of a page, chosen before the first table: bulk loads measured fastest with it.
  static let pageSize = 16_384

  /// Pages of WAL after which a commit copies them into the file, 64 MiB: a bulk load copies less often.
  static let checkpointPages = 4_000

  /// KiB of page cache for a connection that writes, so that a small merge keeps the indexes at hand.
  static let writerCacheKibibytes = 16_384

  /// Makes sure that there is a file at `path`, making a whole database when the mode allows.
  static func checkOrCreate(path: String, mode: Store.Mode) throws {
    if access(path, F_OK) == 0 { return }
    guard mode == .readWrite else { throw StoreError.missing(path: path) }
    let draft = "\(path).new-\(UUID().uuidString)"
    defer { for suffix in ["", "-wal", "-shm"] { unlink(draft + suffix) } }
    try createEmpty(draft, named: path)
    let connection = try connect(path: draft, mode: mode)
    try Schema.check(connection, path: path, mode: mode)
    try connection.close()
    try place(draft, at: path)
  }

  /// Creates a file without content that its owner alone can read and write.
  ///
  /// Errors name `path`, which may be the file that this one is going to become.
  static func createEmpty(_ file: String, named path: String) throws {
    let descriptor = open(file, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw refusal(path: path) }
    close(descriptor)
  }

  /// Gives the finished database its name, unless another process was faster; then its file stays.
  ///
  /// A database that appears whole needs no care for two processes that start together: SQLite's
  /// change to WAL mode does not wait for a lock.
  private static func place(_ draft: String, at path: String) throws {
    if link(draft, path) == 0 || errno == EEXIST { return }
    guard errno == EPERM || errno == ENOTSUP, rename(draft, path) == 0 else {
      throw refusal(path: path)
    }
  }

  /// The error that `errno` stands for.
  private static func refusal(path: String) -> StoreError {
    switch errno {
    case EROFS, EACCES, EPERM: .readOnly(path: path)
    case ENOSPC, EDQUOT: .diskFull(path: path)
    case let code: .cannotOpen(path: path, reason: String(cString: strerror(code)))
    }
  }

  /// Opens the one connection of a store, in WAL mode.
  static func connect(path: String, mode: Store.Mode) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.readonly = mode == .readOnly
    configuration.foreignKeysEnabled = true
    configuration.busyMode = .timeout(busyTimeoutSeconds)
    configuration.prepareDatabase { database in
      if database.configuration.readonly { return }
      try database.execute(sql: "PRAGMA page_size = \(pageSize)")
      guard try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL") == "wal" else {
        throw DatabaseError(message: "could not activate WAL mode")
      }
      // In WAL mode a commit that a power failure takes back leaves a sound database.
      try database.execute(
        sql: """
          PRAGMA synchronous = NORMAL;
          PRAGMA cache_size = -\(writerCacheKibibytes);
          PRAGMA wal_autocheckpoint = \(checkpointPages);
          """)
    }
    return try DatabaseQueue(path: path, configuration: configuration)
  }
}
