import Firestore
import Model
import Synchronization

/// One page of documents: the rows that it became, and where the next one starts.
struct PullPage: Sendable {
  private(set) var mapped: MappedRows
  /// Documents with the stored `updateTime`, which became no row.
  private(set) var unchangedCount = 0
  /// The full names of listed documents whose change a load missed.
  private(set) var missedNames: [String] = []
  /// The rows of such documents, once they are fetched.
  var missed: [MappedRows] = []
  /// Documents that were asked for.
  let limit: Int
  /// Nil unless the mapping's scanner counts fields.
  private(set) var census: FieldCensus?
  private(set) var summary = PageSummary(documentCount: 0, last: nil, readTime: nil)

  /// Begins with no rows, in the memory of `rows`.
  init(_ rows: consuming TableRows, limit: Int) {
    self.limit = limit
    mapped = MappedRows(rows)
  }

  /// The order field's value of the last document; nil when the scan could not read it.
  var orderValue: Value? {
    get { summary.last?.value }
    set { summary.last?.value = newValue }
  }

  /// Bytes of all rows.
  var byteCount: Int { missed.reduce(mapped.byteCount) { $0 + $1.byteCount } }

  /// Maps every document of the page, in its order, and collects the names of those that `isMissed`.
  ///
  /// - Throws: what the scanner throws for a page that is not whole, or not from `origin`.
  mutating func scan(
    _ bytes: inout [UInt8], by mapping: some DocumentMapping, from origin: DocumentOrigin? = nil,
    stored: DocumentScanner.StoredTime? = nil,
    isMissed: ((borrowing ScannedDocument, UnsafeRawBufferPointer) throws -> Bool)? = nil
  ) throws -> ScannedPage {
    var highest: Timestamp?
    var scanner = mapping.scanner
    scanner.origin = origin
    let position = mapping.orderPosition
    // Rows without their documents' JSON hold less than half of it.
    mapped.rows.reserve(rows: limit, bytes: bytes.count / 2)
    let page = try scanner.scan(&bytes, stored: stored) { document, buffer in
      guard !document.isUnchanged else {
        unchangedCount += 1
        return
      }
      mapping.add(document, in: buffer, to: &mapped)
      if let isMissed, try isMissed(document, buffer) {
        missedNames.append(String(decoding: buffer[document.name], as: UTF8.self))
      }
      if let position, let value = Self.value(of: document.fields[position], in: buffer),
        // The method as a value would copy the mapping for each document.
        let time = mapping.time(of: value)
      {
        highest = max(highest ?? time, time)
      }
    }
    let lastValue = position.flatMap { position in
      bytes.withUnsafeBytes { Self.value(of: scanner.lastFields[position], in: $0) }
    }
    census = page.census
    summary = PageSummary(
      documentCount: page.documentCount, last: page.lastName.map { (lastValue, $0) },
      readTime: page.readTime, highest: highest)
    return page
  }

  /// What a cursor compares; nil for a kind that the scan does not read.
  private static func value(of field: ScannedField, in page: UnsafeRawBufferPointer) -> Value? {
    switch field {
    case .boolean(let flag): .boolean(flag)
    case .integer(let number): .integer(number)
    case .double(let number): .double(number)
    case .timestamp(let microseconds): .timestamp(Timestamp(microseconds: microseconds))
    case .string(let range): .string(String(decoding: page[range], as: UTF8.self))
    case .null: .null
    case .reference(let range): .reference(String(decoding: page[range], as: UTF8.self))
    case .missing, .bytes, .other, .unreachable, .malformed: nil
    }
  }
}

/// Emptied rows whose memory the next pages are mapped into; see `BodyBuffers` for the reason.
final class RowBuffers: Sendable {
  /// Buffers kept at most: the pages of a transaction, and of the next one, which is being fetched.
  private static let capacity = 8
  /// Bytes of texts that a buffer worth keeping has at most.
  private static let largest = 4 << 20

  private let buffers = Mutex<[TableRows]>([])

  /// No rows, in memory that was used before where there is some.
  func next(width: Int) -> TableRows {
    let rows = buffers.withLock { $0.popLast() }
    guard let rows, rows.width == width else { return TableRows(width: width) }
    return rows
  }

  /// Frees the memory.
  func removeAll() { buffers.withLock { $0 = [] } }

  /// Empties the rows and keeps their memory.
  ///
  /// Nothing else may refer to any of them: emptying rows that are shared allocates their memory
  /// anew.
  func recycle(_ pages: inout [TableRows]) {
    while var rows = pages.popLast() {
      guard rows.bytes.count <= Self.largest else { continue }
      rows.removeAll()
      buffers.withLock { [rows] buffers in
        if buffers.count < Self.capacity { buffers.append(rows) }
      }
    }
  }
}
