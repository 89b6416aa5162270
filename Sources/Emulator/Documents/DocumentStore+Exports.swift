package import Firestore

/// Managed exports of a database; see `docs/managed-exports.md#writing`.
extension DocumentStore {
  /// Stores the documents of an export under another project's name, or its own for nil.
  ///
  /// Documents of the same names are replaced. References stay what they are.
  ///
  /// - Returns: the number of documents.
  /// - Throws: `ExportError` for an export that is not whole: documents before the damage are
  ///   stored then; `RefusedRequest` for one that Firestore refuses.
  package func load(_ export: ManagedExport, into project: String? = nil) throws -> Int {
    guard let own = export.root else { return 0 }
    let target = ResourceName(project: project ?? own.project, database: own.database)
    var reader = export.reader()
    var page: [UInt8] = []
    var total = 0
    while let count = try reader.nextPage(into: &page, documents: 500) {
      let documents = try JSON(parsing: page).elements().compactMap { element in
        try element["document"].map { json in
          var document = try Document(json: json)
          let path = own.relativePath(of: document.name)
          document.name = "\(target.description)/\(path)"
          document.updateTime = nil
          return document
        }
      }
      try seed(documents)
      total += count
    }
    return total
  }

  /// Writes an export of a database into a folder, which takes the place of an export there.
  ///
  /// - Returns: the number of documents.
  /// - Throws: `ExportError`, or `WireError` for a value that an export cannot hold.
  package func export(_ database: ResourceName, to folder: String) throws -> Int {
    var writer = try ExportWriter(to: folder, begin: clock())
    do {
      for document in documents(of: database) { try writer.add(document) }
      return try writer.finish(end: clock())
    } catch {
      writer.discard()
      throw error
    }
  }
}
