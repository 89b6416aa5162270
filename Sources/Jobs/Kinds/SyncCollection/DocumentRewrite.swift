import Firestore
import Model
import Store
import Sync

/// Fills columns and child tables from the documents that a table keeps, without a request.
///
/// Some rows are committed at a time, each with its child rows, and with the key of the last one: a
/// run that was killed goes on behind it.
struct DocumentRewrite: Sendable {
  /// Bytes of documents that one transaction covers.
  static let bytesPerCommit = 4 << 20

  let request: CollectionPullRequest
  let store: Store
  var bytesPerCommit = Self.bytesPerCommit

  /// Fills the rows that are left, and returns how many there were.
  ///
  /// A document that cannot be read, since somebody changed it, makes the next load read
  /// everything.
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

  /// Fills the next rows; nil when none are left.
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

  /// The rows of the documents, and the keys of those that cannot be read.
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
        // What is no document of Firestore's is fetched anew.
        unreadable.append(document.key)
        if collected.rows.count > count { collected.removeLast() }
      }
    }
    return (collected, unreadable)
  }
}

/// The keys of a collection's cursors, which name the declaration that they belong to.
extension CollectionPullRequest {
  /// The request for a plan: what the next run would read, whatever the declaration changes.
  ///
  /// - Throws: `JobsError.refused` when a table is not for this collection.
  func planned(in reader: some Readable) throws -> PlannedQuery {
    var pull = pull
    guard try migration(in: reader).filling != .fullRead else {
      pull.options.watermark = pull.options.watermark?.startingOver
      return PlannedQuery(pull, from: nil)
    }
    if let stored = try storedKeys(in: reader).first { pull.cursorKey = stored.base }
    return try PlannedQuery(pull, reader)
  }

  /// Gives the cursors that another declaration of columns has stored the keys of this one.
  func keepCursors(in writer: Writer) throws {
    let key = pull.cursorKey
    for stored in try storedKeys(in: writer) where stored.base != key {
      try writer.renameCursor(
        job: options.job, from: stored.base + stored.suffix, to: key + stored.suffix)
    }
  }

  /// The keys of cursors for the same documents, whatever columns were declared.
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

  /// What a key says of the documents; nil for the key of a sweep.
  private func documents(of key: String, _ prefix: String) -> JSON? {
    guard let json = JSON(text: String(key.dropFirst(prefix.count))), case .array(let parts) = json,
      parts.count >= 3, case .object(var query) = parts[0]
    else { return nil }
    query["select"] = nil
    return .array([.object(query), parts[1], parts[2]])
  }
}

extension JSON {
  /// Nil for what is not JSON.
  fileprivate init?(text: String) {
    do {
      self = try JSON(parsing: Array(text.utf8))
    } catch {
      return nil
    }
  }
}

extension Watermark {
  /// The same for a load that reads everything.
  fileprivate var startingOver: Watermark {
    Watermark(field: field, overlap: overlap, forms: forms, startsOver: true)
  }
}
