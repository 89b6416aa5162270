package import Model

/// Reads a replay file, one attempt per line, plain or gzip; docs/replay.md#replay.
///
/// Memory grows with the number of users, not of lines.
package final class ReplayReader {
  package enum Line: Hashable, Sendable {
    case attempt(LimitAttempt, user: Int)
    /// The line `number` counts from 1; `reason` is the end of a sentence without a full stop.
    case rejected(number: Int, reason: String)
  }

  /// The longest accepted line in bytes; docs/replay.md#replay.
  package static let longestLine = 1 << 20

  /// The users behind the numbers in the attempts.
  package let users: StringInterner

  private let lines: LineReader

  /// Opens the file; `-` is standard input.
  package init(path: String, users: StringInterner) throws(FeedError) {
    self.users = users
    lines = try LineReader(path: path, longestLine: Self.longestLine)
  }

  /// The next line that is not blank; nil after the last.
  ///
  /// Throws `FeedError.cannotRead` or `.truncated` when the file ends early.
  package func next() throws(FeedError) -> Line? {
    while let line = try lines.next(read) {
      if let line { return line }
    }
    return nil
  }

  /// Nil for a blank line.
  private func read(_ line: LineReader.Line) -> Line? {
    do throws(JSONScanner.Fault) {
      guard !line.isTooLong else {
        throw .init(reason: "longer than \(Self.longestLine) bytes")
      }
      guard !line.content.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else { return nil }
      let (attempt, user) = try ReplayLine.attempt(in: line.content, users: users)
      return .attempt(attempt, user: user)
    } catch {
      return .rejected(number: line.number, reason: error.reason)
    }
  }
}
