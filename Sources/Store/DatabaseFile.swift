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

  /// KiB of page cache for the one writing connection, so that a merge keeps the indexes at hand.
  static let writerCacheKibibytes = 32_768

  static func checkOrCreate(path: String, mode: Store.Mode) throws {
    if access(path, F_OK) == 0 { return }
    guard mode == .readWrite else { throw StoreError.missing(path: path) }
    let descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      let code = errno
      if code == EROFS || code == EACCES || code == EPERM {
        throw StoreError.readOnly(path: path)
      }
      throw StoreError.cannotOpen(path: path, reason: String(cString: strerror(code)))
    }
    close(descriptor)
  }

  static func openPool(path: String, mode: Store.Mode) throws -> DatabasePool {
    var configuration = Configuration()
    configuration.readonly = mode == .readOnly
    configuration.foreignKeysEnabled = true
    configuration.busyMode = .timeout(busyTimeoutSeconds)
    configuration.prepareDatabase { database in
      if database.configuration.readonly { return }
      try database.execute(
        sql: """
          PRAGMA page_size = \(pageSize);
          PRAGMA cache_size = -\(writerCacheKibibytes);
          PRAGMA wal_autocheckpoint = \(checkpointPages);
          """)
    }
    do {
      return try DatabasePool(path: path, configuration: configuration)
    } catch is CocoaError {
      // GRDB looks at the -wal file, which another process that closes the database just removed.
      return try DatabasePool(path: path, configuration: configuration)
    }
  }
}
