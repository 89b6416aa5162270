import FoundationEssentials
package import Glibc
import Platform
import Store

/// Reads small files and folders with errors that name them.
package enum FileContents {
  /// The file's bytes, at most `limit` of them.
  package static func bytes(of path: String, limit: Int) throws(JobsError) -> [UInt8] {
    let file = try FileDescriptor.open(path, O_RDONLY, to: "read")
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: min(limit, 65_536))
    while bytes.count < limit {
      let count = try file.read(into: &chunk, at: path)
      guard count > 0 else { break }
      bytes += chunk[..<min(count, limit - bytes.count)]
    }
    return bytes
  }

  /// What a JSON file holds; nil when there is none.
  ///
  /// - Throws: `JobsError.file`, or `DecodingError` for a file that holds something else.
  package static func decoded<Content: Decodable>(
    _ type: Content.Type, from path: String, limit: Int
  ) throws -> Content? {
    do {
      return try JSONDecoder().decode(type, from: Data(try bytes(of: path, limit: limit)))
    } catch let error as JobsError where error.systemCode == ENOENT {
      return nil
    }
  }

  /// JSON for a person to read as well: in lines, with sorted keys and a line end.
  package static func json(of content: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(content)) + [UInt8(ascii: "\n")]
  }

  /// The names in a folder, sorted.
  package static func names(in folder: String) throws(JobsError) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    } catch {
      let code = ((error as? CocoaError)?.underlying as? POSIXError)?.code.rawValue
      throw .cannot("list", folder, code: code ?? EIO)
    }
  }

  /// Removes a file; one that is gone is fine, since another process may have been faster.
  package static func remove(_ path: String) throws(JobsError) {
    guard unlink(path) == 0 || errno == ENOENT else { throw .cannot("remove", path) }
  }

  /// Brings what was written to a file to the disk.
  package static func sync(_ path: String) throws(JobsError) {
    try FileDescriptor.open(path, O_RDWR, to: "write").sync(path)
  }

  /// Makes a folder; one that is there already is fine.
  package static func makeFolder(
    _ path: String, mode: FileMode = .ownerOnly
  ) throws(JobsError) {
    guard mkdir(path, FileMode.ownerOnly.folderBits) == 0 || errno == EEXIST else {
      throw .cannot("make the folder", path)
    }
    try mode.apply(toFolder: path)
  }

  /// Makes the folders above a path that are missing, as `mkdir -p` does.
  package static func makeParents(of path: String) throws(JobsError) {
    guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return }
    let parent = String(path[..<slash])
    guard access(parent, F_OK) != 0 else { return }
    try makeParents(of: parent)
    guard mkdir(parent, 0o777) == 0 || errno == EEXIST else {
      throw .cannot("make the folder", parent)
    }
  }
}

