import Glibc

/// Reads the wanted fields of a query's documents directly from the bytes of its answer.
///
/// Accepts exactly what `JSON(parsing:)` accepts, but any number of values, and allocates nothing
/// per document. One scanner reads any number of pages, one after the other.
package struct DocumentScanner: Sendable {
  private let table: FieldTable
  private let fieldCount: Int
  private let extent: Extent
  /// The required origin of the documents; nil accepts any.
  package var origin: DocumentOrigin?
  /// The wanted fields of the last document of the last scan, which is read even if unchanged;
  /// their ranges are in the answer's bytes.
  package private(set) var lastFields: [ScannedField] = []

  /// The stored `updateTime` of the document with this full name, in microseconds.
  package typealias StoredTime = (_ name: UnsafeRawBufferPointer) throws -> Int64?

  /// What a scan collects besides the wanted fields.
  package struct Extent: Hashable, Sendable {
    /// The canonical JSON of each document, see `ByteCursor.appendCanonical`.
    package var hasDocument: Bool
    /// The names and kinds of all top-level fields.
    package var hasCensus: Bool
    package var hasCreateTime: Bool

    package init(
      hasDocument: Bool = false, hasCensus: Bool = false, hasCreateTime: Bool = false
    ) {
      self.hasDocument = hasDocument
      self.hasCensus = hasCensus
      self.hasCreateTime = hasCreateTime
    }
  }

  /// Scans for top-level fields; `ScannedDocument.fields` repeats a name that is given twice.
  package init(fields: [String]) {
    table = FieldTable(fields)
    fieldCount = fields.count
    extent = Extent()
  }

  /// Scans for fields at any depth; `ScannedDocument.fields` repeats a field that is given twice.
  package init(fields: [WantedField], extent: Extent) {
    table = FieldTable(fields)
    fieldCount = fields.count
    self.extent = extent
  }

  /// Calls `each` for every document of a complete answer, in order.
  ///
  /// Unescapes names and wanted strings in place, so a page can be scanned only once. A malformed
  /// wanted field is `.malformed`. The document and the buffer are valid only during the call of
  /// `each`.
  ///
  /// A document that still has the `stored` time is handed out as unchanged, and its fields are
  /// neither read nor checked. Scans that collect more than fields ignore `stored`.
  ///
  /// - Throws: `JSONError` or `WireError` for an answer that is broken, cut short or contains a
  ///   document of another origin, `ErrorEnvelope` for an error of the server, and what `stored`
  ///   and `each` throw; then the documents handed out so far must be discarded.
  package mutating func scan(
    _ bytes: inout [UInt8], stored: StoredTime? = nil,
    each: (borrowing ScannedDocument, UnsafeRawBufferPointer) throws -> Void
  ) throws -> ScannedPage {
    try bytes.withUnsafeMutableBufferPointer { buffer in
      guard let cursor = ByteCursor(buffer) else { throw JSONError(.endOfInput, at: 0) }
      var reader = PageReader(cursor, table, fieldCount: fieldCount, extent, origin)
      if extent == Extent() { reader.stored = stored }
      let page = try reader.page(each)
      lastFields = reader.document.fields
      return page
    }
  }
}

/// A value that a scan reads, at the top level or inside maps and arrays.
package struct WantedField: Hashable, Sendable {
  package enum Representation: Hashable, Sendable {
    /// Its value in `ScannedDocument.fields`.
    case value
    /// The JSON of its value, of any kind, by `ScannedDocument.json(of:)`.
    case json
  }

  package var path: ValuePath
  package var form: Representation

  package init(_ path: ValuePath, _ form: Representation = .value) {
    self.path = path
    self.form = form
  }

  package init(_ path: FieldPath, _ form: Representation = .value) {
    self.init(ValuePath(path), form)
  }
}

/// The content of a wanted field of a scanned document.
package enum ScannedField: Hashable, Sendable {
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
  /// A kind whose content a scan does not read: a geo point, an array, a map or an unknown one.
  case other(FieldKind)
  /// The path leads through a value of this kind, where it wants a map or an array.
  case unreachable(FieldKind, wanted: FieldKind)
  /// Not a valid value, such as an `integerValue` without digits.
  case malformed
}

