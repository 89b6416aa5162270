/// What a wanted field of a scanned document holds.
package enum ScannedField: Hashable, Sendable {
  /// Kinds that a scan does not read.
  package enum Kind: String, Hashable, Sendable {
    case geoPoint, array, map, unknown
  }

  /// The document has no such field.
  case missing
  case null
  case boolean(Bool)
  case integer(Int64)
  case double(Double)
  /// Microseconds since 1970-01-01T00:00:00Z.
  case timestamp(Int64)
  /// Where the page's bytes hold the text: valid UTF-8, already unescaped.
  case string(Range<Int>)
  /// Where the page's bytes hold the full name of a document.
  case reference(Range<Int>)
  /// Where the page's bytes hold base64, which is not checked.
  case bytes(Range<Int>)
  case other(Kind)
  /// Not a value as Firestore writes them, such as an `integerValue` without digits.
  case malformed
}

/// One document of a page, valid until the scan goes on.
package struct ScannedDocument: Sendable {
  /// Where the page's bytes hold the full name.
  package internal(set) var name: Range<Int> = 0..<0
  /// Microseconds since 1970-01-01T00:00:00Z; nil when the answer leaves it out.
  package internal(set) var updateTime: Int64?
  /// One for each wanted field, in the order in which they were named.
  package internal(set) var fields: [ScannedField]
  /// The document's own JSON; empty unless the scan collects it.
  package internal(set) var json: [UInt8] = []
  /// The JSON of wanted fields, one after the other.
  var fieldJSON: [UInt8] = []
  /// Where in `fieldJSON` each wanted field is; empty for one that is missing.
  var fieldRanges: [Range<Int>]

  init(fieldCount: Int) {
    fields = Array(repeating: .missing, count: fieldCount)
    fieldRanges = Array(repeating: 0..<0, count: fieldCount)
  }

  /// The JSON of a field wanted in that form, without white space; empty when it is missing.
  package func json(of position: Int) -> ArraySlice<UInt8> { fieldJSON[fieldRanges[position]] }
}
