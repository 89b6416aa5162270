package import Firestore
package import Model

/// Turns scanned documents into rows of one table, or says why not.
package protocol DocumentMapping: Sendable {
  /// Reads what the mapping wants of each document.
  var scanner: DocumentScanner { get }
  /// Cells of a row.
  var width: Int { get }
  /// Where among the scanned fields the one is that the pages are ordered by; nil for the name.
  var orderPosition: Int? { get }

  /// Appends the document as a row, or counts why it is left out.
  ///
  /// This runs once a document on the hot path of a sync: texts stay ranges of the page.
  func add(
    _ document: borrowing ScannedDocument, in page: UnsafeRawBufferPointer,
    to collected: inout MappedRows)
}

/// The rows that a page became, and what became of the rest.
package struct MappedRows: Sendable {
  package var rows: TableRows
  /// Documents left out, by reason.
  package private(set) var skipped: [String: Int] = [:]
  /// The keys that their rows would have had, one a row.
  package private(set) var skippedKeys = TableRows(width: 1)
  /// What an operator should know of rows that were stored, by reason.
  package private(set) var notes: [String: Int] = [:]

  /// Begins with no rows, in the memory of `rows`.
  package init(_ rows: consuming TableRows) {
    self.rows = rows
  }

  /// Counts a document that is left out, and remembers the bytes of its key.
  package mutating func skip(_ reason: String, key: UnsafeRawBufferPointer) {
    skipped[reason, default: 0] += 1
    skippedKeys.append(text: key)
  }

  package mutating func note(_ reason: String) { notes[reason, default: 0] += 1 }
}
