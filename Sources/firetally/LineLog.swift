import Firestore
import Foundation
import Logging
import Model
import Reports
import Synchronization

/// Log lines on standard error: plain for people, JSON for a log collector.
struct LineLog: Sendable {
  private let logger: Logger
  private let writer: LineLogWriter

  var isJSON: Bool { writer.isJSON }

  init(_ options: GlobalOptions, clock: @escaping @Sendable () -> Instant) {
    // If standard output is JSON, standard error is JSON, too.
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

  /// Logs a request, shown with `-vv`.
  func trace(_ text: String) {
    logger.trace("\(text)")
  }

  /// Logs a step of the work, shown with `--verbose`.
  func debug(_ text: String, job: String? = nil, run: Int64? = nil) {
    logger.debug("\(text)", metadata: LineLogWriter.mark(job, run))
  }

  /// Prints a line of output of a user's command, except with `--quiet`.
  ///
  /// `job` is empty for a command outside of jobs.
  func info(_ text: String, job: String, run: Int64?) {
    guard logger.logLevel < .error else { return }
    write(LogLine(.info, text, job: job.isEmpty ? nil : job, run: run))
  }

  /// Prints news for people at once, such as the end of an earlier run's problem.
  func notice(_ text: String, job: String? = nil, run: Int64? = nil) {
    logger.notice("\(text)", metadata: LineLogWriter.mark(job, run))
  }

  /// Prints a warning; with `isUrgent` even with `--quiet`, because it requires action.
  func warning(_ text: String, job: String? = nil, run: Int64? = nil, isUrgent: Bool = false) {
    guard !isUrgent else { return write(LogLine(.warning, text, job: job, run: run)) }
    logger.warning("\(text)", metadata: LineLogWriter.mark(job, run))
  }

  /// Prints a problem that requires action, even with `--quiet`.
  func error(_ text: String, job: String? = nil, run: Int64? = nil) {
    write(LogLine(.error, text, job: job, run: run))
  }

  /// Prints a line regardless of the options, such as an error.
  func write(_ line: LogLine) {
    writer.write(line)
  }

  /// The format and the clock of lines, outside the lifetime of the command's own log.
  private static let processWide = Mutex(firstWriter)

  private static var firstWriter: LineLogWriter {
    LineLogWriter(
      isJSON: isJSONWanted(in: ProgramProcess.current.arguments), clock: { Instant(Date()) })
  }

  /// Prints a message that is not a log line on standard error, such as the program's final error.
  ///
  /// People get it without a time, programs as a JSON line.
  static func print(_ text: @autoclosure () -> String, json line: @autoclosure () -> LogLine) {
    let streams = ProgramProcess.current.streams
    let writer =
      streams.map { $0.log.withLock(\.self) ?? firstWriter }
      ?? processWide.withLock(\.self)
    if writer.isJSON { writer.write(line()) } else { StandardStream.errors.write(text() + "\n") }
  }

  static func print(_ text: String) {
    print("firetally: \(VisibleText.of(text))", json: LogLine(.warning, text))
  }

  /// Uses the raw arguments, since the message may be about an error in them.
  static func isJSONWanted(in arguments: [String]) -> Bool {
    arguments.contains("--json") || arguments.contains("--log-format=json")
      || zip(arguments, arguments.dropFirst()).contains { $0 == "--log-format" && $1 == "json" }
  }
}

/// A log handler that writes each message as one line, unbuffered, since the program may be killed.
struct LineLogWriter: LogHandler {
  let isJSON: Bool
  let clock: @Sendable () -> Instant
  var logLevel = Logger.Level.warning
  var metadata: Logger.Metadata = [:]

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

  static func mark(_ job: String?, _ run: Int64?) -> Logger.Metadata {
    var members: Logger.Metadata = [:]
    if let job { members["job"] = "\(job)" }
    if let run { members["run"] = "\(run)" }
    return members
  }
}

/// One line on standard error, for a person or for a program; see `docs/commands.md#log-lines`.
struct LogLine {
  let level: Logger.Level
  let message: String
  /// The job of the line; nil for none.
  var job: String?
  /// The id of the run in `sync_runs`.
  var run: Int64?
  /// The exit status of an error; nil for other lines.
  var code: Int32?
  /// The type of the line for programs: `log`, `error`, or a type with its own members.
  var type = "log"
  /// Members that only lines of this type have.
  var details: JSONObject = [:]

  init(_ level: Logger.Level, _ message: String, job: String? = nil, run: Int64? = nil) {
    self.level = level
    self.message = message
    self.job = job
    self.run = run
  }

  init(
    _ error: any Error, code: Int32, message: String, job: String? = nil, run: Int64? = nil
  ) {
    self.init(.error, message, job: job, run: run)
    self.code = code
    type = "error"
    let indexes = (error as? FirestoreError)?.missingIndexes ?? []
    if let error = error as? CommandError {
      details = error.members
      if let run = error.run { (self.job, self.run) = (run.job, run.id) }
    }
    // The content that `firestore.indexes.json` needs for the failed query.
    if !indexes.isEmpty {
      details = details.merging(["firestore_indexes": QueryIndex.file(of: indexes)])
    }
  }

  /// Returns the line as text: `2026-01-31T08:00:00Z warning: online-users: …`.
  ///
  /// Further lines of the message are indented, so that none looks like a separate line.
  func text(at time: Instant) -> String {
    let lines = VisibleText.of(sentence).replacing("\n", with: "\n  ")
    return "\(time.iso8601) \(level.rawValue): \(lines)"
  }

  /// The message, prefixed with the job's name.
  private var sentence: String { job.map { "\($0): \(message)" } ?? message }

  /// Returns the line as one JSON object; missing values are null.
  func json(at time: Instant) -> String {
    let line: JSONObject = [
      "message_type": type, "time": time.iso8601, "level": level.rawValue, "message": sentence,
      "job": job, "run": run, "code": code,
    ]
    do {
      return try StoredJSON.text(of: details.merging(line))
    } catch {
      preconditionFailure("numbers, texts and instants are always JSON: \(error)")
    }
  }
}