/// One document of a page, valid until the scan continues.
package struct ScannedDocument: Sendable {
  /// The range of the full name in the page's bytes.
  package internal(set) var name: Range<Int> = 0..<0
  /// Microseconds since 1970-01-01T00:00:00Z; nil when the answer does not contain it.
  package internal(set) var updateTime: Int64?
  /// The same for the time of creation; also nil unless the scan reads it.
  package internal(set) var createTime: Int64?
  /// Whether its `updateTime` equals the stored one, so that its fields were not read.
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

/// The project, database and collections that the documents of an answer must belong to.
///
/// A proxy, a cache or a wrong server may answer with other documents, which must not become rows.
package struct DocumentOrigin: Hashable, Sendable {
  /// The common prefix of all names, including its last slash.
  private let prefix: [UInt8]
  /// The id of the documents' collection, at any depth below the prefix; nil for any collection.
  private let groupId: [UInt8]?
  /// The number of segments after the prefix; nil for any depth.
  private let depth: Int?

  /// The origin of the documents that `query` finds under `parent`, a document or the root.
  package init(_ query: StructuredQuery, under parent: ResourceName) {
    let ids = query.from.map(\.collectionId)
    let isGroup = query.from.isEmpty || query.from.contains(where: \.allDescendants)
    if !isGroup, ids.count == 1, let id = ids[0] {
      prefix = Array("\(parent)/\(id)/".utf8)
      groupId = nil
      depth = 1
    } else {
      prefix = Array("\(parent)/".utf8)
      groupId = ids.count == 1 ? ids[0].map { Array($0.utf8) } : nil
      depth = isGroup ? nil : 2
    }
  }

  /// The origin of the documents directly in the collection.
  package init(collection: ResourceName) {
    prefix = Array("\(collection)/".utf8)
    groupId = nil
    depth = 1
  }

  /// Whether the answer may contain a document of this full name.
  func holds(_ name: UnsafeRawBufferPointer) -> Bool {
    guard name.count > prefix.count, let base = name.baseAddress,
      memcmp(base, prefix, prefix.count) == 0
    else { return false }
    let rest = UnsafeRawBufferPointer(rebasing: name[prefix.count...])
    if depth == 1 { return memchr(base + prefix.count, 0x2F, rest.count) == nil }
    let parts = rest.split(separator: 0x2F, omittingEmptySubsequences: false)
    guard parts.count % 2 == 0, depth ?? parts.count == parts.count else { return false }
    return groupId.map { $0.elementsEqual(parts[parts.count - 2]) } ?? true
  }

  func holds(_ name: String) -> Bool {
    var copy = name
    return copy.withUTF8 { holds(UnsafeRawBufferPointer($0)) }
  }

  static func strayDocument(_ name: String) -> WireError {
    WireError("the server answered with `\(name)`, but nobody asked for it")
  }
}

/// The top-level fields of documents, with the number of values of each kind.
package struct FieldCensus: Codable, Hashable, Sendable {
  /// Maximum number of fields: documents that use ids as field names have any number.
  package static let fieldLimit = 1_000

  /// A field with its number of values of each kind.
  package struct CountedField: Codable, Hashable, Sendable {
    package let name: String
    /// In the order of `FieldKind.allCases`.
    fileprivate var counts = [Int](repeating: 0, count: FieldKind.allCases.count)

    /// The kinds with their counts, in the order of `FieldKind`.
    package var kinds: [(kind: FieldKind, count: Int)] {
      zip(FieldKind.allCases, counts).filter { $1 > 0 }.map { (kind: $0, count: $1) }
    }
  }

  /// In order of first occurrence.
  package private(set) var fields: [CountedField] = []
  /// Whether there were more fields than `fieldLimit`.
  package private(set) var isTruncated = false
  private var positions: [String: Int] = [:]
  /// The position of the next field if the documents have their fields in the same order.
  private var expected = 0

  package init() {}

  private enum CodingKeys: CodingKey { case fields, isTruncated }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let stored = try values.decode([CountedField].self, forKey: .fields)
    guard stored.allSatisfy({ $0.counts.count == FieldKind.allCases.count }) else {
      throw DecodingError.dataCorruptedError(
        forKey: .fields, in: values, debugDescription: "other kinds of values")
    }
    fields = stored
    isTruncated = try values.decode(Bool.self, forKey: .isTruncated)
    for (position, field) in stored.enumerated() { positions[field.name] = position }
  }

  /// Counts a value of the field; fast for documents with fields in the same order.
  mutating func count(_ name: UnsafeRawBufferPointer, _ kind: FieldKind) {
    guard let position = position(of: name) else { return isTruncated = true }
    fields[position].counts[kind.position] += 1
    expected = position + 1 == fields.count ? 0 : position + 1
  }

  /// Adds the counts of another census.
  package mutating func merge(_ other: FieldCensus) {
    isTruncated = isTruncated || other.isTruncated
    for field in other.fields {
      guard let position = position(ofFieldNamed: field.name) else {
        isTruncated = true
        continue
      }
      for (index, count) in field.counts.enumerated() { fields[position].counts[index] += count }
    }
  }

  private mutating func position(of name: UnsafeRawBufferPointer) -> Int? {
    if expected < fields.count, fields[expected].name.utf8.elementsEqual(name) { return expected }
    return position(ofFieldNamed: String(decoding: name, as: UTF8.self))
  }

  private mutating func position(ofFieldNamed name: String) -> Int? {
    if let position = positions[name] { return position }
    guard fields.count < Self.fieldLimit else { return nil }
    positions[name] = fields.count
    fields.append(CountedField(name: name))
    return fields.count - 1
  }
}

