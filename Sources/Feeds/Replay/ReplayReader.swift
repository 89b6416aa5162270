package import Model

/// Reads a replay file, one attempt a line, plain or gzip; docs/rules.md#replay.
///
/// Memory grows with the users, not with the lines.
package final class ReplayReader {
  package enum Line: Hashable, Sendable {
    case attempt(LimitAttempt, user: Int)
    /// `number` counts from 1; `reason` is the end of a sentence, without a full stop.
    case rejected(number: Int, reason: String)
  }

  /// Longer lines are rejected unread; docs/rules.md#replay.
  package static let longestLine = 1 << 20

  /// Who the numbers in the lines are.
  package let users: UserTable

  private let lines: LineReader

  /// Opens the file; `-` is standard input.
  ///
  /// Throws `FeedError.cannotOpen`.
  package init(path: String, users: UserTable) throws(FeedError) {
    self.users = users
    lines = try LineReader(path: path, longestLine: Self.longestLine)
  }

  /// The next line that is not blank; nil after the last.
  ///
  /// Throws `FeedError.cannotRead` or `.truncated` where the file breaks off.
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
      guard !line.bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else { return nil }
      let (attempt, user) = try ReplayLine.attempt(in: line.bytes, users: users)
      return .attempt(attempt, user: user)
    } catch {
      return .rejected(number: line.number, reason: error.reason)
    }
  }
}
