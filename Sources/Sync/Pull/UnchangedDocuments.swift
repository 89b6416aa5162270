import Model
package import Store

/// Which documents of a pull count as unchanged without being read; see
/// `docs/firestore.md#unchanged-documents`.
///
/// A document is skipped only when reading it would add nothing to the run's counts and notes: when
/// its row holds all of it. The metadata name the collection while the table holds only this
/// collection's documents, each of them whole.
package struct UnchangedDocuments: Sendable {
  let table: SyncTable
  /// The collection whose documents the rows are.
  let collection: String
  /// The profile's own user, who is never unchanged; nil when unknown.
  let ownUserId: String?
  /// Whether the rows decide alone: a filter or a watermark has to see each document's fields.
  let maySkip: Bool
  /// The fields that fill the rows, and the name under which they are remembered.
  let filling: (name: String, fields: String)

  package init(
    table: SyncTable, collection: String, ownUserId: String?, maySkip: Bool,
    filling: (name: String, fields: String)
  ) {
    self.table = table
    self.collection = collection
    self.ownUserId = ownUserId
    self.maySkip = maySkip
    self.filling = filling
  }

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

  /// What a transaction that stores rows makes of the metadata.
  ///
  /// - Parameters:
  ///   - canSkipUnchanged: whether each of these rows holds all of its document.
  ///   - result: of a pull that is complete, with these rows; nil for one that goes on.
  ///   - reader: sees the rows.
  /// - Returns: nothing while the metadata stay true. They are deleted when the rows contradict
  ///   them, and set when the pull met the document of each row of the table, and each row holds
  ///   all of its document.
  /// - Throws: the database's errors.
  func effects(
    canSkipUnchanged: Bool, after result: PullResult?, in reader: some Readable
  ) throws -> [Effect] {
    let told = try reader.metadata(named: name)
    guard told != collection || !canSkipUnchanged else { return [] }
    if let result, try isWhole(result, in: reader) { return [.metadata(collection, named: name)] }
    return told == nil ? [] : [.metadata(nil, named: name)]
  }

  private func isWhole(_ result: PullResult, in reader: some Readable) throws -> Bool {
    guard maySkip, result.canSkipUnchanged, !result.leftSnapshot else { return false }
    let rows = try reader.mirrorCounts(of: table).rows
    return rows > 0 && rows == result.counts.storedTotal + result.counts.unchanged
  }

  /// Makes the collection's rows that were filled from other fields count as changed.
  ///
  /// Also forgets how far loads got by those fields. Rows older than the first remembered fields
  /// may have been filled from any field: they count as changed, too, and no cursor is forgotten.
  func forgetOtherFields(in writer: Writer) throws {
    let known = try writer.metadata(named: filling.name)
    guard known != filling.fields else { return }
    try writer.outdateRows(of: table)
    if known != nil { try writer.clearCursors(of: table) }
    try writer.setMetadata(filling.fields, named: filling.name)
  }
}
