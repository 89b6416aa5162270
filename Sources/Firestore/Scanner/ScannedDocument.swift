/// The content of a wanted field of a scanned document.
package enum ScannedField: Hashable, Sendable {
  /// Kinds whose content a scan does not read.
  package enum UnreadKind: String, Hashable, Sendable {
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
  /// The range of the text in the page's bytes: valid UTF-8, unescaped.
  case string(Range<Int>)
  /// The range of a document's full name in the page's bytes.
  case reference(Range<Int>)
  /// The range of base64 in the page's bytes, which is not validated.
  case bytes(Range<Int>)
  case other(UnreadKind)
  /// The path leads through a value of this kind, where it wants a map or an array.
  case unreachable(FieldKind, wanted: UnreadKind)
  /// Not a valid value, such as an `integerValue` without digits.
  case malformed
}

/// One document of a page, valid until the scan continues.
package struct ScannedDocument: Sendable {
  /// The range of the full name in the page's bytes.
  package internal(set) var name: Range<Int> = 0..<0
  /// Microseconds since 1970-01-01T00:00:00Z; nil when the answer does not contain it.
  package internal(set) var updateTime: Int64?
  /// Likewise; nil, too, unless the scan reads it.
  package internal(set) var createTime: Int64?
  /// Whether its `updateTime` is the stored one, so that none of its fields was read.
  package internal(set) var isUnchanged = false
  /// One per wanted field, in order.
  package internal(set) var fields: [ScannedField]
  /// The document's canonical JSON; empty unless the scan collects it.
  package internal(set) var json: [UInt8] = []
  /// The JSON of wanted fields, concatenated.
  var fieldJSON: [UInt8] = []
  /// The range of each wanted field in `fieldJSON`; empty for a missing field.
  var fieldRanges: [Range<Int>]

  init(fieldCount: Int) {
    fields = Array(repeating: .missing, count: fieldCount)
    fieldRanges = Array(repeating: 0..<0, count: fieldCount)
  }

  /// The canonical JSON of a field wanted as `.json`; empty when it is missing.
  package func json(of position: Int) -> ArraySlice<UInt8> { fieldJSON[fieldRanges[position]] }
}

/// The data of a page besides its documents.
package struct ScannedPage: Hashable, Sendable {
  package var documentCount = 0
  /// Documents that the query's offset skipped.
  package var skippedCount = 0
  /// The snapshot's time; nil when the server did not send it.
  package var readTime: Timestamp?
  /// The full name of the last document; nil for an empty page.
  package var lastName: String?
  /// The fields of the documents; nil unless the scan counts them.
  package var census: FieldCensus?
}
