import Foundation
import Logging
import Reports

/// Log lines on standard error: plain for a person, JSON for a collector.
struct LineLog: Sendable {
  private let logger: Logger

  init(_ options: GlobalOptions) {
    // Who reads JSON reads it on both streams.
    let format = options.json ? .json : options.logFormat
    var logger = Logger(label: "firetally") { _ in LineLogWriter(format: format) }
    logger.logLevel = options.quiet ? .error : options.verbose ? .debug : .warning
    self.logger = logger
  }

  /// A step of the work, for who asked with `--verbose`.
  func note(_ text: String) { logger.debug("\(text)") }

  func warn(_ text: String) { logger.warning("\(text)") }
}

/// One line a message, without a time: cron and journald add theirs.
private struct LineLogWriter: LogHandler {
  let format: GlobalOptions.LogFormat
  var logLevel = Logger.Level.warning
  var metadata: Logger.Metadata = [:]

  init(format: GlobalOptions.LogFormat) {
    self.format = format
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let line =
      switch format {
      case .text: "\(event.level.rawValue): \(VisibleText.of("\(event.message)"))"
      case .json: json(event)
      }
    FileHandle.standardError.write(Data((line + "\n").utf8))
  }

  private func json(_ event: LogEvent) -> String {
    let members = [
      "message_type": "log", "level": event.level.rawValue, "message": "\(event.message)",
    ]
    // A dictionary of strings always encodes.
    return (try? Output.line(members)) ?? ""
  }
}
