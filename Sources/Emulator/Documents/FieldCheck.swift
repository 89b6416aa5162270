import Firestore
import Model

/// Refuses documents that Firestore does not store; see `docs/firestore.md#limits`.
enum FieldCheck {
  /// Maximum size of a string or of bytes, in bytes.
  private static let valueLimit = 1_048_487
  /// Maximum size of a field's name in bytes.
  private static let nameLimit = 1500
  /// Maximum number of maps and arrays around a value.
  private static let depthLimit = 20

  static func check(
    _ fields: [String: Value], _ rules: EditionRules
  ) throws(RefusedRequest) {
    for (name, value) in fields {
      try check(name: name)
      try ValueCheck.check(value, rules)
      try check(value, of: name, depth: 0, rules)
    }
  }

  static func check(
    _ path: FieldPath, holding value: Value, _ rules: EditionRules
  ) throws(RefusedRequest) {
    // First, because the other checks take longer for a longer path.
    guard path.segments.count <= depthLimit + 1 else {
      throw .invalid("Property \(path.segments[0]) contains an invalid nested entity.")
    }
    for name in path.segments { try check(name: name) }
    try ValueCheck.check(value, rules)
    try check(value, of: path.description, depth: path.segments.count - 1, rules)
  }

  static func checkSize(
    of document: Document, _ rules: EditionRules
  ) throws(RefusedRequest) {
    let (size, documentLimit) = (DocumentSize.bytes(of: document), rules.maxDocumentBytes)
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
    guard !isReserved(name) else { throw .invalid("field name '\(name)' is reserved.") }
  }

  /// Whether the name is reserved, like `__name__`.
  static func isReserved(_ name: String) -> Bool {
    name.utf8.count >= 4 && name.hasPrefix("__") && name.hasSuffix("__")
  }

  private static func check(
    _ value: Value, of name: String, depth: Int, _ rules: EditionRules
  ) throws(RefusedRequest) {
    guard depth <= depthLimit else {
      throw .invalid("Property \(name) contains an invalid nested entity.")
    }
    switch value {
    case .string(let text): try check(byteCount: text.utf8.count, of: name)
    case .bytes(let bytes): try check(byteCount: bytes.count, of: name)
    case .map(let fields): try check(fields, of: name, depth: depth + 1, rules)
    case .array(let elements): try check(elements, of: name, depth: depth + 1, rules)
    case .null, .boolean, .integer, .double, .timestamp, .reference, .geoPoint, .unknown: break
    }
  }

  private static func check(byteCount: Int, of name: String) throws(RefusedRequest) {
    guard byteCount <= valueLimit else {
      throw .invalid("The value of property \"\(name)\" is longer than \(valueLimit) bytes.")
    }
  }

  private static func check(
    _ fields: [String: Value], of name: String, depth: Int, _ rules: EditionRules
  ) throws(RefusedRequest) {
    if let coordinates = fields.vector {
      guard !coordinates.contains(where: \.isNaN) else {
        throw .invalid("Vector '\(name)' cannot contain NaN values.")
      }
      return
    }
    for (key, value) in fields {
      if !rules.isBSON(fields) { try check(name: key) }
      try check(value, of: name, depth: depth, rules)
    }
  }

  private static func check(
    _ elements: [Value], of name: String, depth: Int, _ rules: EditionRules
  ) throws(RefusedRequest) {
    for element in elements {
      if case .array = element, !rules.nestsArrays {
        throw .invalid("Cannot convert an array value in an array value, in field '\(name)'.")
      }
      guard ValueOrder.typeClass(of: element) != .vector else {
        throw .invalid("Cannot convert a vector value in an array value, in field '\(name)'.")
      }
      try check(element, of: name, depth: depth, rules)
    }
  }
}