extension FieldKind {
  /// The index of the kind in `allCases`.
  fileprivate var position: Int {
    switch self {
    case .null: 0
    case .boolean: 1
    case .integer: 2
    case .double: 3
    case .timestamp: 4
    case .string: 5
    case .bytes: 6
    case .reference: 7
    case .geoPoint: 8
    case .array: 9
    case .map: 10
    case .unknown: 11
    }
  }
}

/// The kind of a Firestore value.
package enum FieldKind: String, CaseIterable, Hashable, Sendable {
  case null, boolean, integer, double, timestamp, string, bytes, reference
  case geoPoint = "geo point"
  case array, map
  /// A kind that this program does not know, or not a value.
  case unknown

  /// The length of the longest `wireName` in bytes.
  static let longestWireName = 14

  /// The key of such a value, like `stringValue`; nil for an unknown kind.
  var wireName: String? {
    switch self {
    case .geoPoint: "geoPointValue"
    case .unknown: nil
    default: rawValue + "Value"
    }
  }
}

extension Value {
  /// A vector is a map here, as on the wire.
  package var kind: FieldKind {
    switch self {
    case .null: .null
    case .boolean: .boolean
    case .integer: .integer
    case .double: .double
    case .timestamp: .timestamp
    case .string: .string
    case .bytes: .bytes
    case .reference: .reference
    case .geoPoint: .geoPoint
    case .array: .array
    case .map: .map
    case .unknown: .unknown
    }
  }
}

extension ByteCursor {
  /// The kind of the next value, which is not consumed.
  func kind() throws(JSONError) -> FieldKind {
    var probe = self
    guard try probe.next() == UInt8(ascii: "{") else { return .unknown }
    probe.index += 1
    guard try probe.next() == UInt8(ascii: "\"") else { return .unknown }
    let key = try probe.string()
    return key.hasEscapes ? kind(escaped: key.range) : kind(named: key.range)
  }

  /// The kind of an escaped key, which is not unescaped in place because it is read again.
  private func kind(escaped key: Range<Int>) -> FieldKind {
    let name = String(decoding: unescaped(key), as: UTF8.self)
    return FieldKind.allCases.first { $0.wireName == name } ?? .unknown
  }

  /// The kind whose `wireName` is this key.
  @inline(__always)
  func kind(named key: Range<Int>) -> FieldKind {
    if holds(key, "stringValue") { return .string }
    if holds(key, "integerValue") { return .integer }
    if holds(key, "timestampValue") { return .timestamp }
    if holds(key, "booleanValue") { return .boolean }
    if holds(key, "doubleValue") { return .double }
    if holds(key, "nullValue") { return .null }
    if holds(key, "mapValue") { return .map }
    if holds(key, "arrayValue") { return .array }
    if holds(key, "referenceValue") { return .reference }
    if holds(key, "bytesValue") { return .bytes }
    return holds(key, "geoPointValue") ? .geoPoint : .unknown
  }
}
