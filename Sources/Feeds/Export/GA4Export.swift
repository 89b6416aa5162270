package import Model

/// Reads the GA4 BigQuery export, one JSON record a line, from a file that is plain or gzip.
///
/// Memory does not grow with the file. `docs/jobs.md#import-events` describes the record.
package final class GA4Export {
  /// Some lines of an export, read.
  package struct Page: Sendable {
    package var events = EventRows()
    package var rejections: [Rejection] = []

    package init() {}

    /// Lines that were not blank.
    package var lineCount: Int { events.count + rejections.count }

    package mutating func removeAll() {
      events.removeAll()
      rejections.removeAll(keepingCapacity: true)
    }

    fileprivate var isFull: Bool {
      events.count >= GA4Export.mostEvents || events.bytes.count >= GA4Export.mostBytes
        || rejections.count >= GA4Export.mostRejections
    }
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

  /// The path that stands for standard input.
  package static let standardInput = LineReader.standardInput

  /// Longer lines are rejected unread; the export's own rows stay far below.
  package static let longestLine = 1 << 20

  /// Events of one page, and of one transaction.
  package static let mostEvents = 10_000
  /// Bytes of a page's events, beyond which it takes no other line.
  static let mostBytes = 4 << 20
  static let mostRejections = 1_000

  private static let quotedBytes = 200
  /// U+FEFF in UTF-8, which some programs write in front of a file.
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  private let lines: LineReader
  private var draft = EventDraft()

  /// Opens the file at `path`, or standard input.
  ///
  /// Throws `FeedError.cannotOpen`.
  package init(path: String) throws(FeedError) {
    lines = try LineReader(path: path, longestLine: Self.longestLine)
  }

  /// Fills the page with the next lines, in their order; it stays without lines after the last one.
  ///
  /// Throws `FeedError.cannotRead` or `.truncated` where the file breaks off. The page then holds a
  /// part of what it should, which an import of the whole file brings anew.
  package func read(into page: inout Page) throws(FeedError) {
    page.removeAll()
    while !page.isFull {
      guard try lines.next({ read($0, into: &page) }) != nil else { return }
    }
  }

  private func read(_ line: LineReader.Line, into page: inout Page) {
    do throws(JSONScanner.Fault) {
      guard !line.isTooLong else {
        throw .init(reason: "longer than \(Self.longestLine) bytes")
      }
      let bytes = content(of: line)
      guard !bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else { return }
      try EventRecord.read(bytes, by: &draft, into: &page.events)
    } catch {
      let text = String(decoding: line.bytes.prefix(Self.quotedBytes), as: UTF8.self)
      page.rejections.append(Rejection(line: line.number, reason: error.reason, text: text))
    }
  }

  private func content(of line: LineReader.Line) -> UnsafeBufferPointer<UInt8> {
    guard line.number == 1, line.bytes.starts(with: Self.byteOrderMark) else { return line.bytes }
    return UnsafeBufferPointer(rebasing: line.bytes.dropFirst(Self.byteOrderMark.count))
  }
}
