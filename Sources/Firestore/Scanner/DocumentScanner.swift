/// Reads the wanted fields of a query's documents straight from the bytes of its answer.
///
/// It accepts exactly what `JSON(parsing:)` accepts, any number of values of it, and allocates
/// nothing for a document. One scanner serves any number of pages, one after the other.
package struct DocumentScanner: Sendable {
  private let table: FieldTable
  private let fieldCount: Int
  private let extent: Extent

  /// What a scan collects beside the wanted fields.
  package struct Extent: Hashable, Sendable {
    /// The JSON of each document, as it came but for white space.
    package var hasDocument: Bool
    /// Which fields there are, of which kinds.
    package var hasCensus: Bool

    package init(hasDocument: Bool = false, hasCensus: Bool = false) {
      self.hasDocument = hasDocument
      self.hasCensus = hasCensus
    }
  }

  /// Scans for these top-level fields; a name that occurs twice is answered twice.
  package init(fields: [String]) {
    table = FieldTable(fields)
    fieldCount = fields.count
    extent = Extent()
  }

  /// Scans for fields at any depth, in any form; one that occurs twice is answered twice.
  package init(fields: [WantedField], extent: Extent) {
    table = FieldTable(fields)
    fieldCount = fields.count
    self.extent = extent
  }

  /// Hands each document of a whole answer to `each`, in the answer's order.
  ///
  /// The strings of names and wanted fields are unescaped in place, so a page is scanned once.
  /// A wanted field that is malformed is `.malformed` and stops nothing. What was handed out counts
  /// only when the scan returns: it throws `JSONError` or `WireError` for an answer that is broken
  /// or cut short, wherever that is, `ErrorEnvelope` for an error of the server's, and what `each`
  /// throws. The document and the buffer are valid only during the call.
  package mutating func scan(
    _ bytes: inout [UInt8],
    each: (borrowing ScannedDocument, UnsafeRawBufferPointer) throws -> Void
  ) throws -> ScannedPage {
    try bytes.withUnsafeMutableBufferPointer { buffer in
      guard let cursor = ByteCursor(buffer) else { throw JSONError(.endOfInput, at: 0) }
      var reader = PageReader(cursor, table, fieldCount: fieldCount, extent)
      return try reader.page(each)
    }
  }
}
