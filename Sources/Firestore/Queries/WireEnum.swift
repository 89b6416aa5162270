/// An enum that proto3's JSON mapping reads by its name or its number.
protocol WireEnum: RawRepresentable<String>, CaseIterable {
  /// The numbers of all cases in `google/firestore/v1/query.proto`.
  static var wireNumbers: [Int64] { get }
}

extension WireEnum {
  /// From 1, in the order of the cases.
  static var wireNumbers: [Int64] { Array(1...Int64(allCases.count)) }

  init(json: JSON) throws(WireError) {
    switch json {
    case .string(let name):
      guard let known = Self(rawValue: name) else {
        throw WireError("\(name) is none of \(Self.names)")
      }
      self = known
    default:
      let number = try json.integer()
      guard let (_, known) = zip(Self.wireNumbers, Self.allCases).first(where: { $0.0 == number })
      else { throw WireError("\(number) is the number of none of \(Self.names)") }
      self = known
    }
  }

  var json: JSON { .string(rawValue) }

  private static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

extension StructuredQuery.Direction: WireEnum {}
extension StructuredQuery.CompositeOperator: WireEnum {}
extension StructuredQuery.FieldOperator: WireEnum {}
extension NearestSearch.Measure: WireEnum {}
extension StructuredQuery.UnaryOperator: WireEnum {
  static var wireNumbers: [Int64] { [3, 2, 5, 4] }
}
