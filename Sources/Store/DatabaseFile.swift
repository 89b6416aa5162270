import Foundation
import GRDB
import Platform

/// Creates the database file and opens its connections.
enum DatabaseFile {
  /// How long a writer waits for another process's writer.
  static let busyTimeoutSeconds = 5.0

  /// Bytes of a page, set before the first table; bulk loads were fastest with this size.
  static let pageSize = 16_384

  /// Pages of the log after which a commit makes a checkpoint, 64 MiB, so that bulk loads make few.
  static let checkpointPages = 4_000

  /// KiB of page cache of a writing connection, which hold the indexes during a small merge, and
  /// what reports read again.
  static let writerCacheKibibytes = 16_384

  /// Checks that there is a file at `path`; creates a complete database if the mode allows.
  static func checkOrCreate(path: String, mode: Store.Mode) throws {
    guard !StoreError.isFolder(path) else { throw StoreError.folder(path: path) }
    if access(path, F_OK) == 0 { return }
    // A forbidden folder or a failing disk does not mean that there is no file.
    guard errno == ENOENT else {
      throw errno == EACCES
        ? StoreError.cannotOpen(path: path, reason: "permission denied") : refusal(path: path)
    }
    guard mode == .readWrite else { throw StoreError.missing(path: path) }
    removeAbandonedDrafts(of: path)
    let draft = draftPath(for: path)
    defer { for suffix in ["", "-wal", "-shm"] { unlink(draft + suffix) } }
    try createEmpty(draft, named: path)
    try fill(draft, named: path)
    try checkWhole(draft, named: path)
    try sync(draft, O_RDWR, named: path)
    try place(draft, at: path)
    try sync(folder(of: path), O_RDONLY | O_DIRECTORY, named: path)
  }

  /// Creates the tables and brings them from the log into the file.
  ///
  /// Closing a connection does that, too, but reports no failure, and would leave the log under the
  /// draft's name.
  private static func fill(_ draft: String, named path: String) throws {
    let connection = try connect(path: draft, mode: .readWrite)
    try SystemFailure.telling(on: connection) {
      try Schema.check(connection, path: path, mode: .readWrite)
      try connection.inDatabase { _ = try $0.checkpoint(.truncate) }
    }
    try connection.close()
  }

  /// Checks the content of the disk through a new connection.
  static func checkWhole(_ draft: String, named path: String) throws {
    guard try isWhole(draft) else {
      throw StoreError.diskFailed(
        path: path, reason: "it did not keep what was written to the new file")
    }
  }

  private static func isWhole(_ draft: String) throws -> Bool {
    do {
      let connection = try connect(path: draft, mode: .readOnly)
      let finding = try connection.read {
        try String.fetchOne($0, sql: "PRAGMA integrity_check(1)")
      }
      let isCurrent = try Schema.isCurrent(connection)
      try connection.close()
      return finding == "ok" && isCurrent
    } catch let error as DatabaseError
      where [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
    {
      return false
    }
  }

  /// A path beside the file, since a rename is atomic only inside one file system.
  static func draftPath(for path: String, maker: DraftWriter = .current) -> String {
    "\(path).new-\(maker)-\(String(UInt32.random(in: 0...(.max)), radix: 16))"
  }

  private static func removeAbandonedDrafts(of path: String) {
    let folder = folder(of: path)
    let prefix = "\(path.dropFirst(folder == "." ? 0 : folder.count)).new-"
    guard let entries = opendir(folder) else { return }
    defer { closedir(entries) }
    while let entry = readdir(entries) {
      let name = withUnsafePointer(to: entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard name.hasPrefix(prefix),
        let maker = DraftWriter(name.dropFirst(prefix.count).prefix { $0 != "-" })
      else { continue }
      let draft = folder == "." ? name : folder + name
      if maker.hasAbandoned(draft) { unlink(draft) }
    }
  }

  static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
  }

  private static func sync(_ file: String, _ flags: Int32, named path: String) throws {
    let descriptor = open(file, flags | O_CLOEXEC)
    guard descriptor >= 0 else { throw refusal(path: path) }
    defer { close(descriptor) }
    // Some file systems cannot flush a folder; at most the file's name is lost.
    guard fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP else {
      throw refusal(path: path)
    }
  }

  /// Creates an empty file that only its owner can read and write; errors name `path`.
  static func createEmpty(_ file: String, named path: String) throws {
    let descriptor = open(file, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw refusal(path: path) }
    close(descriptor)
  }

  /// Gives the complete database its name, unless another process was faster.
  ///
  /// It must appear complete: SQLite's change to WAL mode does not wait for another process's lock.
  private static func place(_ draft: String, at path: String) throws {
    if link(draft, path) == 0 || errno == EEXIST { return }
    guard errno == EPERM || errno == ENOTSUP, rename(draft, path) == 0 else {
      throw refusal(path: path)
    }
  }

  private static func refusal(path: String) -> StoreError {
    StoreError(systemError: errno, path: path)
  }

  private static func activateWAL(_ database: Database) throws {
    try database.execute(sql: "PRAGMA page_size = \(pageSize)")
    guard try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL") == "wal" else {
      throw DatabaseError(message: "could not activate WAL mode")
    }
  }

