import Firestore
package import Store

/// The keys of a collection's cursors, which name the declaration that they belong to.
extension CollectionPullRequest {
  /// The request for a plan: what the next run would read, whatever the declaration changes.
  ///
  /// - Throws: `TablePlan.Conflict` when a table is not for this collection.
  package func planned(in reader: some Readable) throws -> PlannedQuery {
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
    Watermark(field: field, overlap: overlap, form: form, startsOver: true)
  }
}
