package import Firestore
package import Model

/// Turns scanned documents into rows of one table, or into reasons why not.
package protocol DocumentMapping: Sendable {
  /// Reads the fields that the mapping needs of each document.
  var scanner: DocumentScanner { get }
  /// The number of cells of a row.
  var width: Int { get }
  /// The number of cells of a row of each child table; empty for a mapping without any.
  var childWidths: [Int] { get }
  /// The index, among the scanned fields, of the one that orders the pages; nil for the name.
  var orderPosition: Int? { get }
  /// The cells of a row that may name people.
  var personCells: PersonCells { get }

  /// Appends the document as a row, or counts why it is left out.
  ///
  /// This runs once a document on the hot path of a sync: texts stay ranges of the page.
  func add(
    _ document: borrowing ScannedDocument, in page: UnsafeRawBufferPointer,
    to collected: inout MappedRows)

  /// The time that a value of the order field names, for a watermark; nil when it names none.
  func time(of value: Value) -> Timestamp?
}

extension DocumentMapping {
  package var childWidths: [Int] { [] }

  package func time(of value: Value) -> Timestamp? {
    guard case .timestamp(let time) = value else { return nil }
    return time
  }
}

/// The rows that a page became, and the documents that it left out.
package struct MappedRows: Sendable {
  package var rows: TableRows
  /// The rows of each child table; empty without child tables, and before the first row.
  package var children: [ChildRows] = []
  /// Documents left out, by reason.
  package private(set) var skipped: [String: Int] = [:]
  /// The keys that the rows of those documents would have, one a row.
  package private(set) var skippedKeys = TableRows(width: 1)
  /// Remarks on stored rows: how many, by reason.
  package private(set) var notes: [String: Int] = [:]
  /// Empty of mappings that do not tell.
  package var met = SeenFields()
  /// Whether each row tells all there is to say of its document: no row has a note, and each row's
  /// key is its document's id.
  package private(set) var canSkipUnchanged = true

  /// Begins with no rows, in the memory of `rows`.
  package init(_ rows: consuming TableRows) {
    self.rows = rows
  }

  /// Bytes of the rows and the child rows.
  package var byteCount: Int { children.reduce(rows.bytes.count) { $0 + $1.rows.bytes.count } }

  /// Makes room for the rows of child tables, once.
  package mutating func beginChildren(_ widths: [Int]) {
    if children.isEmpty { children = widths.map(ChildRows.init) }
  }

  /// Removes the last row and its child rows.
  package mutating func removeLast() {
    rows.removeLast()
    for index in children.indices { children[index].removeLast() }
  }

  /// Counts a document that is left out, and keeps its key.
  package mutating func skip(_ reason: String, key: UnsafeRawBufferPointer) {
    skipped[reason, default: 0] += 1
    skippedKeys.append(text: key)
  }

  /// Counts a document that is left out, whose key must not be kept.
  package mutating func skip(_ reason: String) {
    skipped[reason, default: 0] += 1
  }

  /// Counts a remark on the last row.
  package mutating func note(_ reason: String) {
    notes[reason, default: 0] += 1
    canSkipUnchanged = false
  }

  /// Says that the key of the last row is a field's value and not its document's id.
  package mutating func noteKeyOfField() { canSkipUnchanged = false }
}
