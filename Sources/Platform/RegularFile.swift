package import Glibc

/// Opens the files that people name and commands find; it never waits, whatever has the name.
package enum RegularFile {
  /// Why a file was not opened.
  package struct Refusal: Error, Hashable, Sendable {
    /// The system's error number; `EINVAL` for a special file.
    package let code: Int32
    /// Nil when the system refused.
    package let special: SpecialFile?

    /// The end of a sentence: `it is a named pipe`, `permission denied`.
    package var reason: String {
      special.map { "it is \($0.rawValue)" } ?? SystemError.text(code)
    }
  }

  /// Opens a regular file, or a folder, so that no child process inherits it.
  ///
  /// - Returns: the descriptor, which the caller closes.
  package static func open(
    _ path: String, _ flags: Int32, mode: mode_t = 0o600
  ) throws(Refusal) -> Int32 {
    let number = Glibc.open(path, flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, mode)
    guard number >= 0 else {
      let code = errno
      // What a socket, and a pipe that is opened to write and nobody reads, is refused with.
      let special = code == ENXIO ? SpecialFile(path: path) : nil
      throw Refusal(code: special == nil ? code : EINVAL, special: special)
    }
    var status = stat()
    let code = fstat(number, &status) == 0 ? 0 : errno
    let special = code == 0 ? SpecialFile(mode: status.st_mode) : nil
    guard code == 0, special == nil else {
      close(number)
      throw Refusal(code: code == 0 ? EINVAL : code, special: special)
    }
    return number
  }

  /// Reads a small file whole.
  ///
  /// - Returns: its bytes; nil when there are more than `limit`.
  package static func bytes(of path: String, limit: Int) throws(Refusal) -> [UInt8]? {
    let bytes = try beginning(of: path, limit: limit + 1)
    return bytes.count <= limit ? bytes : nil
  }

  /// Reads a file, but not what is behind the first `limit` bytes.
  package static func beginning(of path: String, limit: Int) throws(Refusal) -> [UInt8] {
    let number = try open(path, O_RDONLY)
    defer { close(number) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count < limit {
      let count = read(number, &chunk, min(chunk.count, limit - bytes.count))
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw Refusal(code: errno, special: nil) }
      guard count > 0 else { break }
      bytes += chunk[..<count]
    }
    return bytes
  }

  /// Opens a file to read, or a named pipe, which waits until somebody writes to it.
  package static func openOrPipe(_ path: String) throws(Refusal) -> Int32 {
    guard SpecialFile(path: path) == .namedPipe else { return try open(path, O_RDONLY) }
    let number = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { throw Refusal(code: errno, special: nil) }
    return number
  }
}

/// Files that are not regular ones; folders are not counted.
///
/// Opening a named pipe waits for a writer, without a limit, and a device may have no
/// end. The raw value is the end of a sentence: `it is a named pipe`.
package enum SpecialFile: String, Hashable, Sendable {
  case namedPipe = "a named pipe"
  case device = "a device"
  case socket = "a socket"

  /// What has the name, behind any links; nil for a regular file, a folder, and where nothing is.
  package init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(mode: status.st_mode)
  }

  init?(mode: mode_t) {
    switch mode & S_IFMT {
    case S_IFIFO: self = .namedPipe
    case S_IFCHR, S_IFBLK: self = .device
    case S_IFSOCK: self = .socket
    default: return nil
    }
  }
}

/// The errors of the system's calls, by their numbers.
package enum SystemError {
  /// What went wrong, as the end of a sentence: `permission denied`.
  package static func text(_ code: Int32) -> String {
    code == EISDIR ? "it is a folder" : String(cString: strerror(code)).lowercased()
  }
}
