import FoundationEssentials
package import Glibc
package import Platform
import Store

/// Reads small files and folders, with errors that name them.
package enum FileContents {
  /// Returns at most `limit` bytes of the file.
  package static func bytes(of path: String, limit: Int) throws(WorkspaceError) -> [UInt8] {
    do throws(RegularFile.Refusal) {
      return try RegularFile.beginning(of: path, limit: limit)
    } catch {
      throw .cannot("read", path, code: error.code, error.special)
    }
  }

  /// Decodes the content of a JSON file; nil when there is none.
  ///
  /// - Throws: `WorkspaceError.file`, or `DecodingError` for other content.
  package static func decoded<Content: Decodable>(
    _ type: Content.Type, from path: String, limit: Int
  ) throws -> Content? {
    do {
      return try JSONDecoder().decode(type, from: Data(try bytes(of: path, limit: limit)))
    } catch let error as WorkspaceError where error.systemCode == ENOENT {
      return nil
    }
  }

  /// Returns the names in a folder, sorted.
  package static func names(in folder: String) throws(WorkspaceError) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    } catch {
      let code = ((error as? CocoaError)?.underlying as? POSIXError)?.code.rawValue
      throw .cannot("list", folder, code: code ?? EIO)
    }
  }

  /// Removes a file; a missing one is no error, since another process may have removed it.
  package static func remove(_ path: String) throws(WorkspaceError) {
    guard unlink(path) == 0 || errno == ENOENT else { throw .cannot("remove", path) }
  }

  /// Syncs a file's bytes to the disk.
  package static func sync(_ path: String) throws(WorkspaceError) {
    try FileDescriptor.open(path, O_RDWR, to: "write").sync(path)
  }

  /// Creates a folder; an existing one is no error.
  package static func makeFolder(
    _ path: String, mode: FileMode = .ownerOnly
  ) throws(WorkspaceError) {
    guard mkdir(path, FileMode.ownerOnly.folderBits) == 0 || errno == EEXIST else {
      throw .cannot("make the folder", path)
    }
    try mode.apply(toFolder: path)
  }

  /// Creates the missing folders above a path, as `mkdir -p` does.
  package static func makeParents(of path: String) throws(WorkspaceError) {
    guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return }
    let parent = String(path[..<slash])
    guard access(parent, F_OK) != 0 else { return }
    try makeParents(of: parent)
    guard mkdir(parent, 0o777) == 0 || errno == EEXIST else {
      throw .cannot("make the folder", parent)
    }
  }
}

