import Firestore
import Model

/// One page of documents: the rows that it became, and where the next one starts.
struct PullPage: Sendable {
  private(set) var mapped: MappedRows
  /// Documents that were asked for.
  let limit: Int
  /// Nil unless the mapping's scanner counts fields.
  private(set) var census: FieldCensus?
  private(set) var answer = PullPlan.Answer(documentCount: 0, last: nil, readTime: nil)

  /// Begins with no rows, in the memory of `rows`.
  init(_ rows: consuming TableRows, limit: Int) {
    self.limit = limit
    mapped = MappedRows(rows)
  }

  /// The order field's value of the last document; nil when the scan could not read it.
  var orderValue: Value? {
    get { answer.last?.value }
    set { answer.last?.value = newValue }
  }

  /// Maps every document of the page, in its order.
  ///
  /// - Throws: what the scanner throws for a page that is not whole.
  mutating func scan(
    _ bytes: inout [UInt8], by mapping: some DocumentMapping
  ) throws -> ScannedPage {
    var lastValue: Value?
    var highest: Timestamp?
    var scanner = mapping.scanner
    let position = mapping.orderPosition
    // A row holds no more than its document; what is not used of the room is never touched.
    mapped.rows.reserve(rows: limit, bytes: bytes.count)
    let page = try scanner.scan(&bytes) { document, buffer in
      mapping.add(document, in: buffer, to: &mapped)
      if let position {
        lastValue = Self.value(of: document.fields[position], in: buffer)
        if case .timestamp(let time)? = lastValue { highest = max(highest ?? time, time) }
      }
    }
    census = page.census
    answer = PullPlan.Answer(
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
    case .missing, .bytes, .other, .malformed: nil
    }
  }
}
