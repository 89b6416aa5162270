package import Firestore

/// The one order over all of Firestore's values: first by type, then inside the type.
///
/// This is how queries compare, not how values travel: an integer equals a double of the same
/// number, and NaN equals NaN; see `docs/firestore.md#ordering`.
package enum ValueOrder {
  /// The types in their order; a range filter matches values of the bound's own class only.
  package enum TypeClass: Int {
    case null, boolean, number, timestamp, string, bytes, reference, geoPoint, array, vector, map
    /// Kinds that this program does not know, after all others.
    case unknown
  }

  package static func typeClass(of value: Value) -> TypeClass {
    switch value {
    case .null: .null
    case .boolean: .boolean
    case .integer, .double: .number
    case .timestamp: .timestamp
    case .string: .string
    case .bytes: .bytes
    case .reference: .reference
    case .geoPoint: .geoPoint
    case .array: .array
    case .map(let fields): vector(fields) == nil ? .map : .vector
    case .unknown: .unknown
    }
  }

  /// Negative when `left` comes first, positive when `right` does, 0 when a query sees no difference.
  package static func compare(_ left: Value, _ right: Value) -> Int {
    let difference = typeClass(of: left).rawValue - typeClass(of: right).rawValue
    guard difference == 0 else { return difference }
    return switch (left, right) {
    case (.boolean(let left), .boolean(let right)): (left ? 1 : 0) - (right ? 1 : 0)
    case (.timestamp(let left), .timestamp(let right)): three(left, right)
    case (.string(let left), .string(let right)): TextOrder.compare(left, right)
    case (.bytes(let left), .bytes(let right)): lexicographic(left, right, by: three)
    case (.reference(let left), .reference(let right)): NameOrder.compare(left, right)
    case (.geoPoint(let latitude, let longitude), .geoPoint(let otherLatitude, let otherLongitude)):
      latitude == otherLatitude
        ? three(longitude, otherLongitude) : three(latitude, otherLatitude)
    case (.array(let left), .array(let right)): lexicographic(left, right, by: compare)
    case (.map(let left), .map(let right)): compareMaps(left, right)
    case (.unknown(let kind, let json), .unknown(let otherKind, let otherJSON)):
      kind == otherKind
        ? lexicographic(json.serialized(), otherJSON.serialized(), by: three)
        : TextOrder.compare(kind, otherKind)
    default: NumberOrder.compare(left, right)
    }
  }

  package static func areEqual(_ left: Value, _ right: Value) -> Bool {
    compare(left, right) == 0
  }

  /// Compares element by element; of two that agree the shorter comes first.
  static func lexicographic<Element>(
    _ left: [Element], _ right: [Element], by compare: (Element, Element) -> Int
  ) -> Int {
    for (left, right) in zip(left, right) {
      let order = compare(left, right)
      if order != 0 { return order }
    }
    return left.count - right.count
  }

  static func three<Operand: Comparable>(_ left: Operand, _ right: Operand) -> Int {
    left < right ? -1 : left > right ? 1 : 0
  }

  /// Maps compare as the list of their members by key; vectors by dimension, then by coordinates.
  private static func compareMaps(_ left: [String: Value], _ right: [String: Value]) -> Int {
    if let left = vector(left), let right = vector(right) {
      return left.count == right.count
        ? lexicographic(left, right, by: compare) : left.count - right.count
    }
    return lexicographic(sorted(left), sorted(right)) { left, right in
      let order = TextOrder.compare(left.key, right.key)
      return order == 0 ? compare(left.value, right.value) : order
    }
  }

  private static func sorted(_ fields: [String: Value]) -> [(key: String, value: Value)] {
    fields.sorted { TextOrder.compare($0.key, $1.key) < 0 }
  }

  /// The coordinates of a map that is a vector embedding; nil for any other map.
  static func vector(_ fields: [String: Value]) -> [Value]? {
    guard fields.count == 2, fields["__type__"] == .string("__vector__"),
      case .array(let coordinates) = fields["value"]
    else { return nil }
    return coordinates
  }
}
