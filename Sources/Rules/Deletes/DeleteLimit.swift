/// How many rows one run may delete because their documents are gone; docs/rules.md#deletes.
package enum DeleteLimit: Hashable, Sendable {
  case rows(Int)
  /// 0 to 100, of the rows that the table has before.
  case percent(Int)

  package static let standard = DeleteLimit.percent(10)

  /// Reads `500` or `10%`; nil for anything else.
  package init?(text: String) {
    let isShare = text.hasSuffix("%")
    let digits = isShare ? text.dropLast() : text[...]
    guard digits.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int(digits) else {
      return nil
    }
    guard isShare else {
      self = .rows(number)
      return
    }
    guard number <= 100 else { return nil }
    self = .percent(number)
  }

  package var text: String {
    switch self {
    case .rows(let count): "\(count)"
    case .percent(let percent): "\(percent)%"
    }
  }

  /// The most rows that may go of `rowCount`; a share is rounded up.
  package func rows(of rowCount: Int) -> Int {
    switch self {
    case .rows(let count): count
    case .percent(let percent):
      rowCount / 100 * percent + (rowCount % 100 * percent + 99) / 100
    }
  }
}
