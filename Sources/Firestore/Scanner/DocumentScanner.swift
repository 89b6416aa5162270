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
  /// The wanted fields of the last document of the last scan, which was read in any case; their
  /// ranges are those of the answer's bytes.
  package private(set) var lastFields: [ScannedField] = []

  /// The stored `updateTime` of the document with this full name, in microseconds.
  package typealias StoredTime = (_ name: UnsafeRawBufferPointer) throws -> Int64?

  /// What a scan collects besides the wanted fields.
  package struct Extent: Hashable, Sendable {
    /// The canonical JSON of each document, see `ByteCursor.appendCanonical`.
    package var hasDocument: Bool
    /// The names and kinds of all top-level fields.
    package var hasCensus: Bool
    /// When each document was created.
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
  /// - Parameters:
  ///   - bytes: the answer.
  ///   - stored: the `updateTime` in microseconds that is stored for a document's full name; nil for
  ///     one that has to be read. A document that still has it is handed out as unchanged, and its
  ///     fields are neither read nor checked. Ignored by scans that collect more than fields.
  ///   - each: what is done with a document.
  /// - Returns: the page without its documents.
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

  /// The error for a document of another origin.
  static func strayDocument(_ name: String) -> WireError {
    WireError("the server answered with `\(name)`, which was not asked for")
  }
}
