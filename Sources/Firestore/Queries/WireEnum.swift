/// An enum that proto3's JSON mapping reads by its name or its number.
protocol WireEnum: RawRepresentable<String>, CaseIterable {
  /// Its number in `google/firestore/v1/query.proto`.
  var wireNumber: Int64 { get }
}

extension WireEnum {
  init(json: JSON) throws(WireError) {
    switch json {
    case .string(let name):
      guard let known = Self(rawValue: name) else {
        throw WireError("\(name) is none of \(Self.names)")
      }
      self = known
    default:
      let number = try json.integer()
      guard let known = Self.allCases.first(where: { $0.wireNumber == number }) else {
        throw WireError("\(number) is the number of none of \(Self.names)")
      }
      self = known
    }
  }

  var json: JSON { .string(rawValue) }

  private static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

extension StructuredQuery.Direction: WireEnum {
  package var wireNumber: Int64 { self == .ascending ? 1 : 2 }
}

extension StructuredQuery.CompositeOperator: WireEnum {
  package var wireNumber: Int64 { self == .and ? 1 : 2 }
}

extension StructuredQuery.UnaryOperator: WireEnum {
  package var wireNumber: Int64 {
    switch self {
    case .isNaN: 2
    case .isNull: 3
    case .isNotNaN: 4
    case .isNotNull: 5
    }
  }
}

extension StructuredQuery.FieldOperator: WireEnum {
  package var wireNumber: Int64 {
    switch self {
    case .lessThan: 1
    case .lessThanOrEqual: 2
    case .greaterThan: 3
    case .greaterThanOrEqual: 4
    case .equal: 5
    case .notEqual: 6
    case .arrayContains: 7
    case .in: 8
    case .arrayContainsAny: 9
    case .notIn: 10
    }
  }
}
