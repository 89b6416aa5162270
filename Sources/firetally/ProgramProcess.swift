import Foundation
import Synchronization

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
