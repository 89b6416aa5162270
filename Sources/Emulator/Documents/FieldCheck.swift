import Firestore

/// What Firestore refuses to store; see `docs/firestore.md#limits`.
enum FieldCheck {
  /// Bytes of a document at most.
  private static let documentLimit = 1 << 20
  /// Bytes of a string or of bytes at most.
  private static let valueLimit = 1_048_487
  /// Bytes of a field's name at most.
  private static let nameLimit = 1500
  /// Maps and arrays around a value at most.
  private static let depthLimit = 20

  static func check(_ fields: [String: Value]) throws(RefusedRequest) {
    for (name, value) in fields {
      try check(name: name)
      try check(value, of: name, depth: 0)
    }
  }

  /// Refuses a value that would come to lie at the path.
  static func check(_ path: FieldPath, holding value: Value) throws(RefusedRequest) {
    // Before anything that takes longer for a longer path.
    guard path.segments.count <= depthLimit + 1 else {
      throw .invalid("Property \(path.segments[0]) contains an invalid nested entity.")
    }
    for name in path.segments { try check(name: name) }
    try check(value, of: path.description, depth: path.segments.count - 1)
  }

  static func checkSize(of document: Document) throws(RefusedRequest) {
    let size = DocumentSize.bytes(of: document)
    guard size <= documentLimit else {
      throw .invalid(
        "Document '\(document.name)' cannot be written because its size (\(size) bytes) exceeds "
          + "the maximum allowed size of \(documentLimit) bytes.")
    }
  }

  private static func check(name: String) throws(RefusedRequest) {
    guard !name.isEmpty else { throw .invalid("Document fields cannot have empty names.") }
    guard name.utf8.count <= nameLimit else {
      throw .invalid("A field's name is longer than \(nameLimit) bytes.")
    }
    guard name.utf8.count < 4 || !name.hasPrefix("__") || !name.hasSuffix("__") else {
      throw .invalid("field name '\(name)' is reserved.")
    }
  }

  private static func check(
    _ value: Value, of name: String, depth: Int
  ) throws(RefusedRequest) {
    guard depth <= depthLimit else {
      throw .invalid("Property \(name) contains an invalid nested entity.")
    }
    switch value {
    case .unknown(let kind, _):
      throw .invalid(
        "Invalid JSON payload received. Unknown name \"\(kind)\" at field '\(name)'.")
    case .string(let text): try check(byteCount: text.utf8.count, of: name)
    case .bytes(let bytes): try check(byteCount: bytes.count, of: name)
    case .reference(let text): try ResourceName(requested: text).requireDocument()
    case .geoPoint(let latitude, let longitude):
      try check(latitude: latitude, longitude: longitude, of: name)
    case .map(let fields): try check(fields, of: name, depth: depth + 1)
    case .array(let elements): try check(elements, of: name, depth: depth + 1)
    case .null, .boolean, .integer, .double, .timestamp: break
    }
  }

  private static func check(byteCount: Int, of name: String) throws(RefusedRequest) {
    guard byteCount <= valueLimit else {
      throw .invalid("The value of property \"\(name)\" is longer than \(valueLimit) bytes.")
    }
  }

  private static func check(
    latitude: Double, longitude: Double, of name: String
  ) throws(RefusedRequest) {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude) else {
      throw .invalid(
        "The geo point \(latitude), \(longitude) of '\(name)' is outside of -90 to 90 degrees of "
          + "latitude and -180 to 180 of longitude.")
    }
  }

  private static func check(
    _ fields: [String: Value], of name: String, depth: Int
  ) throws(RefusedRequest) {
    guard fields["__type__"] != .string("__vector__") else {
      return try check(vector: fields, of: name)
    }
    for (key, value) in fields {
      try check(name: key)
      try check(value, of: name, depth: depth)
    }
  }

  private static func check(
    vector fields: [String: Value], of name: String
  ) throws(RefusedRequest) {
    guard fields.count == 2, case .array(let coordinates)? = fields["value"],
      coordinates.allSatisfy({ if case .double = $0 { true } else { false } })
    else { throw .invalid("Vector '\(name)' must only contain values of type 'double'") }
  }

  private static func check(
    _ elements: [Value], of name: String, depth: Int
  ) throws(RefusedRequest) {
    for element in elements {
      if case .array = element {
        throw .invalid("Cannot convert an array value in an array value, in field '\(name)'.")
      }
      try check(element, of: name, depth: depth)
    }
  }
}
