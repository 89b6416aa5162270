import Firestore
import Model
import Rules

/// One page of users: the rows it became, and what became of the rest.
struct UserPage: Sendable {
  private(set) var rows = UserRows()
  /// Documents left out, by reason.
  private(set) var skipped: [String: Int] = [:]
  /// Users stored with a last-seen time of the rule's making.
  private(set) var correctedTimes = 0
  private(set) var answer = PullPlan.Answer(documentCount: 0, last: nil, readTime: nil)

  /// The order field's value of the last document; nil when the scan could not read it.
  var orderValue: Value? {
    get { answer.last?.value }
    set { answer.last?.value = newValue }
  }

  /// Maps every document of the page, in its order.
  ///
  /// - Throws: what the scanner throws for a page that is not whole.
  mutating func scan(
    _ bytes: inout [UInt8], for order: UserPull.Order, by mapping: UserMapping
  ) throws -> ScannedPage {
    var lastValue: Value?
    var scanner = DocumentScanner(fields: mapping.wireNames)
    let page = try scanner.scan(&bytes) { document, buffer in
      add(mapping.map(document, in: buffer, to: &rows), order)
      lastValue = Self.value(of: document.fields[mapping.orderPosition], in: buffer)
    }
    answer = PullPlan.Answer(
      documentCount: page.documentCount, last: page.lastName.map { (lastValue, $0) },
      readTime: page.readTime)
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
    case .missing, .other, .malformed: nil
    }
  }

  private mutating func add(_ verdict: UserMapping.Verdict, _ order: UserPull.Order) {
    switch verdict {
    case .skipped(let reason):
      skipped[reason.id, default: 0] += 1
    case .row, .rowWithCorrectedTime:
      guard passes(order) else {
        rows.removeLast()
        skipped["filter", default: 0] += 1
        return
      }
      if verdict == .rowWithCorrectedTime { correctedTimes += 1 }
    }
  }

  /// Whether the last row meets the criteria, those included that Firestore was not asked about.
  private func passes(_ order: UserPull.Order) -> Bool {
    order.filter.isEmpty
      || FilterRule.matches(
        rows, row: rows.count - 1, order.filter, profileCity: order.city)
  }
}
