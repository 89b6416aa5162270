import GRDB
import GRDBSQLite
import Glibc
package import Model

/// Opening a database for a command that only reads.
extension Store {
  /// Opens a database to read; one of an older release as a copy with this program's schema.
  ///
  /// The copy is a temporary database of SQLite's own: in memory as far as it fits into the cache,
  /// else in a file without a name, and gone with the store. The database stays as it is.
  /// `willCopy` is called before a copy is made, which what it throws prevents.
  ///
  /// - Throws: `StoreError`, `.unreleasedSchema` and `.newerSchema` as `open` does, and what
  ///   `willCopy` throws.
  package static func openToRead(
    path: String, willCopy: (_ schema: Int) throws -> Void = { _ in }
  ) throws -> Store {
    try openToRead(path: path, isQuiet: false, willCopy: willCopy)
  }

  /// Reads a database at once, without a file beside it where nobody writes:
  /// docs/commands.md#readers.
  ///
  /// A database that nobody has open to write is one file, which is read as one that nobody
  /// changes. When it has changed by the end, all is read once more, the way that suits a writer
  /// beside it; what the first reading came to, also its error, does not count. So `body` is called
  /// once or twice, and prints nothing; the store is only valid inside.
  ///
  /// `fileTime` is the present, by the clock that files get their times from.
  ///
  /// - Throws: as `openToRead`, and what `body` throws.
  package static func reading<T>(
    path: String, fileTime: Instant, willCopy: (_ schema: Int) throws -> Void = { _ in },
    _ body: (Store) throws -> T
  ) throws -> T {
    if let state = DatabaseFile.quietState(of: path, at: fileTime) {
      let result = Result {
        try body(try openToRead(path: path, isQuiet: true, willCopy: willCopy))
      }
      if DatabaseFile.quietState(of: path, at: fileTime) == state { return try result.get() }
    }
    return try body(try openToRead(path: path, willCopy: willCopy))
  }

  /// `isQuiet` is whether nobody has the database open to write.
  private static func openToRead(
    path: String, isQuiet: Bool, willCopy: (_ schema: Int) throws -> Void
  ) throws -> Store {
    func opened(_ check: (DatabaseQueue) throws -> Void) throws -> DatabaseQueue {
      try isQuiet
        ? DatabaseFile.connectImmutable(path: path, check)
        : connected(path: path, mode: .readOnly, check)
    }
    return try StoreError.translating(path: path) {
      try DatabaseFile.checkOrCreate(path: path, mode: .readOnly)
      do {
        let file = try opened { try Schema.check($0, path: path, mode: .readOnly) }
        return Store(path: path, connection: file, sharesFiles: !isQuiet)
      } catch StoreError.olderSchema(_, let schema, _) {
        try willCopy(schema)
        // A file that has to be copied to be read is held open once it was read.
        let file = try opened { connection in
          _ = try connection.read { try Int.fetchOne($0, sql: "PRAGMA user_version") }
        }
        let copy = try DatabaseQueue(path: "")
        try file.backup(to: copy)
        try file.close()
        try Schema.check(copy, path: path, mode: .readWrite)
        return Store(path: path, connection: copy, sharesFiles: !isQuiet)
      }
    }
  }
}

/// Which file is at a path, and when it was last changed: what shows that a writer was at work.
struct FileState: Equatable {
  private let device: UInt64
  private let inode: UInt64
  private let size: Int64
  private let seconds: Int64
  private let nanoseconds: Int64

  /// Nil when there is none.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
    size = Int64(status.st_size)
    (seconds, nanoseconds) = (Int64(status.st_mtim.tv_sec), Int64(status.st_mtim.tv_nsec))
  }

  /// Whether the time is finer than a second, in which a file may change twice.
  private var isExact: Bool { nanoseconds != 0 }

  /// Whether a change from `now` on gives the file another time.
  func showsChanges(from now: Instant) -> Bool {
    let microseconds = now.microseconds - Instant(unixSeconds: now.unixSeconds).microseconds
    return isExact && (seconds, nanoseconds) < (now.unixSeconds, microseconds * 1_000)
  }
}

extension DatabaseFile {
  /// The state of a database that nobody has open to write: beside one that somebody has, SQLite
  /// keeps a log from its first access on; nil of any other, and of one that has just changed.
  ///
  /// `now` is by the clock that files get their times from. A state that is equal later shows that
  /// nobody wrote.
  static func quietState(of path: String, at now: Instant) -> FileState? {
    guard isFile(path),
      // Before the log, so that a writer who takes it away meanwhile has changed this.
      let state = FileState(path: path), state.showsChanges(from: now),
      logSuffixes.allSatisfy({ FileState(path: path + $0) == nil })
    else { return nil }
    return state
  }

  /// Whether a path is a file, and no link to one, whose log lies beside that file.
  private static func isFile(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Removes what readers leave beside a database, where nobody else has it open.
  ///
  /// SQLite does that when the last connection that may write is closed. Changes that wait in a log
  /// stay there, since they would get into the file.
  static func removeSharedFiles(beside path: String) {
    guard isFile(path), isFile(path + "-shm"), !hasLog(path: path) else { return }
    var connection: OpaquePointer?
    if sqlite3_open_v2(path, &connection, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK {
      // Only what has been read has been opened.
      sqlite3_exec(connection, "PRAGMA user_version", nil, nil, nil)
    }
    sqlite3_close_v2(connection)
  }
}
