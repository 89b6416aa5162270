package import Model

/// Reads the GA4 BigQuery export, one JSON record a line, from a file that is plain or gzip.
///
/// Memory does not grow with the file. `docs/jobs.md#import-events` describes the record.
package final class GA4Export {
  package enum Line: Hashable, Sendable {
    case event(Event)
    case rejected(Rejection)
  }

  /// A line that is no event, for the rejects file.
  package struct Rejection: Hashable, Sendable {
    /// Counts from 1.
    package var line: Int
    /// The end of a sentence, without a full stop.
    package var reason: String
    /// The beginning of the line, at most 200 bytes, broken UTF-8 replaced.
    package var text: String
  }

  /// Longer lines are rejected unread; the export's own rows stay far below.
  package static let longestLine = 1 << 20

  private static let quotedBytes = 200

  private let lines: LineReader

  /// Throws `FeedError.cannotOpen`.
  package init(path: String) throws(FeedError) {
    lines = try LineReader(path: path, longestLine: Self.longestLine)
  }

  /// The next line that is not blank; nil after the last.
  ///
  /// Throws `FeedError.cannotRead` or `.truncated` where the file breaks off.
  package func next() throws(FeedError) -> Line? {
    while let line = try lines.next(Self.read) {
      if let line { return line }
    }
    return nil
  }

  /// Nil for a blank line.
  private static func read(_ line: LineReader.Line) -> Line? {
    do throws(JSONScanner.Fault) {
      guard !line.isTooLong else {
        throw .init(reason: "longer than \(longestLine) bytes")
      }
      guard !line.bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else { return nil }
      return .event(try EventRecord.event(in: line.bytes))
    } catch {
      let text = String(decoding: line.bytes.prefix(quotedBytes), as: UTF8.self)
      return .rejected(Rejection(line: line.number, reason: error.reason, text: text))
    }
  }
}