/// Writes whole files so that a reader sees the old one or the new one, whatever happens.
package enum AtomicFile {
  /// Replaces a file, or makes it.
  ///
  /// The bytes are on the disk when this returns, unless it need not be durable. A failure leaves
  /// what was there, and no other file beside it.
  ///
  /// - Throws: `JobsError.file`, and `.refused` when a workspace's database is there.
  package static func write(
    _ bytes: [UInt8], to path: String, mode: FileMode = .ownerOnly, calls: FileCalls = .system,
    isDurable: Bool = true
  ) throws(JobsError) {
    try keepDatabase(at: path)
    let temporary = temporaryPath(for: path)
    let file = try opened(temporary, for: path)
    try removing(temporary) { () throws(JobsError) in
      try mode.apply(to: file, named: path)
      try fill(file, with: bytes, path: path, calls: calls, isDurable: isDurable)
      guard calls.rename(temporary, path) == 0 else { throw .cannot("write", path) }
    }
    if isDurable { syncFolder(of: path) }
  }

  /// Refuses to put another file in the place of a workspace's database, whoever named it.
  package static func keepDatabase(at path: String) throws(JobsError) {
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

  /// Makes a file that must not be there yet.
  ///
  /// - Returns: false when a file is there already; it is left as it is.
  /// - Throws: `JobsError.file`.
  package static func create(_ bytes: [UInt8], at path: String) throws(JobsError) -> Bool {
    do {
      let file = try FileDescriptor.open(path, O_WRONLY | O_CREAT | O_EXCL, to: "write")
      try removing(path) { () throws(JobsError) in
        try fill(file, with: bytes, path: path)
      }
      return true
    } catch let error where error.systemCode == EEXIST {
      return false
    }
  }

  /// Removes what processes that died while they wrote have left in a folder.
  ///
  /// A file that a living process, or one of another user, may still be writing stays.
  ///
  /// - Throws: `JobsError.file`.
  package static func removeAbandoned(in folder: String) throws(JobsError) {
    for name in try FileContents.names(in: folder) where isAbandoned(name) {
      try FileContents.remove("\(folder)/\(name)")
    }
  }

  /// Removes what processes that died while they wrote this one file have left beside it.
  ///
  /// - Throws: `JobsError.file`.
  package static func removeAbandoned(for path: String) throws(JobsError) {
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
  package static func isAbandoned(_ name: String) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count >= 5, parts[0].isEmpty,
      ["tmp", "tmp-wal", "tmp-shm", "tmp-journal"].contains(parts[parts.count - 1]),
      let writer = pid_t(parts[parts.count - 3]), writer > 0
    else { return false }
    return kill(writer, 0) != 0 && errno == ESRCH
  }

  /// In the same folder, since a rename is atomic only inside one file system.
  package static func temporaryPath(for path: String, writer: pid_t = getpid()) -> String {
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
    _ file: FileDescriptor, with bytes: [UInt8], path: String, calls: FileCalls = .system,
    isDurable: Bool = true
  ) throws(JobsError) {
    try bytes.withUnsafeBufferPointer { buffer throws(JobsError) in
      try file.write(UnsafeRawBufferPointer(buffer), at: path, calls: calls)
    }
    if isDurable { try file.sync(path, calls: calls) }
  }

  /// Makes the new name last; some file systems refuse this, and lose at most the rename.
  package static func syncFolder(of path: String) {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let number = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { return }
    fsync(number)
    close(number)
  }
}

/// An open file that is closed when nothing refers to it any more.
package final class FileDescriptor: Sendable {
  package let number: Int32

  package init(owning number: Int32) {
    self.number = number
  }

  deinit {
    // Closing frees a lock only once a process that is being started has closed its copy, too.
    flock(number, LOCK_UN)
    close(number)
  }

  /// Reads what comes next, as much as the chunk has room for; 0 at the end.
  package func read(into chunk: inout [UInt8], at path: String) throws(JobsError) -> Int {
    while true {
      let count = Glibc.read(number, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .cannot("read", path) }
      return count
    }
  }

  /// Reads to the end, piece by piece.
  ///
  /// - Throws: `JobsError.file`, a cancellation, or what `body` throws.
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
  ) throws(JobsError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = calls.write(number, UnsafeRawBufferPointer(rebasing: rest))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .cannot("write", path, code: count < 0 ? errno : EIO) }
      rest = rest.dropFirst(count)
    }
  }

  /// Brings what was written to the disk.
  package func sync(_ path: String, calls: FileCalls = .system) throws(JobsError) {
    guard calls.sync(number) == 0 else { throw .cannot("write", path) }
  }

  /// Locks the file with flock(2); false when another process has it and `mode` has `LOCK_NB`.
  package func lock(_ mode: Int32, at path: String) throws(JobsError) -> Bool {
    while flock(number, mode) != 0 {
      if errno == EWOULDBLOCK { return false }
      guard errno == EINTR else { throw .cannot("lock", path) }
    }
    return true
  }

  /// Whether the file is the one that others would open now.
  package func isNamed(_ path: String) -> Bool {
    var (named, opened) = (stat(), stat())
    return stat(path, &named) == 0 && fstat(number, &opened) == 0
      && named.st_ino == opened.st_ino && named.st_dev == opened.st_dev
  }

  /// Whether no other name leads to the file, nor to nothing.
  package var hasOneName: Bool {
    var status = stat()
    return fstat(number, &status) == 0 && status.st_nlink <= 1
  }

  /// Opens a regular file or a folder that no child process inherits.
  ///
  /// - Throws: `JobsError.file` naming the action, such as `read`.
  package static func open(
    _ path: String, _ flags: Int32, mode: FileMode = .ownerOnly, to action: String
  ) throws(JobsError) -> FileDescriptor {
    do throws(RegularFile.Refusal) {
      return FileDescriptor(owning: try RegularFile.open(path, flags, mode: mode.bits))
    } catch {
      throw .cannot(action, path, code: error.code, error.special)
    }
  }
}

/// The calls that write files and folders, replaceable where a test needs them to fail.
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

/// Who may read what the program writes; see `docs/privacy.md#file-modes`.
package struct FileMode: Hashable, Sendable {
  /// The permission bits of files; a folder can also be entered by whoever may read it.
  package let bits: mode_t

  /// 0600 and 0700: all that the program writes, unless `output.mode` says otherwise.
  package static let ownerOnly = FileMode(bits: 0o600)

  /// What configuration files accept, for messages.
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

  /// Gives a file that was made for its owner alone this mode, whatever the umask.
  package func apply(to file: FileDescriptor, named path: String) throws(JobsError) {
    guard self != .ownerOnly, fchmod(file.number, bits) != 0 else { return }
    throw .cannot("set the mode of", path)
  }

  /// Gives a folder of this user this mode; a folder of another user, and any folder when the mode
  /// is `ownerOnly`, stays as it is.
  package func apply(toFolder path: String) throws(JobsError) {
    var status = stat()
    guard self != .ownerOnly, stat(path, &status) == 0, status.st_uid == geteuid(),
      status.st_mode & 0o777 != folderBits, chmod(path, folderBits) != 0
    else { return }
    throw .cannot("set the mode of", path)
  }
}
