import Firestore
import Model
import Store

/// Which documents of a pull count as unchanged without being read; see
/// `docs/firestore.md#unchanged-documents`.
///
/// A document is skipped only when reading it would add nothing to the run's counts and notes: when
/// its row tells all there is to say of it. The metadata name the collection, when every row of the
/// table is of one of its documents and tells all of it.
package struct UnchangedDocuments: Sendable {
  let table: SyncTable
  /// The collection whose documents the rows are.
  let collection: String
  /// The profile's own user, who is never unchanged; nil when unknown.
  let ownUserId: String?
  /// Whether the rows decide alone: a filter or a watermark has to see each document's fields.
  let maySkip: Bool

  private var name: String { "rows of \(table.name) tell all of" }

  /// The stored times to compare with; nil when every document has to be read.
  func storedTimes(in store: Store) throws -> StoredTimes? {
    guard maySkip, try store.read({ try $0.metadata(named: name) }) == collection else {
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

  /// Joins a transaction that stores rows: deletes the metadata when the rows contradict them.
  func willStore(canSkipUnchanged: Bool, in writer: Writer) throws {
    guard let told = try writer.metadata(named: name), !canSkipUnchanged || told != collection
    else { return }
    try writer.setMetadata(nil, named: name)
  }

  /// Joins the last transaction of a pull: sets the metadata when each row of the table is of a
  /// document that this pull met, and tells all of it.
  func didStore(_ result: PullResult, in writer: Writer) throws {
    guard maySkip, result.canSkipUnchanged, !result.leftSnapshot,
      try writer.metadata(named: name) == nil
    else { return }
    let rows = try writer.mirrorCounts(of: table).rows
    guard rows > 0, rows == result.counts.storedTotal + result.counts.unchanged else { return }
    try writer.setMetadata(collection, named: name)
  }
}
