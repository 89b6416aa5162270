import Foundation
import GRDB

/// Reading a database with a log where nothing can be written beside it.
extension DatabaseFile {
  /// Attempts to copy file and log while neither changes.
  private static let mostAttempts = 3

  /// Opens a copy of the file and its log, in a private folder that is gone when this returns.
  ///
  /// SQLite reads a log only with a file of shared memory beside it, and a read-only folder takes
  /// none. The open connection keeps the copies; nothing is left of them when the process ends,
  /// however it ends.
  ///
  /// - Parameters:
  ///   - path: the database, which nobody has open: a writer would have made that file.
  ///   - check: reads the copy for the first time.
  /// - Returns: the connection.
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

  /// The folder with the copies.
  private static func copied(_ path: String) throws -> URL {
    let files = FileManager.default
    let folder = files.temporaryDirectory.appending(path: "firetally-\(UUID().uuidString)")
    try files.createDirectory(
      at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    do {
      for _ in 1...mostAttempts {
        let before = states(path)
        for suffix in ["", "-wal"] {
          let copy = folder.appending(path: copyName + suffix).path
          unlink(copy)
          try files.copyItem(atPath: path + suffix, toPath: copy)
          // A read-only mode would be that of the shared memory, too.
          try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: copy)
        }
        if states(path) == before { return folder }
      }
    } catch {
      remove(folder)
      throw error
    }
    remove(folder)
    throw StoreError.busy(path: path)
  }

  /// What shows that a writer was at work: sizes and times of the last change.
  private static func states(_ path: String) -> [Int64] {
    ["", "-wal"].flatMap { suffix -> [Int64] in
      var status = stat()
      guard stat(path + suffix, &status) == 0 else { return [-1] }
      return [
        Int64(status.st_size), Int64(status.st_mtim.tv_sec), Int64(status.st_mtim.tv_nsec),
      ]
    }
  }

  /// A folder that stays is one more file in the system's folder of temporary files.
  private static func remove(_ folder: URL) {
    for suffix in [""] + logSuffixes { unlink(folder.appending(path: copyName + suffix).path) }
    rmdir(folder.path)
  }
}
