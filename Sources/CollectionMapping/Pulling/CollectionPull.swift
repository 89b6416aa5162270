package import Firestore
import Model
package import Store
package import Sync

/// The collection to copy and its table; see `docs/jobs/sync-collection.md`.
package struct CollectionPullRequest: Sendable {
  /// The documents a page of a job that names no other number.
  package static let pageSize = 500

  package var source: CollectionSource
  package var tableName: String
  package var columns: [MappedColumn]
  /// Whether the whole document is stored as well.
  package var hasDocument: Bool
  /// The arrays and maps with child tables.
  package var exploded: [ExplodedField] = []
  /// Whether rows of deleted documents stay.
  package var keepsDeleted = false
  /// Whether earlier versions of rows are kept, and for how long; a nil age keeps them forever.
  package var keepsHistory = false
  package var historyAge: Duration?
  package var options: PullOptions

  package init(
    source: CollectionSource, tableName: String, columns: [MappedColumn], hasDocument: Bool,
    exploded: [ExplodedField] = [], keepsDeleted: Bool = false, keepsHistory: Bool = false,
    historyAge: Duration? = nil, options: PullOptions
  ) {
    self.source = source
    self.tableName = tableName
    self.columns = columns
    self.hasDocument = hasDocument
    self.exploded = exploded
    self.keepsDeleted = keepsDeleted
    self.keepsHistory = keepsHistory
    self.historyAge = historyAge
    self.options = options
  }

  package var table: SyncTable {
    .collection(
      name: tableName, columns: columns.map(\.stored), hasDocument: hasDocument,
      children: exploded.map(\.table), keepsDeleted: keepsDeleted)
  }

  package var pull: PullRequest {
    let paths = columns.map(\.path) + exploded.map(\.path)
    let declared =
      paths.compactMap { $0?.selection } + [options.watermark?.field].compactMap(\.self)
    let query = source.query(selecting: hasDocument ? nil : declared)
    let table = table
    let mapping = ColumnMapping(
      columns: columns, exploded: exploded, hasDocument: hasDocument,
      orderField: options.watermark?.field ?? source.order?.field, parents: source.parents)
    var options = options
    // Counts must include documents that match the query but that the table leaves out.
    if source.parents != nil { options.remembersSkipped = true }
    return PullRequest(
      query: query, parent: source.parent, table: table, mapping: mapping,
      cursorKey: table.cursorPrefix + cursorText(query), options: options)
  }

  private func cursorText(_ query: StructuredQuery) -> String {
    let fills = registration.columns.sorted { $0.key < $1.key }
    var parts: [JSON] = [
      query.json, .string(source.description),
      options.maxDocuments.map { .integer($0) } ?? .null,
      .array(fills.map { .array([.string($0.key), .string($0.value)]) }),
    ]
    if !exploded.isEmpty { parts.append(.array(exploded.map(cursorText))) }
    return String(decoding: JSON.array(parts).serialized(), as: UTF8.self)
  }

  private func cursorText(_ field: ExplodedField) -> JSON {
    let fills = field.registration(below: source, in: tableName)
    let columns = fills.columns.sorted { $0.key < $1.key }
    return .array(
      [.string(field.tableName), .string(fills.source)]
        + columns.map { .array([.string($0.key), .string($0.value)]) })
  }

  /// Compares the fields with earlier runs; an incremental pull cannot show which fields vanished.
  fileprivate func drift(of result: PullResult, from known: SchemaDrift.Kinds) -> SchemaDrift {
    SchemaDrift(known: known, census: result.census, isComplete: hasReadAll(result))
  }

  private func hasReadAll(_ result: PullResult) -> Bool {
    result.isComplete && options.maxDocuments == nil && options.watermark == nil
      && result.resumedAfter == nil
  }

  /// Returns the declared names that no document has; nil unless all documents were read.
  fileprivate func absentFields(in result: PullResult) -> [String]? {
    guard hasReadAll(result), !result.met.isEmpty else { return nil }
    return DeclaredPath.all(of: columns, exploded).enumerated().compactMap { position, declared in
      let isThere = result.met.contains(position)
      let hasParent = declared.parent.map(result.met.contains) ?? true
      return isThere || !hasParent ? nil : declared.name
    }
  }
}

/// A path in a declaration; paths are in the order in which a mapping reports them.
struct DeclaredPath {
  /// `city (address.city)`; nil for the elements of an array or a map.
  let name: String?
  /// The position of the enclosing elements' path; nil for a path of the document itself.
  var parent: Int?

  /// Returns the paths of the columns, then of the exploded fields, then of each field's elements
  /// and their columns.
  static func all(of columns: [MappedColumn], _ exploded: [ExplodedField]) -> [DeclaredPath] {
    var paths = columns.compactMap { column in
      column.path.map { DeclaredPath(name: "\(column.name) (\($0))") }
    }
    paths += exploded.map { DeclaredPath(name: "\($0.tableName) (\($0.path))") }
    for field in exploded {
      let parent = paths.count
      paths.append(DeclaredPath(name: nil))
      let elements = field.keyColumn == nil ? "\(field.path)[]" : "\(field.path).*"
      paths += field.columns.map { column in
        let path = column.path.map { ".\($0)" } ?? ""
        return DeclaredPath(
          name: "\(field.tableName).\(column.name) (\(elements)\(path))", parent: parent)
      }
    }
    return paths
  }
}

package struct CollectionPullResult: Sendable {
  package var pull: PullResult
  package var drift: SchemaDrift
  /// The changes that the job's declaration made in the database.
  package var schemaChanges: [SchemaChange]
  /// The number of rows that were filled from the documents that the table keeps.
  package var refilled: Int
  /// The columns and exploded fields that no document of a complete load has, by name.
  package var absentFields: [String]
  /// Whether the previous complete load found other names absent, or none.
  package var isNewAbsence: Bool
  /// The number of documents without the order field, which the order leaves out; nil when not
  /// counted.
  package var lackingCount: Int?
  /// Whether a load that ended at its limit read only one type of the order field, while other
  /// documents have another type.
  package var mixesTypes = false
}

