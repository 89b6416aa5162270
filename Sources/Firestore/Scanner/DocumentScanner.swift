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
