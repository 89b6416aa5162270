import Glibc

/// Writes whole files so that a reader sees the old one or the new one, whatever happens.
package enum AtomicFile {
  /// Replaces a file, or makes it.
  ///
  /// The bytes are on the disk when this returns. A failure leaves what was there, and no other
  /// file beside it.
  package static func write(
    _ bytes: [UInt8], to path: String, mode: FileMode = .ownerOnly
  ) throws(JobsError) {
    try write(bytes, to: path, mode: mode, calls: .system)
  }

  /// Makes a file that must not be there yet.
  ///
  /// - Returns: false when a file is there already; it is left as it is.
  package static func create(_ bytes: [UInt8], at path: String) throws(JobsError) -> Bool {
    do {
      let file = try FileDescriptor.open(path, O_WRONLY | O_CREAT | O_EXCL, to: "write")
      try removing(path) { () throws(JobsError) in
        try fill(file, with: bytes, path: path, calls: .system)
      }
      return true
    } catch let error where error.systemCode == EEXIST {
      return false
    }
  }

  /// Removes what processes that died while they wrote have left in a folder.
  ///
  /// A file that a living process, or one of another user, may still be writing stays.
  package static func removeAbandoned(in folder: String) throws(JobsError) {
    for name in try FileContents.names(in: folder) where isAbandoned(name) {
      try FileContents.remove("\(folder)/\(name)")
    }
  }

  /// Removes what processes that died while they wrote this one file have left beside it.
  static func removeAbandoned(for path: String) throws(JobsError) {
    let name = path.split(separator: "/").last ?? ""
    let folder = String(path.dropLast(name.count)) + "."
    do {
      for draft in try FileContents.names(in: folder) where draft.hasPrefix(".\(name).") {
        if isAbandoned(draft) { try FileContents.remove("\(folder)/\(draft)") }
      }
    } catch let error where error.systemCode == EACCES || error.systemCode == ENOENT {
      // A folder can be writable and not listable; then they stay. A missing folder is reported by
      // the write, which names the file.
    }
  }

  /// Whether it is a name of `temporaryPath`, or of SQLite's files beside it, whose process is
  /// gone.
  static func isAbandoned(_ name: String) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count >= 5, parts[0].isEmpty,
      ["tmp", "tmp-wal", "tmp-shm", "tmp-journal"].contains(parts[parts.count - 1]),
      let writer = pid_t(parts[parts.count - 3]), writer > 0
    else { return false }
    return kill(writer, 0) != 0 && errno == ESRCH
  }

  /// Without `isDurable` the bytes may still be on their way to the disk when this returns.
  static func write(
    _ bytes: [UInt8], to path: String, mode: FileMode = .ownerOnly, calls: FileCalls,
    isDurable: Bool = true
  ) throws(JobsError) {
    let temporary = temporaryPath(for: path)
    let file = try opened(temporary, for: path)
    try removing(temporary) { () throws(JobsError) in
      try mode.apply(to: file, named: path)
      try fill(file, with: bytes, path: path, calls: calls, isDurable: isDurable)
      guard calls.rename(temporary, path) == 0 else { throw .cannot("write", path) }
    }
    if isDurable { syncFolder(of: path) }
  }

  /// In the same folder, since a rename is atomic only inside one file system.
  static func temporaryPath(for path: String, writer: pid_t = getpid()) -> String {
    let name = path.split(separator: "/").last ?? ""
    let suffix = "\(writer).\(String(UInt32.random(in: 0...(.max)), radix: 16)).tmp"
    return path.dropLast(name.count) + ".\(name).\(suffix)"
  }

  /// A failure names the file that was wanted, not the temporary one.
  private static func opened(
    _ temporary: String, for path: String
  ) throws(JobsError) -> FileDescriptor {
    do {
      return try FileDescriptor.open(temporary, O_WRONLY | O_CREAT | O_EXCL, to: "write")
    } catch {
      throw .cannot("write", path, code: error.systemCode ?? EIO)
    }
  }

  private static func removing(
    _ path: String, onFailureOf body: () throws(JobsError) -> Void
  ) throws(JobsError) {
    do {
      try body()
    } catch {
      unlink(path)
      throw error
    }
  }

  private static func fill(
    _ file: FileDescriptor, with bytes: [UInt8], path: String, calls: FileCalls,
    isDurable: Bool = true
  ) throws(JobsError) {
    try bytes.withUnsafeBufferPointer { buffer throws(JobsError) in
      try file.write(UnsafeRawBufferPointer(buffer), at: path, calls: calls)
    }
    if isDurable { try file.sync(path, calls: calls) }
  }

  /// Makes the new name last; some file systems refuse this, and lose at most the rename.
  static func syncFolder(of path: String) {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let number = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { return }
    fsync(number)
    close(number)
  }
}
