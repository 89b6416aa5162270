import Foundation
import Logging
import Model
import Reports
import Synchronization

/// Log lines on standard error: plain for a person, JSON for a collector.
struct LineLog: Sendable {
  private let logger: Logger
  private let writer: LineLogWriter

  var isJSON: Bool { writer.isJSON }

  init(_ options: GlobalOptions, clock: @escaping @Sendable () -> Instant) {
    // With JSON on standard output, standard error is JSON, too.
    let writer = LineLogWriter(isJSON: options.json || options.logFormat == .json, clock: clock)
    var logger = Logger(label: "firetally") { _ in writer }
    logger.logLevel =
      options.quiet
      ? .error : options.tracesRequests ? .trace : options.verbose ? .debug : .notice
    self.logger = logger
    self.writer = writer
    if let streams = ProgramProcess.current.streams {
      streams.log.withLock { $0 = writer }
    } else {
      Self.processWide.withLock { $0 = writer }
    }
  }

  /// A step of the work, shown with `--verbose`.
  func note(_ text: String, job: String? = nil, run: Int64? = nil) {
    logger.debug("\(text)", metadata: LineLogWriter.metadata(job, run))
  }

  /// A request, shown with `-vv`.
  func trace(_ text: String) {
    logger.trace("\(text)")
  }

  /// Good news that ends a warning of an earlier run.
  func notice(_ text: String, job: String? = nil, run: Int64? = nil) {
    logger.notice("\(text)", metadata: LineLogWriter.metadata(job, run))
  }

  func warn(_ text: String, job: String? = nil, run: Int64? = nil) {
    logger.warning("\(text)", metadata: LineLogWriter.metadata(job, run))
  }

  /// A warning that somebody has to act on, also with `--quiet`.
  func alert(_ text: String, job: String? = nil, run: Int64? = nil) {
    say(LogLine(.warning, text, job: job, run: run))
  }

  /// A line that a command of the user's has printed; nothing with `--quiet`.
  func quote(_ text: String, job: String, run: Int64?) {
    guard logger.logLevel < .error else { return }
    say(LogLine(.info, text, job: job, run: run))
  }

  /// What has to be said whatever was asked for, such as an error.
  func say(_ line: LogLine) {
    writer.write(line)
  }

  /// Whether lines are JSON, and what says the time, before and after the command's own log is
  /// there.
  private static let processWide = Mutex(firstWriter)

  private static var firstWriter: LineLogWriter {
    LineLogWriter(
      isJSON: isJSONWanted(in: ProgramProcess.current.arguments), clock: { Instant(Date()) })
  }

  /// Prints an answer of a command on standard error, without a time.
  static func answer(_ text: String) {
    answer(LogLine(.warning, text), text: "firetally: \(VisibleText.of(text))")
  }

  /// The same for a line of its own, such as the refusal that a program ends with.
  ///
  /// - Parameters:
  ///   - line: for a program.
  ///   - text: for a person, without a time: an answer is no line of a log.
  static func answer(_ line: @autoclosure () -> LogLine, text: @autoclosure () -> String) {
    let streams = ProgramProcess.current.streams
    let writer =
      streams.map { $0.log.withLock(\.self) ?? firstWriter }
      ?? processWide.withLock(\.self)
    if writer.isJSON { writer.write(line()) } else { StandardStream.errors.write(text() + "\n") }
  }

  /// Reads the arguments raw, since the message may be that they are wrong.
  static func isJSONWanted(in arguments: [String]) -> Bool {
    arguments.contains("--json") || arguments.contains("--log-format=json")
      || zip(arguments, arguments.dropFirst()).contains { $0 == "--log-format" && $1 == "json" }
  }
}

/// Writes each message as one line, at once: nothing may be buffered when the program is killed.
struct LineLogWriter: LogHandler {
  let isJSON: Bool
  let clock: @Sendable () -> Instant
  var logLevel = Logger.Level.warning
  var metadata: Logger.Metadata = [:]

  init(isJSON: Bool, clock: @escaping @Sendable () -> Instant) {
    self.isJSON = isJSON
    self.clock = clock
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let job = event.metadata?["job"].map { "\($0)" }
    let run = event.metadata?["run"].flatMap { Int64("\($0)") }
    write(LogLine(event.level, "\(event.message)", job: job, run: run))
  }

  func write(_ line: LogLine) {
    let time = clock()
    if ProgramProcess.current.streams == nil { ProgressLine.giveWay() }
    StandardStream.errors.write((isJSON ? line.json(at: time) : line.text(at: time)) + "\n")
  }

  static func metadata(_ job: String?, _ run: Int64?) -> Logger.Metadata {
    var members: Logger.Metadata = [:]
    if let job { members["job"] = "\(job)" }
    if let run { members["run"] = "\(run)" }
    return members
  }
}
