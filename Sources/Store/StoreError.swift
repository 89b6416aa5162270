import GRDB
import GRDBSQLite
import Glibc
import Model
package import Platform

package enum StoreError: Error, Hashable, Sendable {
  /// There is no file, and the mode is `readOnly`.
  case missing(path: String)
  /// The file or its folder could not be opened or created.
  case cannotOpen(path: String, reason: String)
  case folder(path: String)
  /// A pipe, a device or a socket is in the place of one of the files.
  case specialFile(path: String, SpecialFile)
  case notADatabase(path: String)
  case foreignDatabase(path: String)
  case corrupt(path: String, reason: String)
  case readOnly(path: String)
  case diskFull(path: String)
  case diskFailed(path: String, reason: String)
  case tooManyFiles(path: String)
  /// A killed writer left a log in a folder that takes no file, and a copy could not be made.
  case needsRecovery(path: String)
  /// Another process held the write lock for longer than the busy timeout.
  case busy(path: String)
  /// A newer program changed the schema; `writer` is its version, nil when it is unknown.
  case newerSchema(path: String, version: Int, supported: Int, writer: String? = nil)
  case olderSchema(path: String, version: Int, supported: Int)
  /// A program between two releases made the schema.
  case unreleasedSchema(path: String, version: Int)
  /// A cell has a value that no version of the program wrote.
  case unreadableCell(path: String, table: String, column: String, value: String)
  /// The outbox has no such item in one of these states.
  case noSuchOutboxItem(id: Int64, states: [String])
  /// Any other error of SQLite, with its extended result code.
  case failed(path: String, reason: String, code: Int)

  /// Whether the content is damaged, so that a backup or a new load is needed.
  package var isCorrupt: Bool {
    switch self {
    case .notADatabase, .corrupt, .unreadableCell: true
    default: false
    }
  }

  /// Whether nothing can be stored, whatever it is.
  package var preventsWriting: Bool {
    switch self {
    case .diskFull, .diskFailed, .readOnly: true
    default: false
    }
  }

  package var isTransient: Bool {
    if case .busy = self { true } else { false }
  }
}

extension StoreError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .missing(let path):
      "There is no database at \(path). Run `firetally run --all` in the workspace to make one."
    case .cannotOpen(let path, let reason):
      "The database \(path) cannot be opened: \(reason). "
        + "Check that its folder exists and that you may write to it."
    case .folder(let path): Self.inPlace(of: path, "a folder")
    case .specialFile(let path, let special): Self.inPlace(of: path, special.rawValue)
    case .notADatabase(let path):
      "\(path) is not an SQLite database. Restore a copy with `firetally restore latest`, or move "
        + "the file away and run again to fetch the data again."
    case .foreignDatabase(let path):
      "\(path) belongs to another program. Move it away, or choose another workspace."
    case .corrupt(let path, let reason):
      "The database \(path) is damaged (\(reason)). Restore a copy with "
        + "`firetally restore latest`, or move the file away, together with its -wal and -shm "
        + "files, and run again to fetch the data again."
    case .readOnly(let path):
      "The database \(path) cannot be written: the file or its folder is read-only. "
        + "Give yourself write permission, or move the workspace."
    case .diskFull(let path):
      "The disk that holds \(path) is full; the last change was not stored. "
        + "Free some space and run again."
    case .diskFailed(let path, let reason):
      "The disk that holds \(path) failed (\(reason)). The last change was not stored. "
        + "Check the disk and the system's log, then run again."
    case .tooManyFiles(let path):
      "The database \(path) cannot be opened: too many files are open. Raise `ulimit -n`."
    case .needsRecovery(let path): Self.needsRecovery(path)
    case .busy(let path):
      "Another process is writing to the database \(path). Try again in a moment."
    case .newerSchema(let path, let version, let supported, let writer):
      Self.newerSchema(path, version, supported, writer)
    case .olderSchema(let path, let version, let supported):
      Self.olderSchema(path, version, supported)
    case .unreleasedSchema(let path, let version): Self.unreleasedSchema(path, version)
    case .unreadableCell(let path, let table, let column, let value):
      "The database \(path) holds '\(value)' in \(table).\(column), which this program cannot "
        + "read. Use the newer firetally that wrote it, or restore a copy with "
        + "`firetally restore latest`."
    case .noSuchOutboxItem(let id, let states):
      "The outbox has no \(states.joined(separator: " or ")) item \(id). "
        + "See `firetally outbox list`."
    case .failed(let path, let reason, let code):
      "SQLite could not work on \(path): \(reason) (code \(code)). "
        + "If it happens again, run a job of kind maintain, which checks the file."
    }
  }
}

extension StoreError {
  private static func olderSchema(_ path: String, _ version: Int, _ supported: Int) -> String {
    "The database \(path) has schema version \(version); this program needs \(supported). The next "
      + "job upgrades it and keeps a copy of the old one. `firetally run maintain` does this and "
      + "asks no server."
  }

  private static func unreleasedSchema(_ path: String, _ version: Int) -> String {
    "The database \(path) has schema \(version), of an early development build, which this firetally "
      + "cannot bring up to date. Export what you need with the build that wrote it, move the file "
      + "away, and run `firetally run --all`; or restore the copy made before that build, whose name "
      + "ends in -before-NUMBER: see `firetally backup list`."
  }

  private static func inPlace(of path: String, _ other: String) -> String {
    "\(path) is \(other); it must be a file. Move it away."
  }

  private static func needsRecovery(_ path: String) -> String {
    "The database \(path) cannot be read here: its newest changes are in \(path)-wal, its folder "
      + "is not writable, and the folder for temporary files has no room for a copy. Free "
      + "some space there, name another one with TMPDIR, or make the folder writable."
  }

