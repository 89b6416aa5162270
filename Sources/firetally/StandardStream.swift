import Foundation
import Glibc
import Reports
import Synchronization

/// Standard output or standard error, which may be closed, full, or a pipe that nobody reads.
///
/// A write that fails is remembered and never ends the program: the work goes on.
enum StandardStream: Int32, Sendable {
  case output = 1
  case errors = 2

  /// What a stream could not take.
  struct Loss: Hashable, Sendable {
    let stream: StandardStream
    /// The system's error number.
    let code: Int32

    /// Nobody reads the pipe any more, as after `| head`.
    var isBrokenPipe: Bool { code == EPIPE }

    /// A clause: `no space left on device`.
    var reason: String {
      switch code {
      case EBADF: "it is closed"
      case EPIPE: "its reader is gone"
      default: String(cString: strerror(code)).lowercased()
      }
    }

    /// `standard error (no space left on device)`.
    var text: String { "\(stream.name) (\(reason))" }
  }

  private struct Losses {
    var first: [StandardStream: Loss] = [:]
    var untold: [StandardStream: Loss] = [:]
  }

  private static let losses = Mutex(Losses())

  /// Whether a person is likely to read it.
  var isTerminal: Bool { ProgramProcess.current.streams == nil && isatty(rawValue) == 1 }

  var name: String { self == .output ? "standard output" : "standard error" }

  /// Why the stream first failed; nil as long as it took everything.
  var loss: Loss? {
    ProgramProcess.current.streams == nil ? Self.losses.withLock { $0.first[self] } : nil
  }

  /// What was lost since this was asked last.
  static func takeLosses() -> [Loss] {
    guard ProgramProcess.current.streams == nil else { return [] }
    return losses.withLock { losses in
      defer { losses.untold = [:] }
      return losses.untold.values.sorted { $0.stream.rawValue < $1.stream.rawValue }
    }
  }

  /// Writes everything, or remembers why it could not.
  ///
  /// Nothing is written after a gap in standard output, so that no reader takes a part for the
  /// whole.
  func write(_ bytes: some Sequence<UInt8>) {
    if let streams = ProgramProcess.current.streams { return streams.append(bytes, to: self) }
    if self == .output, let loss { return remember(loss) }
    let code = Array(bytes).withUnsafeBytes { Self.send($0, to: rawValue) }
    if code != 0 { remember(Loss(stream: self, code: code)) }
  }

  func write(_ text: String) {
    write(text.utf8)
  }

  /// Data as the stream may have it: characters that would act on a terminal are shown there as in
  /// docs/reports.md#hostile-text, and a file or a pipe gets them as they are.
  func harmless(_ bytes: [UInt8]) -> [UInt8] {
    guard isTerminal else { return bytes }
    return Self.visible(bytes)
  }

  /// CR LF ends a line here as LF does.
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

  /// Returns 0, or the system's error number.
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
        // Another process has made the terminal or pipe that it shares with us non-blocking.
        var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&wait, 1, -1)
      } else if errno != EINTR {
        return errno
      }
    }
    return 0
  }
}

/// How much a terminal shows.
enum TerminalSize {
  /// Where the terminal does not say, as many as a VT100 has.
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

/// The process that a command runs in, as the command sees it.
///
/// `main` runs one command in the process's own; tests run many in one process, each in one of
/// these.
struct ProgramProcess: Sendable {
  /// With the program's name in front.
  let arguments: [String]
  let environment: [String: String]
  /// What takes the place of the standard streams; nil for the process's own.
  let streams: CapturedStreams?

  @TaskLocal static var current = ProgramProcess(
    arguments: CommandLine.arguments, environment: ProcessInfo.processInfo.environment,
    streams: nil)
}

/// Standard output and standard error, kept in memory; no terminal.
final class CapturedStreams: Sendable {
  private let bytes = Mutex<[StandardStream: [UInt8]]>([:])
  /// The log of the command that runs; nil before it has one.
  let log = Mutex<LineLogWriter?>(nil)

  func append(_ more: some Sequence<UInt8>, to stream: StandardStream) {
    bytes.withLock { $0[stream, default: []] += more }
  }

  func text(of stream: StandardStream) -> String {
    String(decoding: bytes.withLock { $0[stream, default: []] }, as: UTF8.self)
  }
}
