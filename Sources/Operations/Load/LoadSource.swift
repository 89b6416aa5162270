import Feeds
package import Firestore
import Glibc
import Jobs
import Model
package import Store
import Workspace

/// A source of documents for `firetally load`; see `docs/load.md#sources`.
package struct LoadSource: Sendable {
  package enum Form: Sendable {
    /// A table with whole documents, of a job of kind sync-collection.
    case table(String)
    /// A file with one document per line.
    case lines(String)
    case export(ManagedExport)
  }

  package let form: Form
  /// The name of the source in messages.
  package let name: String
  /// Identifies the source and its state, so that an interrupted load can continue.
  let identity: String
  /// The database of the documents; nil for a source without documents.
  package let root: ResourceName?
  package let count: Int
  private let store: Store

  /// Opens a table of the store, else a file, else the folder of an export.
  ///
  /// - Throws: `WorkspaceError.refused` for any other name, and for a table without documents.
  package init(_ name: String, in store: Store) throws {
    self.name = name
    self.store = store
    if let stored = try store.read({ try $0.storedTable(named: name) }) {
      guard stored.registration != nil,
        stored.columns.contains(where: { $0.name == SyncTable.documentColumn })
      else {
        throw WorkspaceError.refused(
          .usage,
          "The table \(name) keeps no whole documents. Set 'document: true' in its job and run it.")
      }
      form = .table(name)
      let (first, found) = try store.read {
        (try $0.documents(of: name, after: "", limit: 1).first, try $0.documentCount(of: name))
      }
      root = try first.map { try Self.root(of: $0.document) }
      // A table that has changed is another source: new rows may lie before the position.
      identity = "table \(name) \(found.count) \(found.syncedAt)"
      count = found.count
      return
    }
    var status = stat()
    guard stat(name, &status) == 0 else {
      throw WorkspaceError.refused(
        .usage, "There is no table, no file and no folder \(name). `firetally schema` lists tables."
      )
    }
    if status.st_mode & S_IFMT == S_IFDIR || name.hasSuffix(".overall_export_metadata") {
      let export = try ManagedExport.named(name)
      (form, root, count) = (.export(export), export.root, export.documentCount)
      identity = "export \(export.identity)"
    } else {
      form = .lines(name)
      identity = "file \(name) \(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
      (count, root) = try Self.survey(name)
    }
  }

  private static func root(of json: String) throws -> ResourceName {
    let document = try Document(json: try JSON(parsing: Array(json.utf8)))
    let name = try ResourceName(parsing: document.name)
    return ResourceName(project: name.project, database: name.database)
  }

  /// Returns the number of lines, and the database of the first document.
  private static func survey(_ path: String) throws -> (count: Int, root: ResourceName?) {
    let lines = try TextLines(path: path)
    var count = 0
    var root: ResourceName?
    while let (bytes, number) = try lines.next() {
      guard let bytes, !bytes.isEmpty else { continue }
      count += 1
      if root == nil {
        let document = try LoadReader.document(in: bytes, line: number, of: path)
        let name = try ResourceName(parsing: document.name)
        root = ResourceName(project: name.project, database: name.database)
      }
    }
    return (count, root)
  }

  /// Returns a reader that starts after another reader's position; empty for the beginning.
  func reader(after position: String) throws -> LoadReader {
    try LoadReader(self, store: store, after: position)
  }
}

/// A reader of a source's documents, page by page.
final class LoadReader {
  /// The largest number of documents in a page.
  static let pageSize = 500

  private let source: LoadSource
  private let store: Store
  private var lines: TextLines?
  private var export: ExportReader?
  /// The position at the end of the last page.
  private(set) var position: String
  /// The number of an export's documents up to `position`.
  private var done: Int

  fileprivate init(_ source: LoadSource, store: Store, after position: String) throws {
    self.source = source
    self.store = store
    self.position = position
    done = Int(position) ?? 0
    switch source.form {
    case .table: break
    case .lines(let path):
      let lines = try TextLines(path: path)
      for _ in 0..<done { _ = try lines.next() }
      self.lines = lines
    case .export(let export): self.export = export.reader()
    }
  }

  /// Returns the next documents; empty at the end.
  ///
  /// - Throws: `WorkspaceError.refused` for a line without a document, and for a damaged export.
  func next() throws -> [Document] {
    switch source.form {
    case .table(let name):
      let rows = try store.read { [position] in
        try $0.documents(of: name, after: position, limit: Self.pageSize)
      }
      position = rows.last?.path ?? position
      return try rows.map { try Document(json: try JSON(parsing: Array($0.document.utf8))) }
    case .lines(let path): return try nextLines(of: path)
    case .export: return try nextOfExport()
    }
  }

  private func nextLines(of path: String) throws -> [Document] {
    var documents: [Document] = []
    while documents.count < Self.pageSize, let (bytes, number) = try lines?.next() {
      position = "\(number)"
      guard bytes?.isEmpty != true else { continue }
      documents.append(try Self.document(in: bytes, line: number, of: path))
    }
    return documents
  }

  /// Parses a line: a document, or a row of an exported table with it in the column `document`.
  static func document(in bytes: [UInt8]?, line: Int, of path: String) throws -> Document {
    do {
      guard let bytes else { throw WireError("is too long") }
      var json = try JSON(parsing: bytes)
      switch json["document"] {
      case .string(let text)?: json = try JSON(parsing: Array(text.utf8))
      case let object?: json = object
      case nil: break
      }
      let document = try Document(json: json)
      _ = try ResourceName(parsing: document.name)
      return document
    } catch {
      throw WorkspaceError.refused(
        .badData,
        "\(path), line \(line), holds no document. Export a table with its column 'document', or "
          + "write documents as the REST API does.")
    }
  }

  private func nextOfExport() throws -> [Document] {
    var page: [UInt8] = []
    do {
      while try export?.nextPage(into: &page, documents: Self.pageSize) != nil {
        let elements = try JSON(parsing: page).elements()
        let passed = min(done, elements.count)
        done -= passed
        guard passed < elements.count else { continue }
        position = "\(export?.recordCount ?? 0)"
        return try elements.dropFirst(passed).compactMap {
          try $0["document"].map { try Document(json: $0) }
        }
      }
    } catch let error as ExportError {
      throw WorkspaceError.refused(.badData, error.description)
    }
    return []
  }
}