  private static func newerSchema(
    _ path: String, _ version: Int, _ supported: Int, _ writer: String?
  ) -> String {
    let writerWords = writer.map { "firetally \($0)" } ?? "a newer firetally"
    let origin =
      writer == ProgramVersion.current
      ? "written by a newer build of \(writerWords) than this one, which"
      : "written by \(writerWords); this one is firetally \(ProgramVersion.current) and"
    return "The database \(path) has schema \(version), \(origin) knows schemas up to "
      + "\(supported). Install \(ProgramVersion.words(for: writer)). Or go back to the copy made "
      + "before the upgrade: see `firetally backup list`, then `firetally restore FILE`."
  }

  /// Runs `body` and converts SQLite's errors to `StoreError`; other errors pass.
  static func translating<T>(path: String, _ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let error as SystemFailure {
      throw StoreError(systemError: error.code, path: path)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT {
      throw CancellationError()
    } catch let error as DatabaseError {
      throw StoreError(error, path: path)
    } catch let error as RowDecodingError {
      throw StoreError.corrupt(path: path, reason: error.description)
    } catch let error as UnreadableCell {
      throw StoreError.unreadableCell(
        path: path, table: error.table, column: error.column, value: error.value)
    }
  }

  /// The error for a number of `errno`.
  package init(systemError code: Int32, path: String) {
    self =
      switch code {
      case EROFS, EACCES, EPERM: .readOnly(path: path)
      case ENOSPC, EDQUOT: .diskFull(path: path)
      case EMFILE, ENFILE: .tooManyFiles(path: path)
      case EIO: .diskFailed(path: path, reason: "input/output error")
      case EISDIR: .folder(path: Self.folderInPlace(of: path))
      default: .cannotOpen(path: path, reason: SystemError.text(code))
      }
  }

  /// The file of the database that is a folder.
  private static func folderInPlace(of path: String) -> String {
    let files = ([""] + DatabaseFile.logSuffixes).map { path + $0 }
    return files.first(where: isFolder) ?? path
  }

  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  private init(_ error: DatabaseError, path: String) {
    // A later call may have left SQLite's message of a success.
    let reason =
      error.message.flatMap { $0 == "not an error" ? nil : $0 }
      ?? String(cString: sqlite3_errstr(error.extendedResultCode.rawValue))
    self =
      switch error.resultCode {
      case .SQLITE_NOTADB: .notADatabase(path: path)
      case .SQLITE_CORRUPT: .corrupt(path: path, reason: reason)
      case .SQLITE_READONLY, .SQLITE_PERM: .readOnly(path: path)
      case .SQLITE_FULL: .diskFull(path: path)
      case .SQLITE_BUSY, .SQLITE_LOCKED: .busy(path: path)
      case .SQLITE_CANTOPEN: Self.refused(path: path, reason: reason)
      case .SQLITE_IOERR: Self.failed(path: path, reason: reason)
      default:
        .failed(path: path, reason: reason, code: Int(error.extendedResultCode.rawValue))
      }
  }

  /// Opens the file again to learn the reason, which SQLite does not report.
  private static func refused(path: String, reason: String) -> StoreError {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor < 0 else {
      close(descriptor)
      // A writing connection needs to create files in the folder.
      let isFixed =
        access(DatabaseFile.folder(of: path), W_OK) != 0 && [EROFS, EACCES].contains(errno)
      return isFixed ? .readOnly(path: path) : .cannotOpen(path: path, reason: reason)
    }
    switch errno {
    case ENOENT: return .cannotOpen(path: path, reason: reason)
    case EMFILE, ENFILE: return .tooManyFiles(path: path)
    case let code:
      return .cannotOpen(path: path, reason: SystemError.text(code))
    }
  }

  /// `diskFull` when the disk has no room for the shared-memory file, else `diskFailed`.
  private static func failed(path: String, reason: String) -> StoreError {
    // The file beside the database grows by 32 KiB, SQLite's WALINDEX_PGSZ.
    let sharedPage = 32_768
    var disk = statvfs()
    guard statvfs(DatabaseFile.folder(of: path), &disk) == 0,
      Int(disk.f_bavail) * Int(disk.f_frsize) < sharedPage
    else {
      return .diskFailed(path: path, reason: reason)
    }
    return .diskFull(path: path)
  }
}

/// An error of SQLite that the system explains better, such as too many open files at the log.
struct SystemFailure: Error {
  let code: Int32

  /// Runs `body`, which uses the connection; throws `SystemFailure` instead of an error of SQLite
  /// whose reason the system reported.
  ///
  /// A reader's other errors are `Store`'s, which then reads without the log's companion.
  static func telling<T>(on connection: DatabaseQueue, _ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let error as DatabaseError {
      throw connection.inDatabase { failure(error, on: $0) } ?? error
    }
  }

  /// The same inside of the connection.
  static func telling<T>(on database: Database, _ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let error as DatabaseError {
      throw failure(error, on: database) ?? error
    }
  }

  /// Nil when the number is of another call, or says less than SQLite.
  private static func failure(_ error: DatabaseError, on database: Database) -> (any Error)? {
    guard [.SQLITE_CANTOPEN, .SQLITE_IOERR].contains(error.resultCode) else { return nil }
    let code = sqlite3_system_errno(database.sqliteConnection)
    let told =
      database.configuration.readonly
      ? [EMFILE, ENFILE] : [EMFILE, ENFILE, EIO, ENOSPC, EDQUOT, EISDIR]
    return told.contains(code) ? SystemFailure(code: code) : nil
  }
}
