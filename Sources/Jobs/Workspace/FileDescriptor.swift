import Glibc

/// An open file that is closed when nothing refers to it any more.
final class FileDescriptor: Sendable {
  let number: Int32

  init(owning number: Int32) {
    self.number = number
  }

  deinit {
    close(number)
  }

  /// Opens a file that no child process inherits.
  ///
  /// - Throws: `FileFailure` naming the action, such as `read`.
  static func open(
    _ path: String, _ flags: Int32, mode: mode_t = 0o644, to action: String
  ) throws(FileFailure) -> FileDescriptor {
    let number = Glibc.open(path, flags | O_CLOEXEC, mode)
    guard number >= 0 else { throw FileFailure(action, path, code: errno) }
    return FileDescriptor(owning: number)
  }
}
