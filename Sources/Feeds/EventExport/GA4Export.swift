package import Model

/// Reads the GA4 BigQuery export, one JSON record per line or in one array, from a plain or gzip
/// file.
///
/// In constant memory. See `docs/jobs/import-events.md` for the record.
package final class GA4Export {
  /// The events and rejections of consecutive lines.
  package struct Page: Sendable {
    package var events = EventRows()
    package var rejections: [Rejection] = []
    /// The days and streams behind the origins of the events; see `EventOrigins`.
    package fileprivate(set) var origins: [EventOrigin] = []
    /// Bytes of the file that were read for this page and those before it.
    package fileprivate(set) var endOffset = 0

    package init() {}

    /// The number of lines that are not blank.
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

  /// A line that is not a valid event, for the rejects file.
  package struct Rejection: Hashable, Sendable {
    /// Counts from 1; in an array the number of the record.
    package var line: Int
    /// The end of a sentence, without a full stop.
    package var reason: String
    /// At most the first 200 bytes of the line, with invalid UTF-8 replaced.
    package var text: String
  }

  /// The longest accepted line in bytes, far longer than the export's rows.
  package static let longestLine = 1 << 20

  /// The maximum number of events per page, and per transaction.
  package static let mostEvents = 10_000
  /// The size of a page's events in bytes at which it is full.
  static let mostBytes = 4 << 20
  static let mostRejections = 1_000

  private static let quotedBytes = 200

  private let lines: LineReader
  private var encoder = EventRowEncoder()
  private var origins = EventOrigins()

  /// Opens the file at `path`, or standard input for `-`.
  package init(path: String) throws(FeedError) {
    lines = try LineReader(path: path, longestLine: Self.longestLine)
  }

  /// Whether a record of the file is meant; of one too long for an event its beginning counts.
  package static func hasLine(
    in path: String, where isMeant: (UnsafeRawBufferPointer) -> Bool
  ) throws(FeedError) -> Bool {
    let lines = try LineReader(path: path, longestLine: longestLine)
    while let isMet = try lines.nextRecord({ isMeant(UnsafeRawBufferPointer($0.bytes)) }) {
      if isMet { return true }
    }
    return false
  }

  /// Fills the page with the next lines in order; leaves it empty after the last line.
  ///
  /// Throws `FeedError.cannotRead` or `.truncated` when the file ends early; the page is then
  /// incomplete, and a later import of the whole file contains its events again.
  package func read(into page: inout Page) throws(FeedError) {
    page.removeAll()
    defer {
      page.endOffset = lines.offset
      page.origins = origins.all
    }
    while !page.isFull {
      guard try lines.nextRecord({ read($0, into: &page) }) != nil else { return }
    }
  }

  private func read(_ line: LineReader.Line, into page: inout Page) {
    do throws(JSONScanner.Fault) {
      guard !line.isTooLong else {
        throw .init(reason: "longer than \(Self.longestLine) bytes")
      }
      let bytes = line.content
      guard !bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else { return }
      try EventRecord.read(bytes, by: &encoder, into: &page.events, &origins)
    } catch {
      let text = String(decoding: line.bytes.prefix(Self.quotedBytes), as: UTF8.self)
      page.rejections.append(Rejection(line: line.number, reason: error.reason, text: text))
    }
  }
}

extension OutputBytes {
  /// Writes an event as a line that `GA4Export` reads.
  package func write(_ event: Event) throws(FeedError) {
    try write(Array((GA4Export.line(for: event) + "\n").utf8))
  }
}

extension GA4Export {
  /// The event as a line of the export without its line end, with parameters sorted by name.
  ///
  /// Reading it gives an equal event, except for empty texts (read as missing), infinite doubles
  /// and NaN (read as strings) and instants outside of the years 1970 to 9999 (rejected).
  package static func line(for event: Event) -> String {
    var members = [
      "\"event_timestamp\":\"\(event.at.microseconds)\"",
      "\"event_name\":\(quoted(event.name))",
      "\"event_params\":[\(parameters(of: event))]",
    ]
    if !event.userId.isEmpty { members.append("\"user_id\":\(quoted(event.userId))") }
    if let country = event.country { members.append("\"geo\":{\"country\":\(quoted(country))}") }
    if let version = event.appVersion {
      members.append("\"app_info\":{\"version\":\(quoted(version))}")
    }
    if let platform = event.platform {
      members.append("\"platform\":\(quoted(platform.uppercased()))")
    }
    return "{\(members.joined(separator: ","))}"
  }

  private static func parameters(of event: Event) -> String {
    event.parameters.sorted { $0.key < $1.key }
      .map { "{\"key\":\(quoted($0.key)),\"value\":{\(member(of: $0.value))}}" }
      .joined(separator: ",")
  }

  private static func member(of value: EventValue) -> String {
    switch value {
    case .string(let text): "\"string_value\":\(quoted(text))"
    case .integer(let number): "\"int_value\":\"\(number)\""
    case .double(let number) where number.isFinite: "\"double_value\":\(number)"
    case .double(let number): "\"double_value\":\"\(number)\""
    }
  }

  private static func quoted(_ text: String) -> String {
    "\"\(JSONText.escaped(text))\""
  }
}
