package import Model

/// The order of all Firestore values in queries: by type, then within the type.
///
/// Differs from `==`: an integer equals a double of the same number, and NaN equals NaN; see
/// `docs/firestore.md#ordering`.
package enum ValueOrder {
  /// A group of types that are ordered as one; a range filter matches only values of its bound's
  /// class.
  ///
  /// The classes are in the order of `FieldKind.allCases`, with vectors before other maps.
  package struct TypeClass: Hashable {
    package static let number = TypeClass(kind: .double)
    package static let reference = TypeClass(kind: .reference)
    package static let vector = TypeClass(kind: .map, isVector: true)

    /// `double` for all numbers.
    fileprivate let kind: FieldKind
    fileprivate var isVector = false

    fileprivate var rank: Int {
      2 * (FieldKind.allCases.firstIndex(of: kind) ?? FieldKind.allCases.count)
        - (isVector ? 1 : 0)
    }
  }

  package static func typeClass(of value: Value) -> TypeClass {
    if case .map(let fields) = value, fields.vector != nil { return .vector }
    let kind = value.kind
    return kind == .integer ? .number : TypeClass(kind: kind)
  }

  /// Negative when `left` comes first, positive when `right` does, 0 when queries treat both as
  /// equal.
  package static func compare(_ left: Value, _ right: Value) -> Int {
    let (leftClass, rightClass) = (typeClass(of: left), typeClass(of: right))
    guard leftClass == rightClass else { return leftClass.rank - rightClass.rank }
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

  /// Compares element by element; a prefix comes first.
  package static func lexicographic<Element>(
    _ left: [Element], _ right: [Element], by compare: (Element, Element) -> Int
  ) -> Int {
    for (left, right) in zip(left, right) {
      let order = compare(left, right)
      if order != 0 { return order }
    }
    return left.count - right.count
  }

  /// Returns -1, 0 or 1.
  package static func three<Operand: Comparable>(_ left: Operand, _ right: Operand) -> Int {
    left < right ? -1 : left > right ? 1 : 0
  }

  /// Compares maps as lists of members sorted by key, and vectors by dimension, then coordinates.
  private static func compareMaps(_ left: [String: Value], _ right: [String: Value]) -> Int {
    if let left = left.vector, let right = right.vector {
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
}

/// The order of integers and doubles, exact even where doubles have gaps.
package enum NumberOrder {
  /// Compares two numbers; NaN comes before all others, -0.0 equals 0.
  ///
  /// Other values compare as equal.
  package static func compare(_ left: Value, _ right: Value) -> Int {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): ValueOrder.three(left, right)
    case (.double(let left), .double(let right)): compare(left, right)
    case (.integer(let left), .double(let right)): compare(left, right)
    case (.double(let left), .integer(let right)): -compare(right, left)
    default: 0
    }
  }

  private static func compare(_ left: Double, _ right: Double) -> Int {
    guard left.isNaN || right.isNaN else { return ValueOrder.three(left, right) }
    return (left.isNaN ? 0 : 1) - (right.isNaN ? 0 : 1)
  }

  private static func compare(_ left: Int64, _ right: Double) -> Int {
    if right.isNaN { return 1 }
    let whole = right.rounded(.down)
    guard let floor = Int64(exactly: whole) else { return right > 0 ? -1 : 1 }
    guard left == floor else { return left < floor ? -1 : 1 }
    return whole < right ? -1 : 0
  }
}

/// The order of strings by UTF-8 bytes, which equals that by code points.
package enum TextOrder {
  package static func compare(_ left: String, _ right: String) -> Int {
    for (left, right) in zip(left.utf8, right.utf8) where left != right {
      return left < right ? -1 : 1
    }
    return left.utf8.count - right.utf8.count
  }
}

extension EditionRules {
  /// Compares document names; see `docs/editions.md#what-differs`.
  package func compareNames(_ left: String, _ right: String) -> Int {
    NameOrder.compare(left, right, numericFirst: ordersNumericIdsFirst)
  }

  package func compare(_ left: Value, _ right: Value, of field: FieldPath) -> Int {
    guard field == .documentName, case .reference(let left) = left,
      case .reference(let right) = right
    else { return ValueOrder.compare(left, right) }
    return compareNames(left, right)
  }
}
