import Firestore
import Model
import Store

/// Which documents of a pull count as unchanged without being read; see
/// `docs/firestore.md#unchanged-documents`.
///
/// Only documents whose rows tell all there is to say of them: otherwise what a run says would
/// depend on what was stored before. A mark in the database says that every row of the table is
/// such a row, of one collection.
package struct UnchangedDocuments: Sendable {
  /// The collection whose documents the rows are.
  let collection: String
  /// The profile's own user, who is never unchanged; nil when unknown.
  let ownUserId: String?
  /// Whether the rows decide alone: a filter or a watermark has to see each document's fields.
  let maySkip: Bool

  private static let mark = "users with plain rows are of"

  /// The stored times to compare with; nil when every document has to be read.
  func storedTimes(of table: SyncTable, in store: Store) throws -> StoredTimes? {
    guard maySkip, try store.read({ try $0.metadata(named: Self.mark) }) == collection else {
      return nil
    }
    return store.storedTimes(of: table)
  }

  /// The stored `updateTime` of the document with this full name; nil for one that must be read.
  func time(
    ofDocument name: UnsafeRawBufferPointer, in lookup: StoredTimes.Lookup
  ) throws -> Int64? {
    let id = UnsafeRawBufferPointer(
      rebasing: name[KeyMapping.id(of: name.startIndex..<name.endIndex, in: name)])
    guard ownUserId.map({ !id.elementsEqual($0.utf8) }) ?? true else { return nil }
    return try lookup.updateTime(ofKey: id)
  }

  /// Joins a transaction that stores rows: takes the mark away when it would not be true any more.
  func willStore(arePlain: Bool, in writer: Writer) throws {
    guard let marked = try writer.metadata(named: Self.mark), !arePlain || marked != collection
    else { return }
    try writer.setMetadata(nil, named: Self.mark)
  }

  /// Joins the last transaction of a pull: sets the mark when every row of the table is of a
  /// document that the pull has seen.
  func didStore(_ result: PullResult, of table: SyncTable, in writer: Writer) throws {
    guard maySkip, result.arePlain, result.resumedAfter == nil, !result.leftSnapshot,
      try writer.metadata(named: Self.mark) == nil
    else { return }
    let rows = try writer.mirrorCounts(of: table).rows
    guard rows > 0, rows == result.counts.storedTotal + result.counts.unchanged else { return }
    try writer.setMetadata(collection, named: Self.mark)
  }
}
