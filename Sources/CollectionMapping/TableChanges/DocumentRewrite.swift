import Firestore
import Model
package import Store
package import Sync

/// A rewrite that fills columns and child tables from the stored documents, without a request.
///
/// Each transaction commits some rows with their child rows and the last row's key, so an
/// interrupted rewrite continues after that key.
struct DocumentRewrite: Sendable {
  /// The size of the documents in one transaction, in bytes.
  static let bytesPerCommit = 4 << 20

  let request: CollectionPullRequest
  let store: Store
  var bytesPerCommit = Self.bytesPerCommit

  /// Fills the remaining rows, and returns their number.
  ///
  /// If a stored document was edited and cannot be read, the next load reads everything.
  func run() throws -> Int {
    let table = request.table
    guard try store.read({ try $0.rewritePosition(of: table) }) != nil else { return 0 }
    let mapping = try store.read { try request.pull.withoutErased(in: $0).mapping }
    var filled = 0
    while let count = try store.write({ try step(mapping, table, in: $0) }) {
      filled += count
      try Task.checkCancellation()
    }
    return filled
  }

  /// Fills the next rows and returns their number; nil when none are left.
  private func step(
    _ mapping: any DocumentMapping, _ table: SyncTable, in writer: Writer
  ) throws -> Int? {
    guard let position = try writer.rewritePosition(of: table) else { return nil }
    let documents = try writer.keptDocuments(of: table, after: position, bytes: bytesPerCommit)
    guard let last = documents.last else {
      try writer.setRewritePosition(nil, of: table)
      return nil
    }
    let (rows, unreadable) = mapped(documents, by: mapping)
    let count = try writer.rewrite(
      rows.rows, with: rows.children, in: table, at: request.options.now)
    if !unreadable.isEmpty {
      for key in unreadable { try writer.outdateRow(key, of: table) }
      try writer.clearCursors(of: table)
    }
    try writer.setRewritePosition(last.key, of: table)
    return count
  }

  /// Returns the rows of the documents, and the keys of unreadable documents.
  private func mapped(
    _ documents: [KeptDocument], by mapping: any DocumentMapping
  ) -> (MappedRows, unreadable: [String]) {
    var collected = MappedRows(TableRows(width: mapping.width))
    var unreadable: [String] = []
    var scanner = mapping.scanner
    for document in documents {
      var page = Array(#"[{"document":"#.utf8) + document.json + Array("}]".utf8)
      let count = collected.rows.count
      do {
        _ = try scanner.scan(&page) { scanned, bytes in
          mapping.add(scanned, in: bytes, to: &collected)
        }
      } catch {
        // An invalid document is fetched again.
        unreadable.append(document.key)
        if collected.rows.count > count { collected.removeLast() }
      }
    }
    return (collected, unreadable)
  }
}

/// The keys of a collection's cursors, which contain the declaration.
extension CollectionPullRequest {
  /// Returns the query of the next run, after the changes of the declaration, for a plan.
  ///
  /// - Throws: `WorkspaceError.refused` when a table belongs to another collection.
  package func planned(in reader: some Readable) throws -> PlannedQuery {
    var pull = pull
    guard try migration(in: reader).filling != .fullRead else {
      pull.options.watermark = pull.options.watermark?.startingOver
      return PlannedQuery(pull, from: nil)
    }
    if let stored = try storedKeys(in: reader).first { pull.cursorKey = stored.base }
    return try PlannedQuery(pull, reader)
  }

  /// Renames the cursors of earlier column declarations to the key of this one.
  func keepCursors(in writer: Writer) throws {
    let key = pull.cursorKey
    for stored in try storedKeys(in: writer) where stored.base != key {
      try writer.renameCursor(
        job: options.job, from: stored.base + stored.suffix, to: key + stored.suffix)
    }
  }

  /// Returns the keys of cursors for the same documents, regardless of the declared columns.
  private func storedKeys(in reader: some Readable) throws -> [(base: String, suffix: String)] {
    let request = pull
    let prefix = request.table.cursorPrefix
    guard let own = documents(of: request.cursorKey, prefix) else { return [] }
    let suffixes = [
      String(request.watermarkKey.dropFirst(request.cursorKey.count)), request.changesSuffix, "",
    ]
    return try reader.cursorKeys(job: options.job, prefix: prefix).compactMap { key in
      for suffix in suffixes where key.hasSuffix(suffix) {
        let base = String(key.dropLast(suffix.count))
        if documents(of: base, prefix) == own { return (base, suffix) }
      }
      return nil
    }
  }

  /// Returns the part of a key that identifies the documents; nil for the key of a sweep.
  private func documents(of key: String, _ prefix: String) -> JSON? {
    guard let json = JSON(text: String(key.dropFirst(prefix.count))), case .array(let parts) = json,
      parts.count >= 3, case .object(var query) = parts[0]
    else { return nil }
    query["select"] = nil
    return .array([.object(query), parts[1], parts[2]])
  }
}

extension JSON {
  /// Returns nil for a text that is not JSON.
  fileprivate init?(text: String) {
    do {
      self = try JSON(parsing: Array(text.utf8))
    } catch {
      return nil
    }
  }
}

extension Watermark {
  /// The watermark for a load that reads everything.
  fileprivate var startingOver: Watermark {
    Watermark(field: field, overlap: overlap, forms: forms, startsOver: true)
  }
}