  static func connect(path: String, mode: Store.Mode) throws -> DatabaseQueue {
    try checkFiles(path)
    var configuration = Configuration()
    configuration.readonly = mode == .readOnly
    configuration.foreignKeysEnabled = true
    configuration.busyMode = .timeout(busyTimeoutSeconds)
    configuration.prepareDatabase { database in
      if database.configuration.readonly {
        // Opens the log, whose error could not be reported later: GRDB's own check drops the
        // connection.
        return try SystemFailure.telling(on: database) {
          try database.execute(sql: "PRAGMA user_version")
        }
      }
      try SystemFailure.telling(on: database) { try activateWAL(database) }
      // In WAL mode a power failure may undo the last commits, but leaves a sound database; what
      // must not be undone is written by `writeDurably`.
      try database.execute(
        sql: """
          PRAGMA synchronous = NORMAL;
          PRAGMA cache_size = -\(writerCacheKibibytes);
          PRAGMA wal_autocheckpoint = \(checkpointPages);
          """)
    }
    return try DatabaseQueue(path: path, configuration: configuration)
  }

  /// SQLite would wait for what comes through a pipe.
  private static func checkFiles(_ path: String) throws {
    for file in [""] + logSuffixes {
      guard let special = SpecialFile(path: path + file) else { continue }
      throw StoreError.specialFile(path: path + file, special)
    }
  }

  /// Runs optional work, which is skipped if another process has locked the database.
  static func withoutWaiting(_ database: Database, _ body: () throws -> Void) throws {
    try database.execute(sql: "PRAGMA busy_timeout = 0")
    let outcome = Result(catching: body)
    let milliseconds = Int(busyTimeoutSeconds * 1_000)
    try database.execute(sql: "PRAGMA busy_timeout = \(milliseconds)")
    do {
      try outcome.get()
    } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
      return
    }
  }

  /// Whether a reader could not create the shared-memory file of WAL.
  static func lacksSharedMemory(_ error: DatabaseError) -> Bool {
    switch error.resultCode {
    case .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_FULL: true
    case .SQLITE_IOERR:
      [.SQLITE_IOERR_SHMOPEN, .SQLITE_IOERR_SHMSIZE, .SQLITE_IOERR_SHMMAP].contains(
        error.extendedResultCode)
    default: false
    }
  }

  /// Whether the log has changes that are not in the file.
  static func hasLog(path: String) -> Bool {
    var status = stat()
    return stat(path + "-wal", &status) == 0 && status.st_size > 0
  }

  /// Opens the file as immutable, to read without a lock where nobody writes.
  static func connectImmutable(
    path: String, _ check: (DatabaseQueue) throws -> Void = { _ in }
  ) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.readonly = true
    let connection = try DatabaseQueue(
      path: immutableAddress(of: path), configuration: configuration)
    try check(connection)
    return connection
  }

  /// The address with which SQLite opens a file that nobody changes.
  static func immutableAddress(of path: String) -> String {
    // RFC 3986's unreserved characters, and the slash.
    let plain = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-._~/"))
    let escaped = path.addingPercentEncoding(
      withAllowedCharacters: plain.intersection(CharacterSet(charactersIn: "\0"..."~")))
    return "file:\(escaped ?? path)?immutable=1"
  }
}

/// Reading a database with a log where nothing can be written beside it.
extension DatabaseFile {
  /// Attempts to copy file and log while neither changes.
  private static let mostAttempts = 3

  /// Opens a copy of the file and its log, in a private folder that is gone when this returns.
  ///
  /// SQLite reads a log only with a file of shared memory beside it, and a read-only folder takes
  /// none. Nobody has the database open: a writer would have made that file. `check` reads the copy
  /// for the first time. The open connection keeps the copies; nothing is left of them when the
  /// process ends, however it ends.
  ///
  /// - Throws: `StoreError.needsRecovery` when there is no room for a copy, or what `check` throws.
  static func connectToCopy(
    path: String, _ check: (DatabaseQueue) throws -> Void
  ) throws -> DatabaseQueue {
    let folder: URL
    do {
      folder = try copied(path)
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError.needsRecovery(path: path)
    }
    // Once it has read, the connection holds all three files open.
    defer { remove(folder) }
    let connection = try connect(path: folder.appending(path: copyName).path, mode: .readOnly)
    try check(connection)
    return connection
  }

  private static let copyName = "copy.sqlite"

  private static func copied(_ path: String) throws -> URL {
    let files = FileManager.default
    let folder = files.temporaryDirectory.appending(path: "firetally-\(UUID().uuidString)")
    try files.createDirectory(
      at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    do {
      for _ in 1...mostAttempts {
        let before = states(of: path)
        for suffix in ["", "-wal"] {
          let copy = folder.appending(path: copyName + suffix).path
          unlink(copy)
          try files.copyItem(atPath: path + suffix, toPath: copy)
          // A read-only mode would be that of the shared memory, too.
          try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: copy)
        }
        if states(of: path) == before { return folder }
      }
    } catch {
      remove(folder)
      throw error
    }
    remove(folder)
    throw StoreError.busy(path: path)
  }

  private static func states(of path: String) -> [FileState?] {
    ["", "-wal"].map { FileState(path: path + $0) }
  }

  /// A folder that stays is one more file in the system's folder of temporary files.
  private static func remove(_ folder: URL) {
    remove(folder.appending(path: copyName).path)
    rmdir(folder.path)
  }
}
