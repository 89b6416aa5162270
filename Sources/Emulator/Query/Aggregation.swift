package import Firestore
import Model

/// An aggregation over the documents that a query selects.
package enum Aggregation: Sendable {
  /// Counts up to `upTo` documents; nil counts all.
  case count(upTo: Int?)
  case sum(FieldPath)
  case average(FieldPath)

  struct Results {
    /// One per aggregation, in order.
    let values: [Value]
    let documentCount: Int
  }

  /// The aggregated field, which documents must have to count; nil when all documents count.
  package var field: FieldPath? {
    switch self {
    case .count: nil
    case .sum(let field), .average(let field): field
    }
  }

  /// Ignores values that are not numbers; the sum of no number is 0, or null where the edition says
  /// so, the average null.
  ///
  /// - Throws: for a sum that does not fit 64 bits where the edition refuses it.
  func value(
    over documents: [Document], _ rules: EditionRules
  ) throws(RefusedRequest) -> Value {
    switch self {
    case .count(let limit):
      return .integer(Int64(limit.map { min($0, documents.count) } ?? documents.count))
    case .sum(let field):
      let numbers = documents.numbers(at: field)
      guard !numbers.isEmpty || !rules.sumOfNothingIsNull else { return .null }
      let sum = NumberSum(numbers)
      guard !sum.overflows || !rules.sumOverflowFails else {
        throw .invalid("Integer overflow in the sum of \(field).")
      }
      return sum.total
    case .average(let field): return NumberSum(documents.numbers(at: field)).average
    }
  }
}

extension [Document] {
  fileprivate func numbers(at field: FieldPath) -> [Value] {
    compactMap { document in
      document[field].flatMap { ValueOrder.typeClass(of: $0) == .number ? $0 : nil }
    }
  }
}

/// A sum of numbers: exact for integers, compensated for doubles.
struct NumberSum {
  private let count: Int
  /// Cannot overflow: no database has enough documents for 128 bits.
  private var whole: Int128 = 0
  private var isWhole = true
  /// Of the doubles, by Kahan's method: `excess` is the rounding error of the last addition.
  private var (sum, excess) = (0.0, 0.0)
  /// The same without the method, for infinities, which make the other one NaN.
  private var plainSum = 0.0

  init(_ numbers: [Value]) {
    count = numbers.count
    for number in numbers {
      switch number {
      case .integer(let integer): whole += Int128(integer)
      case .double(let double): add(double)
      default: break
      }
    }
  }

  private mutating func add(_ number: Double) {
    let corrected = number - excess
    let next = sum + corrected
    excess = (next - sum) - corrected
    sum = next
    plainSum += number
    isWhole = false
  }

  /// An integer if all numbers are and the sum fits 64 bits, else a double; 0 for no number.
  var total: Value {
    if isWhole, let integer = Int64(exactly: whole) { return .integer(integer) }
    return .double(approximation)
  }

  /// Whether it is a sum of integers that does not fit 64 bits.
  var overflows: Bool { isWhole && Int64(exactly: whole) == nil }

  /// Null for no number.
  var average: Value { count == 0 ? .null : .double(approximation / Double(count)) }

  private var approximation: Double { Double(whole) + (sum.isNaN ? plainSum : sum) }
}

extension Aggregation {
  /// Reads one to five aggregations; names those without an alias `field_1` and so on.
  static func named(_ list: [JSON]) throws -> [(String, Aggregation)] {
    guard (1...5).contains(list.count) else {
      throw RefusedRequest.invalid("a query has between 1 and 5 aggregations")
    }
    let aggregations = try list.enumerated().map { position, json in
      let message = try Message(json, "alias", "count", "sum", "avg")
      let alias = try message.text("alias") ?? ""
      guard !FieldCheck.isReserved(alias), alias.utf8.count <= 1500 else {
        throw RefusedRequest.invalid(
          "an alias has at most 1500 bytes and not the form __...__: \"\(alias.prefix(100))\"")
      }
      return (alias.isEmpty ? "field_\(position + 1)" : alias, try Aggregation(message))
    }
    guard Set(aggregations.map(\.0)).count == list.count else {
      throw RefusedRequest.invalid("two aggregations have the same alias")
    }
    return aggregations
  }

  private init(_ message: Message) throws {
    let kinds = ["count", "sum", "avg"].filter { message[$0] != nil }
    guard kinds.count == 1, let kind = kinds.first, let json = message[kind] else {
      throw RefusedRequest.invalid("an aggregation is one of count, sum and avg")
    }
    switch kind {
    case "count": self = .count(upTo: try Message(json, "upTo").count("upTo"))
    case "sum": self = .sum(try Aggregation.field(of: json))
    default: self = .average(try Aggregation.field(of: json))
    }
  }

  private static func field(of json: JSON) throws -> FieldPath {
    let reference = try Message(json, "field")["field"] ?? .object([:])
    guard let path = try Message(reference, "fieldPath").text("fieldPath") else {
      throw RefusedRequest.invalid("an aggregation over a field needs its fieldPath")
    }
    let field = try FieldPath(parsing: path)
    try field.requireUnreserved(.compared)
    guard field != .documentName else {
      throw RefusedRequest.invalid("Aggregations are not supported for the property: __key__")
    }
    return field
  }
}
