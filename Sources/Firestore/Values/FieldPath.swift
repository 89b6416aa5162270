/// The path of a field through a document's maps, one segment per level.
package struct FieldPath: Hashable, Sendable {
  /// At least one.
  package var segments: [String]

  package init(segments: [String]) {
    precondition(!segments.isEmpty, "a field path has at least one segment")
    self.segments = segments
  }

  /// The document's name, the last order of every query.
  package static let documentName = FieldPath(segments: ["__name__"])
}

/// The text form: segments separated by dots, quoted in back-ticks unless they are plain names.
///
/// See `docs/firestore.md#addresses`.
extension FieldPath: CustomStringConvertible {
  package init(parsing text: String) throws(WireError) {
    var rest = text.unicodeScalars[...]
    var segments = [try FieldPath.segment(&rest, of: text)]
    while let separator = rest.popFirst() {
      guard separator == "." else { throw FieldPath.malformed(text) }
      segments.append(try FieldPath.segment(&rest, of: text))
    }
    self.init(segments: segments)
  }

  package var description: String { segments.map(FieldPath.quoted).joined(separator: ".") }

  private typealias Scalars = Substring.UnicodeScalarView

  private static func segment(_ rest: inout Scalars, of text: String) throws(WireError) -> String {
    guard rest.first == "`" else {
      let plain = String(rest.prefix { $0 != "." })
      guard isPlain(plain) else { throw malformed(text) }
      rest = rest.dropFirst(plain.unicodeScalars.count)
      return plain
    }
    rest.removeFirst()
    return try quotedSegment(&rest, of: text)
  }

  private static func quotedSegment(
    _ rest: inout Scalars, of text: String
  ) throws(WireError) -> String {
    var segment = String.UnicodeScalarView()
    while let scalar = rest.popFirst() {
      switch scalar {
      case "`":
        guard !segment.isEmpty else { throw malformed(text) }
        return String(segment)
      case "\\":
        guard let escaped = rest.popFirst(), escaped == "`" || escaped == "\\" else {
          throw malformed(text)
        }
        segment.append(escaped)
      default: segment.append(scalar)
      }
    }
    throw malformed(text)
  }

  private static func malformed(_ text: String) -> WireError {
    WireError(
      "`\(text)` is not a field path; names other than letters, digits and _ need back-ticks")
  }

  private static func quoted(_ segment: String) -> String {
    guard !isPlain(segment) else { return segment }
    var quoted = "`"
    for scalar in segment.unicodeScalars {
      if scalar == "`" || scalar == "\\" { quoted.unicodeScalars.append("\\") }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "`"
  }

  /// Whether it is an ASCII letter or `_`, followed by ASCII letters, digits and `_`.
  private static func isPlain(_ segment: String) -> Bool {
    guard let first = segment.utf8.first, !JSONNumber.isDigit(first) else { return false }
    return segment.utf8.allSatisfy { byte in
      JSONNumber.isDigit(byte) || byte == UInt8(ascii: "_")
        || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
  }
}

extension FieldPath {
  init(json: JSON) throws(WireError) {
    try self.init(parsing: json.text())
  }

  /// Reads `{"fieldPath": "a.b"}`.
  init(reference json: JSON) throws(WireError) {
    let members = try json.members()
    try members.allowOnly("fieldPath")
    self = try members.required("fieldPath", FieldPath.init(json:))
  }

  var referenceJSON: JSON { .object(["fieldPath": .string(description)]) }

  /// Reads a document mask, `{"fieldPaths": ["a.b"]}`; the key may be absent.
  package static func mask(json: JSON) throws(WireError) -> [FieldPath] {
    let members = try json.members()
    try members.allowOnly("fieldPaths")
    return try members.list("fieldPaths", FieldPath.init(json:))
  }

  package static func maskJSON(_ mask: [FieldPath]) -> JSON {
    .object(["fieldPaths": .array(mask.map { .string($0.description) })])
  }
}
