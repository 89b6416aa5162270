package import Firestore

/// One number over the documents that a query selects.
package enum Aggregation: Sendable {
  /// Stops counting at `upTo`; nil counts all.
  case count(upTo: Int?)
  case sum(FieldPath)
  case average(FieldPath)

  /// What aggregations answer.
  struct Results {
    /// One per aggregation, in their order.
    let values: [Value]
    /// How many documents took part.
    let documentCount: Int
  }

  /// The field that a document must have to take part; nil when every document does.
  package var field: FieldPath? {
    switch self {
    case .count: nil
    case .sum(let field), .average(let field): field
    }
  }

  /// Values that are not numbers do not count; a sum of none is 0, an average of none null.
  package func value(over documents: [Document]) -> Value {
    switch self {
    case .count(let limit):
      return .integer(Int64(limit.map { min($0, documents.count) } ?? documents.count))
    case .sum(let field): return Aggregation.sum(of: documents.numbers(at: field))
    case .average(let field):
      let numbers = documents.numbers(at: field)
      guard !numbers.isEmpty else { return .null }
      return .double(numbers.reduce(0) { $0 + $1.approximated } / Double(numbers.count))
    }
  }

  /// An integer while everything is one and the sum fits 64 bits, else a double.
  private static func sum(of numbers: [Value]) -> Value {
    var whole: Int64 = 0
    for number in numbers {
      guard case .integer(let integer) = number else { return approximateSum(of: numbers) }
      let (sum, overflows) = whole.addingReportingOverflow(integer)
      guard !overflows else { return approximateSum(of: numbers) }
      whole = sum
    }
    return .integer(whole)
  }

  private static func approximateSum(of numbers: [Value]) -> Value {
    .double(numbers.reduce(0) { $0 + $1.approximated })
  }
}

extension [Document] {
  fileprivate func numbers(at field: FieldPath) -> [Value] {
    compactMap { document in
      document[field].flatMap { ValueOrder.typeClass(of: $0) == .number ? $0 : nil }
    }
  }
}

extension Value {
  /// A number as a double; 0 for anything else.
  fileprivate var approximated: Double {
    switch self {
    case .integer(let integer): Double(integer)
    case .double(let double): double
    default: 0
    }
  }
}
