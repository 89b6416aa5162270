import Glibc

/// A file that is written in pieces and gets its name only when it is complete.
///
/// Without `finish` the draft is removed, and the previous file of that name stays. The draft of a
/// killed process is removed when the file is written again.
package final class DraftFile {
  private let path: String
  private let mode: FileMode
  /// The name before `finish`, for a writer that opens files by name.
  package let temporary: String
  /// Nil once the file is finished.
  private var file: UnsafeMutablePointer<FILE>?

  /// `mode` applies to the finished file.
  ///
  /// - Throws: `WorkspaceError.file`, and `.refused` when the name belongs to a link, even one to a
  ///   file, to anything except a regular file, or to a workspace's database: the rename would
  ///   replace it.
  package init(for path: String, mode: FileMode = .ownerOnly) throws(WorkspaceError) {
    self.path = path
    self.mode = mode
    temporary = AtomicFile.temporaryPath(for: path)
    var status = stat()
    if lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      throw .refused(
        .failed,
        status.st_mode & S_IFMT == S_IFLNK
          ? "Cannot write \(path): it is a link. Name the file itself, or another one."
          : "Cannot write \(path): it is not a regular file. Name another one.")
    }
    try AtomicFile.keepDatabase(at: path)
    try AtomicFile.removeAbandoned(for: path)
    let number = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, FileMode.ownerOnly.bits)
    guard number >= 0 else { throw .cannot("write", path) }
    file = fdopen(number, "w")
    guard file != nil else { throw .cannot("write", path) }
  }

  deinit {
    guard let file else { return }
    fclose(file)
    unlink(temporary)
  }

  /// The file descriptor for a writer with its own buffer.
  package var descriptor: Int32 { file.map(fileno) ?? -1 }

  package func write(_ bytes: UnsafeRawBufferPointer) throws(WorkspaceError) {
    guard fwrite(bytes.baseAddress, 1, bytes.count, file) == bytes.count else {
      throw .cannot("write", path)
    }
  }

  /// Gives the file its name, unless a file of that name has the same bytes and the same mode.
  ///
  /// - Returns: whether the file is another one now.
  package func finishIfChanged() throws -> Bool {
    guard fflush(file) == 0 else { throw WorkspaceError.cannot("write", path) }
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & 0o777 == mode.bits,
      try FileDigest(ofFile: temporary) == FileDigest(ofFile: path)
    {
      return false
    }
    try finish()
    return true
  }

  /// Syncs the bytes to the disk and gives the file its name.
  package func finish() throws(WorkspaceError) {
    guard let file else { return }
    guard mode == .ownerOnly || fchmod(fileno(file), mode.bits) == 0 else {
      throw .cannot("set the mode of", path)
    }
    guard fflush(file) == 0, fsync(fileno(file)) == 0, rename(temporary, path) == 0 else {
      throw .cannot("write", path)
    }
    fclose(file)
    self.file = nil
    AtomicFile.syncFolder(of: path)
  }
}