/// A pull of a collection into its own table.
package struct CollectionPull: Sendable {
  private let store: Store
  private let pull: Pull
  private let bytesPerRewrite: Int

  package init(
    port: any FirestorePort, store: Store, reads: ReadBudgetMeter = ReadBudgetMeter(),
    documentsPerCommit: Int = Pull.documentsPerCommit, bytesPerCommit: Int = Pull.bytesPerCommit,
    bytesPerRewrite: Int = DocumentRewrite.bytesPerCommit
  ) {
    self.store = store
    self.bytesPerRewrite = bytesPerRewrite
    pull = Pull(
      port: port, store: store, reads: reads, documentsPerCommit: documentsPerCommit,
      bytesPerCommit: bytesPerCommit)
  }

  /// Migrates the tables to the declaration and pulls until the last page; see `Pull.run`.
  ///
  /// The observed kinds of the fields are stored after the pull.
  ///
  /// - Throws: `WorkspaceError.refused`, before any request, when the table belongs to another
  ///   collection.
  package func run(_ request: CollectionPullRequest) async throws -> CollectionPullResult {
    var result = try await request.run(in: store, bytesPerRewrite: bytesPerRewrite) { request in
      try await pull.run(request)
    }
    result.lackingCount = try await lackingCount(request, result.pull)
    result.mixesTypes = try await mixesTypes(request, result.pull)
    return result
  }

  /// Whether a limited load misses timestamps because it read only numbers, or vice versa.
  ///
  /// Firestore sorts by type first. This reads at most one document.
  private func mixesTypes(
    _ request: CollectionPullRequest, _ pulled: PullResult
  ) async throws -> Bool {
    guard let order = request.source.order, let most = request.options.maxDocuments,
      pulled.isComplete, pulled.counts.fetched >= most, !pulled.orderTypes.isEmpty
    else { return false }
    guard let unread = pulled.orderTypes.unread else { return true }
    var query = Watermark(field: order.field, overlap: .zero, forms: [unread])
      .visible(of: request.source.query(selecting: nil))
    query.orderBy = request.source.query(selecting: nil).orderBy
    let count = try await pull.count(
      of: query, under: request.source.parent, readTime: pulled.readTime, upTo: 1)
    return count ?? 0 > 0
  }

  /// Returns the number of documents that the order leaves out, from counts with and without it.
  ///
  /// It is nil when unknown: pages ordered by name leave out no document, a limited or incomplete
  /// run shows nothing about the rest, or the read budget allows no count.
  private func lackingCount(_ request: CollectionPullRequest, _ pulled: PullResult) async throws
    -> Int?
  {
    guard request.source.order != nil, request.options.maxDocuments == nil, pulled.isComplete else {
      return nil
    }
    let ordered = request.source.query(selecting: nil)
    var unordered = ordered
    unordered.orderBy = []
    let parent = request.source.parent
    let all = try await pull.count(of: unordered, under: parent, readTime: pulled.readTime)
    let met = try await pull.count(of: ordered, under: parent, readTime: pulled.readTime)
    guard let all, let met else { return nil }
    return max(0, all - met)
  }
}

extension CollectionPullRequest {
  /// Migrates the tables, pulls by `pull`, and stores what the documents showed about the fields.
  ///
  /// - Returns: the result, without the count of documents that the order leaves out.
  /// - Throws: `WorkspaceError.refused` before `pull` is called, and what `pull` throws.
  package func run(
    in store: Store, bytesPerRewrite: Int = DocumentRewrite.bytesPerCommit,
    _ pull: (PullRequest) async throws -> PullResult
  ) async throws -> CollectionPullResult {
    let migration = try store.write { try migrate(in: $0) }
    let refilled = try DocumentRewrite(
      request: self, store: store, bytesPerCommit: bytesPerRewrite
    ).run()
    let known = try store.read {
      try $0.knownFields(of: table).mapValues { Set($0.compactMap(FieldKind.init)) }
    }
    let pulled = try await pull(self.pull)
    let drift = drift(of: pulled, from: known)
    let absent = absentFields(in: pulled)
    let isNewAbsence = try store.write { writer in
      try writer.setKnownFields(drift.known.mapValues(\.names), of: table)
      if keepsHistory, let historyAge {
        _ = try writer.removeVersions(of: tableName, before: options.now - historyAge)
      }
      return try absent.map { try writer.rememberAbsence($0, of: table) } ?? false
    }
    return CollectionPullResult(
      pull: pulled, drift: drift, schemaChanges: migration.changes, refilled: refilled,
      absentFields: absent ?? [], isNewAbsence: isNewAbsence)
  }

  /// Creates the tables without a request, for a shard.
  package func makeTables(in store: Store) throws {
    try store.write { _ = try migrate(in: $0) }
  }
}

extension ShardMerge {
  /// Merges the shards of a collection, with the result that `CollectionPull` would have.
  package func run(_ request: CollectionPullRequest) async throws -> CollectionPullResult {
    try await request.run(in: store) { try await run($0) }
  }
}

extension Writer {
  /// Records the columns that no document fills; returns true if there are any and they have
  /// changed.
  fileprivate func rememberAbsence(_ names: [String], of table: SyncTable) throws -> Bool {
    let name: MarkName = "absent fields of \(table.name)"
    let text = names.isEmpty ? nil : names.joined(separator: ", ")
    guard try mark(named: name) != text else { return false }
    try setMark(text, named: name)
    return text != nil
  }
}