/// Writes whole files atomically: a reader sees either the old or the new content.
package enum AtomicFile {
  /// Creates or replaces a file.
  ///
  /// On return the bytes are on the disk, unless `isDurable` is false. After a failure the previous
  /// file is unchanged, and no other file is left beside it.
  ///
  /// - Throws: `WorkspaceError.file`, and `.refused` for the path of a workspace's database.
  package static func write(
    _ bytes: [UInt8], to path: String, mode: FileMode = .ownerOnly, calls: FileCalls = .system,
    isDurable: Bool = true
  ) throws(WorkspaceError) {
    try keepDatabase(at: path)
    let temporary = temporaryPath(for: path)
    let file = try opened(temporary, for: path)
    try removing(temporary) { () throws(WorkspaceError) in
      try mode.apply(to: file, named: path)
      try fill(file, with: bytes, path: path, calls: calls, isDurable: isDurable)
      guard calls.rename(temporary, path) == 0 else { throw .cannot("write", path) }
    }
    if isDurable { syncFolder(of: path) }
  }

  /// Refuses to replace a workspace's database by another file.
  package static func keepDatabase(at path: String) throws(WorkspaceError) {
    let header: [UInt8]
    do {
      header = try FileContents.bytes(of: path, limit: 100)
    } catch {
      return  // Nothing is there, or nothing that could be a database in use.
    }
    guard DatabaseInspection.schema(inHeader: header) == nil else {
      throw .refused(
        .failed, "Cannot write \(path): it is a database of firetally. Name another file.")
    }
  }

  /// Creates a file that must not exist yet.
  ///
  /// - Returns: false when a file exists; it is unchanged.
  /// - Throws: `WorkspaceError.file`.
  package static func create(_ bytes: [UInt8], at path: String) throws(WorkspaceError) -> Bool {
    do {
      let file = try FileDescriptor.open(path, O_WRONLY | O_CREAT | O_EXCL, to: "write")
      try removing(path) { () throws(WorkspaceError) in
        try fill(file, with: bytes, path: path)
      }
      return true
    } catch let error where error.systemCode == EEXIST {
      return false
    }
  }

  /// Removes the temporary files in a folder that their writers abandoned.
  ///
  /// - Throws: `WorkspaceError.file`.
  package static func removeAbandoned(in folder: String) throws(WorkspaceError) {
    for name in try FileContents.names(in: folder) where isAbandoned(name, in: folder) {
      try FileContents.remove("\(folder)/\(name)")
    }
  }

  /// Removes the temporary files beside one file that their writers abandoned.
  ///
  /// - Throws: `WorkspaceError.file`.
  package static func removeAbandoned(for path: String) throws(WorkspaceError) {
    let name = path.split(separator: "/").last ?? ""
    let folder = String(path.dropLast(name.count)) + "."
    do {
      for draft in try FileContents.names(in: folder) where draft.hasPrefix(".\(name).") {
        if isAbandoned(draft, in: folder) { try FileContents.remove("\(folder)/\(draft)") }
      }
    } catch let error where error.systemCode == EACCES || error.systemCode == ENOENT {
      // A folder can be writable but not listable; then the files stay. A missing folder is
      // reported by the write, which names the file.
    }
  }

  /// Whether it is a name of `temporaryPath`, or of SQLite's files beside it, that its writer
  /// abandoned.
  package static func isAbandoned(_ name: String, in folder: String) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count >= 5, parts[0].isEmpty,
      ["tmp", "tmp-wal", "tmp-shm", "tmp-journal"].contains(parts[parts.count - 1]),
      let writer = DraftWriter(parts[parts.count - 3])
    else { return false }
    return writer.hasAbandoned("\(folder)/\(name)")
  }

  /// Returns a path in the same folder, since a rename is atomic only within a file system.
  package static func temporaryPath(for path: String, writer: DraftWriter = .current) -> String {
    let name = path.split(separator: "/").last ?? ""
    let suffix = "\(writer).\(String(UInt32.random(in: 0...(.max)), radix: 16)).tmp"
    return path.dropLast(name.count) + ".\(name).\(suffix)"
  }

  /// Opens the temporary file; an error names the wanted file instead.
  private static func opened(
    _ temporary: String, for path: String
  ) throws(WorkspaceError) -> FileDescriptor {
    do {
      return try FileDescriptor.open(temporary, O_WRONLY | O_CREAT | O_EXCL, to: "write")
    } catch {
      throw .cannot("write", path, code: error.systemCode ?? EIO)
    }
  }

  private static func removing(
    _ path: String, onFailureOf body: () throws(WorkspaceError) -> Void
  ) throws(WorkspaceError) {
    do {
      try body()
    } catch {
      unlink(path)
      throw error
    }
  }

  private static func fill(
    _ file: FileDescriptor, with bytes: [UInt8], path: String, calls: FileCalls = .system,
    isDurable: Bool = true
  ) throws(WorkspaceError) {
    try bytes.withUnsafeBufferPointer { buffer throws(WorkspaceError) in
      try file.write(UnsafeRawBufferPointer(buffer), at: path, calls: calls)
    }
    if isDurable { try file.sync(path, calls: calls) }
  }

  /// Syncs the folder, so that a new name is durable; some file systems refuse, and then at most
  /// the rename is lost.
  package static func syncFolder(of path: String) {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let number = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { return }
    fsync(number)
    close(number)
  }
}

