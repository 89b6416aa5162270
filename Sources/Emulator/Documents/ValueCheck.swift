import Firestore
import Model

/// Refuses values that no request may contain, neither to store nor to compare with.
///
/// See `docs/firestore.md#refused-values`.
enum ValueCheck {
  /// Maximum number of a vector's coordinates; `docs/firestore.md#limits`.
  private static let dimensionLimit = 2048
  /// Maximum size of an operand in bytes; `docs/firestore.md#limits`.
  private static let operandLimit = 1500

  static func check(_ value: Value, _ rules: EditionRules) throws(RefusedRequest) {
    switch value {
    case .unknown(let kind, _):
      throw .invalid("Invalid JSON payload received. Unknown name \"\(kind)\": Cannot find field.")
    case .reference(let text): try ResourceName(requested: text).requireDocument()
    case .geoPoint(let latitude, let longitude):
      guard (-90...90).contains(latitude), (-180...180).contains(longitude) else {
        throw .invalid(
          "The geo point \(latitude), \(longitude) is outside of -90 to 90 degrees of latitude and "
            + "-180 to 180 of longitude.")
      }
    case .array(let elements): for element in elements { try check(element, rules) }
    case .map(let fields): try check(fields, rules)
    case .null, .boolean, .integer, .double, .timestamp, .string, .bytes: break
    }
  }

  /// Throws also for an operand that is too long for an index; a name to find may be longer.
  static func check(
    operand value: Value, of path: FieldPath, _ rules: EditionRules
  ) throws(RefusedRequest) {
    try check(value, rules)
    guard path != .documentName else { return }
    guard DocumentSize.bytes(of: value) <= operandLimit else {
      throw .invalid("value for \(path) is too large to be used in a query")
    }
  }

  private static func check(
    _ fields: [String: Value], _ rules: EditionRules
  ) throws(RefusedRequest) {
    if let type = fields["__type__"] {
      guard case .string(let name) = type else {
        throw .invalid("Field __type__ is not a string.")
      }
      guard name != "__vector__" else { return try check(vector: fields) }
    }
    for (key, value) in fields {
      guard key == "__type__" || !FieldCheck.isReserved(key) || rules.isBSON(fields) else {
        throw .invalid("field name '\(key)' is reserved.")
      }
      try check(value, rules)
    }
  }

  private static func check(vector fields: [String: Value]) throws(RefusedRequest) {
    guard let value = fields["value"] else {
      throw .invalid("Vector map is missing key 'value'.")
    }
    guard fields.count == 2 else {
      throw .invalid("Vector Value map has extraneous entries.")
    }
    guard case .array(let coordinates) = value else {
      throw .invalid("Vector Value type must be an array.")
    }
    guard !coordinates.isEmpty else { throw .invalid("Cannot have a zero length vector.") }
    guard coordinates.count <= dimensionLimit else {
      throw .invalid("Vectors must be at most \(dimensionLimit) dimensions.")
    }
    guard coordinates.allSatisfy({ if case .double = $0 { true } else { false } }) else {
      throw .invalid("Vector must only contain values of type 'double'")
    }
  }
}

extension EditionRules {
  /// Whether a map is a value of MongoDB, such as an ObjectId.
  func isBSON(_ fields: [String: Value]) -> Bool {
    fields.count == 1 && fields.keys.allSatisfy(bsonKeys.contains)
  }
}

extension FieldPath {
  enum PathUse {
    /// To compare, order or aggregate, where `__type__` is allowed.
    case compared
    /// In a mask or a projection.
    case selected
  }

  /// Throws for reserved names; `__name__` alone is allowed.
  func requireUnreserved(_ use: PathUse) throws(RefusedRequest) {
    guard self != .documentName else { return }
    for segment in segments where FieldCheck.isReserved(segment) {
      guard segment != "__type__" || use == .selected else { continue }
      throw .invalid("Invalid reserved name in field path \(self)")
    }
  }
}
