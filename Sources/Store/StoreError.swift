import GRDB

/// Why the database could not be opened, read or written.
package enum StoreError: Error, Hashable, Sendable {
  /// There is no file, and the store was opened to read only.
  case missing(path: String)
  /// The file or its folder could not be opened or created.
  case cannotOpen(path: String, reason: String)
  /// The file is there, but is not an SQLite database.
  case notADatabase(path: String)
  /// The file is an SQLite database that some other program made.
  case foreignDatabase(path: String)
  case corrupt(path: String, reason: String)
  case readOnly(path: String)
  case diskFull(path: String)
  /// Another process kept the write lock for longer than the busy timeout.
  case busy(path: String)
  case newerSchema(path: String, version: Int, supported: Int)
  case olderSchema(path: String, version: Int, supported: Int)
  /// A cell holds what no version of the program writes.
  case unreadableCell(path: String, table: String, column: String, value: String)
  /// The outbox has no such item in a state that the change starts from.
  case noSuchOutboxItem(id: Int64, states: [String])
  /// Anything else SQLite said, with its extended result code.
  case failed(path: String, reason: String, code: Int)

  /// The file's content is damaged: a backup or a new load is needed.
  package var isCorrupt: Bool {
    switch self {
    case .notADatabase, .corrupt, .unreadableCell: true
    default: false
    }
  }

  /// Waiting and trying again can help.
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
    case .notADatabase(let path):
      "\(path) is not an SQLite database. Move the file away and run again to fetch the data anew, "
        + "or copy a backup from data/backups into its place."
    case .foreignDatabase(let path):
      "\(path) is a database of another program. Move it away, or choose another workspace."
    case .corrupt(let path, let reason):
      "The database \(path) is damaged (\(reason)). Move the file away, together with its -wal and "
        + "-shm files, and run again to fetch the data anew, or copy a backup from data/backups into "
        + "its place."
    case .readOnly(let path):
      "The database \(path) cannot be written: the file or its folder is read-only. "
        + "Give yourself write permission, or move the workspace."
    case .diskFull(let path):
      "The disk that holds \(path) is full; nothing of the last change was stored. "
        + "Free some space and run again."
    case .busy(let path):
      "The database \(path) is being written by another process. Try again in a moment."
    case .newerSchema(let path, let version, let supported):
      "The database \(path) has schema version \(version), this program knows \(supported) at most. "
        + "Use the newer firetally that made it."
    case .olderSchema(let path, let version, let supported):
      "The database \(path) has schema version \(version), this program needs \(supported). "
        + "Run `firetally run --all` once to bring it up to date."
    case .unreadableCell(let path, let table, let column, let value):
      "The database \(path) holds '\(value)' in \(table).\(column), which this program cannot read. "
        + "Use the newer firetally that wrote it, or copy a backup from data/backups into its place."
    case .noSuchOutboxItem(let id, let states):
      "The outbox has no item \(id) that is \(states.joined(separator: " or ")). "
        + "See `firetally outbox list`."
    case .failed(let path, let reason, let code):
      "SQLite could not work on \(path): \(reason) (code \(code)). "
        + "If it happens again, run a job of kind maintain, which checks the file."
    }
  }
}

extension StoreError {
  /// Runs `body` and turns what SQLite throws into a `StoreError`; other errors pass.
  static func translating<T>(path: String, _ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let error as DatabaseError {
      throw StoreError(error, path: path)
    } catch let error as RowDecodingError {
      throw StoreError.corrupt(path: path, reason: error.description)
    } catch let error as UnreadableCell {
      throw StoreError.unreadableCell(
        path: path, table: error.table, column: error.column, value: error.value)
    }
  }

  private init(_ error: DatabaseError, path: String) {
    let reason = error.message ?? "no reason given"
    self =
      switch error.resultCode {
      case .SQLITE_NOTADB: .notADatabase(path: path)
      case .SQLITE_CORRUPT: .corrupt(path: path, reason: reason)
      case .SQLITE_READONLY, .SQLITE_PERM: .readOnly(path: path)
      case .SQLITE_FULL: .diskFull(path: path)
      case .SQLITE_BUSY, .SQLITE_LOCKED: .busy(path: path)
      case .SQLITE_CANTOPEN: .cannotOpen(path: path, reason: reason)
      default:
        .failed(
          path: path, reason: reason, code: Int(error.extendedResultCode.rawValue))
      }
  }
}
