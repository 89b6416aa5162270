import Foundation
import Glibc
import Reports
import Synchronization

/// Standard output or standard error, which may be closed, full, or a pipe without a reader.
///
/// A failed write is recorded and never ends the program: the work continues.
enum StandardStream: Int32, Sendable {
  case output = 1
  case errors = 2

  /// A failed write to a stream.
  struct Loss: Hashable, Sendable {
    let stream: StandardStream
    /// The system's error number.
    let code: Int32

    /// Whether the pipe has no reader left, as after `| head`.
    var isBrokenPipe: Bool { code == EPIPE }

    /// The reason as a clause: `no space left on device`.
    var reason: String {
      switch code {
      case EBADF: "it is closed"
      case EPIPE: "its reader is gone"
      default: String(cString: strerror(code)).lowercased()
      }
    }

    /// The stream and the reason: `standard error (no space left on device)`.
    var text: String { "\(stream.name) (\(reason))" }
  }

  private struct Losses {
    var first: [StandardStream: Loss] = [:]
    var untold: [StandardStream: Loss] = [:]
  }

  private static let losses = Mutex(Losses())

  /// Whether a person is likely to read the stream.
  var isTerminal: Bool { ProgramProcess.current.streams == nil && isatty(rawValue) == 1 }

  var name: String { self == .output ? "standard output" : "standard error" }

  /// The first failure of the stream; nil if all writes succeeded.
  var loss: Loss? {
    ProgramProcess.current.streams == nil ? Self.losses.withLock { $0.first[self] } : nil
  }

  /// Returns the failures since the last call, each only once.
  static func takeLosses() -> [Loss] {
    guard ProgramProcess.current.streams == nil else { return [] }
    return losses.withLock { losses in
      defer { losses.untold = [:] }
      return losses.untold.values.sorted { $0.stream.rawValue < $1.stream.rawValue }
    }
  }

  /// Writes all bytes, or records why that failed.
  ///
  /// After a gap in standard output nothing more is written, so that no reader takes partial output
  /// for complete.
  func write(_ bytes: some Sequence<UInt8>) {
    if let streams = ProgramProcess.current.streams { return streams.append(bytes, to: self) }
    if self == .output, let loss { return remember(loss) }
    let code = Array(bytes).withUnsafeBytes { Self.send($0, to: rawValue) }
    if code != 0 { remember(Loss(stream: self, code: code)) }
  }

  func write(_ text: String) {
    write(text.utf8)
  }

  /// Returns data for this stream.
  ///
  /// On a terminal, control characters are shown as in docs/reports.md#hostile-text; a file or a
  /// pipe gets them unchanged.
  func harmless(_ bytes: [UInt8]) -> [UInt8] {
    guard isTerminal else { return bytes }
    return Self.visible(bytes)
  }

  /// Returns bytes with visible control characters; CR LF ends a line as LF does.
  static func visible(_ bytes: [UInt8]) -> [UInt8] {
    let text = String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
    return Array(VisibleText.of(text).utf8)
  }

  private func remember(_ loss: Loss) {
    Self.losses.withLock { losses in
      losses.untold[self] = loss
      losses.first[self] = losses.first[self] ?? loss
    }
  }

  /// Writes all bytes; returns 0, or the system's error number.
  static func send(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = Glibc.write(
        descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if count == 0 {
        return EIO
      } else if errno == EAGAIN {
        // Another process that shares the terminal or pipe with this one has made it non-blocking.
        var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&wait, 1, -1)
      } else if errno != EINTR {
        return errno
      }
    }
    return 0
  }
}

/// The size of a terminal.
enum TerminalSize {
  /// The default when the terminal reports none: that of a VT100.
  private static let usualColumns = 80
  private static let fewestColumns = 10

  static func columns(of descriptor: Int32) -> Int {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return usualColumns
    }
    return max(fewestColumns, Int(size.ws_col))
  }
}

/// The process of a command, as the command sees it.
///
/// `main` runs one command in the real process; tests run many commands in one process, each with
/// its own value.
struct ProgramProcess: Sendable {
  /// The arguments, beginning with the program's name.
  let arguments: [String]
  let environment: [String: String]
  /// The replacement of the standard streams; nil for those of the process.
  let streams: CapturedStreams?

  @TaskLocal static var current = ProgramProcess(
    arguments: CommandLine.arguments, environment: ProcessInfo.processInfo.environment,
    streams: nil)
}

/// Standard output and standard error in memory, without a terminal.
final class CapturedStreams: Sendable {
  private let bytes = Mutex<[StandardStream: [UInt8]]>([:])
  /// The log of the running command; nil before it has one.
  let log = Mutex<LineLogWriter?>(nil)

  func append(_ more: some Sequence<UInt8>, to stream: StandardStream) {
    bytes.withLock { $0[stream, default: []] += more }
  }

  func text(of stream: StandardStream) -> String {
    String(decoding: bytes.withLock { $0[stream, default: []] }, as: UTF8.self)
  }
}