/// An open file that is closed with its last reference.
package final class FileDescriptor: Sendable {
  package let number: Int32

  package init(owning number: Int32) {
    self.number = number
  }

  deinit {
    // Without this, a child process that is just starting could hold the lock with its copy.
    flock(number, LOCK_UN)
    close(number)
  }

  /// Reads the next bytes, up to the size of the chunk; returns 0 at the end.
  package func read(into chunk: inout [UInt8], at path: String) throws(WorkspaceError) -> Int {
    while true {
      let count = Glibc.read(number, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .cannot("read", path) }
      return count
    }
  }

  /// Reads to the end, in pieces.
  ///
  /// - Throws: `WorkspaceError.file`, a cancellation, or what `body` throws.
  package func forEachPiece(at path: String, _ body: (UnsafeRawBufferPointer) throws -> Void) throws
  {
    var chunk = [UInt8](repeating: 0, count: 256 << 10)
    while true {
      try Task.checkCancellation()
      let count = try read(into: &chunk, at: path)
      guard count > 0 else { return }
      try chunk.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
  }

  package func write(
    _ bytes: UnsafeRawBufferPointer, at path: String, calls: FileCalls = .system
  ) throws(WorkspaceError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = calls.write(number, UnsafeRawBufferPointer(rebasing: rest))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .cannot("write", path, code: count < 0 ? errno : EIO) }
      rest = rest.dropFirst(count)
    }
  }

  /// Syncs the written bytes to the disk.
  package func sync(_ path: String, calls: FileCalls = .system) throws(WorkspaceError) {
    guard calls.sync(number) == 0 else { throw .cannot("write", path) }
  }

  /// Locks the file with flock(2); returns false if `mode` has `LOCK_NB` and another process holds
  /// it.
  package func lock(_ mode: Int32, at path: String) throws(WorkspaceError) -> Bool {
    while flock(number, mode) != 0 {
      if errno == EWOULDBLOCK { return false }
      guard errno == EINTR else { throw .cannot("lock", path) }
    }
    return true
  }

  /// Whether the path still leads to this open file.
  package func isNamed(_ path: String) -> Bool {
    var (named, opened) = (stat(), stat())
    return stat(path, &named) == 0 && fstat(number, &opened) == 0
      && named.st_ino == opened.st_ino && named.st_dev == opened.st_dev
  }

  /// Whether the file has at most one name.
  package var hasOneName: Bool {
    var status = stat()
    return fstat(number, &status) == 0 && status.st_nlink <= 1
  }

  /// Opens a regular file or a folder that no child process inherits.
  ///
  /// - Throws: `WorkspaceError.file` with the action, such as `read`.
  package static func open(
    _ path: String, _ flags: Int32, mode: FileMode = .ownerOnly, to action: String
  ) throws(WorkspaceError) -> FileDescriptor {
    do throws(RegularFile.Refusal) {
      return FileDescriptor(owning: try RegularFile.open(path, flags, mode: mode.bits))
    } catch {
      throw .cannot(action, path, code: error.code, error.special)
    }
  }
}

/// The system calls that write files and folders; tests can replace them to fail.
package struct FileCalls: Sendable {
  package var write: @Sendable (Int32, UnsafeRawBufferPointer) -> Int
  package var sync: @Sendable (Int32) -> Int32
  package var rename: @Sendable (String, String) -> Int32
  package var makeFolder: @Sendable (String) -> Int32 = {
    Glibc.mkdir($0, FileMode.ownerOnly.folderBits)
  }
  package var remove: @Sendable (String) -> Int32 = { Glibc.unlink($0) }
  package var removeFolder: @Sendable (String) -> Int32 = { Glibc.rmdir($0) }

  package static let system = FileCalls(
    write: { Glibc.write($0, $1.baseAddress, $1.count) },
    sync: { Glibc.fsync($0) },
    rename: { Glibc.rename($0, $1) })
}

/// The permissions of written files; see `docs/privacy.md#file-modes`.
package struct FileMode: Hashable, Sendable {
  /// The permission bits of files; a folder can also be entered by everybody who may read it.
  package let bits: mode_t

  /// 0600 and 0700, for all written files unless `output.mode` sets another mode.
  package static let ownerOnly = FileMode(bits: 0o600)

  /// A description of the accepted values, for messages.
  package static let wanted = "a file mode such as 0640: owner 6, group 0, 4 or 6, others 0 or 4"
}

extension FileMode {
  /// Nil unless the owner may read and write, nobody may execute, and others may not write.
  package init?(octal text: String) {
    let digits = text.hasPrefix("0o") ? text.dropFirst(2) : text[...]
    guard (3...4).contains(digits.utf8.count),
      digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0) }),
      let bits = mode_t(digits, radix: 8), bits >> 6 == 0o6,
      [0, 0o4, 0o6].contains(bits >> 3 & 0o7), [0, 0o4].contains(bits & 0o7)
    else { return nil }
    self.init(bits: bits)
  }

  package var folderBits: mode_t { bits | (bits & 0o444) >> 2 }

  /// Sets this mode on a file that was created for its owner only, regardless of the umask.
  package func apply(to file: FileDescriptor, named path: String) throws(WorkspaceError) {
    guard self != .ownerOnly, fchmod(file.number, bits) != 0 else { return }
    throw .cannot("set the mode of", path)
  }

  /// Sets this mode on a folder of this user.
  ///
  /// A folder of another user stays unchanged, and for `ownerOnly` every folder.
  package func apply(toFolder path: String) throws(WorkspaceError) {
    var status = stat()
    guard self != .ownerOnly, stat(path, &status) == 0, status.st_uid == geteuid(),
      status.st_mode & 0o777 != folderBits, chmod(path, folderBits) != 0
    else { return }
    throw .cannot("set the mode of", path)
  }
}
