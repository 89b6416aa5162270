/// The log lines of one run, oldest first; bounded, see `docs/runs.md#log`.
///
/// When there are more, the oldest are left out: the end of a run says why it failed.
package struct RunLog: Hashable, Sendable {
  /// As on standard error: `docs/commands.md#log-lines`.
  package enum LineLevel: String, CaseIterable, Sendable {
    case debug, info, notice, warning, error
  }

  package struct LoggedLine: Hashable, Sendable {
    package var at: Instant
    package var level: LineLevel
    /// May have several lines.
    package var message: String

    package init(at: Instant, level: LineLevel, message: String) {
      self.at = at
      self.level = level
      self.message = message
    }
  }

  /// Lines that are kept of one run.
  package static let maxLines = 1_000
  /// Bytes of the messages that are kept of one run, together.
  package static let maxBytes = 65_536
  /// Bytes of one message; a longer one is cut.
  package static let maxMessageBytes = 4_096

  package private(set) var lines: [LoggedLine] = []
  /// Older lines that were left out.
  package private(set) var omittedCount: Int
  private var byteCount = 0

  /// `omittedCount` is of the lines before the first that is appended.
  package init(omittedCount: Int = 0) {
    self.omittedCount = omittedCount
  }

  package mutating func append(_ line: LoggedLine) {
    var line = line
    // SQLite's own tools show a text up to its first NUL.
    line.message = Self.clipped(line.message.replacing("\0", with: "␀"))
    lines.append(line)
    byteCount += line.message.utf8.count
    var surplus = 0
    while lines.count - surplus > Self.maxLines || byteCount > Self.maxBytes {
      byteCount -= lines[surplus].message.utf8.count
      surplus += 1
    }
    lines.removeFirst(surplus)
    omittedCount += surplus
  }

  /// Cut between two characters, with `…` for the rest.
  private static func clipped(_ message: String) -> String {
    guard message.utf8.count > maxMessageBytes else { return message }
    let mark = "…"
    var end = message.utf8.index(message.startIndex, offsetBy: maxMessageBytes - mark.utf8.count)
    while end.samePosition(in: message) == nil { end = message.utf8.index(before: end) }
    return message[..<end] + mark
  }
}
