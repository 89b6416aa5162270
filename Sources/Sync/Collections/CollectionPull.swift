import Firestore
import Model
package import Store

/// Which collection is copied into which table; see `docs/jobs/sync-collection.md`.
package struct CollectionPullRequest: Sendable {
  package var source: CollectionSource
  package var tableName: String
  package var columns: [MappedColumn]
  /// Whether the whole document is kept as well.
  package var hasDocument: Bool
  /// The arrays and maps with child tables.
  package var exploded: [ExplodedField]
  /// Whether rows whose documents are gone stay.
  package var keepsDeleted: Bool
  package var options: PullOptions

  package init(
    source: CollectionSource, tableName: String, columns: [MappedColumn], hasDocument: Bool,
    exploded: [ExplodedField] = [], keepsDeleted: Bool = false, options: PullOptions
  ) {
    self.source = source
    self.tableName = tableName
    self.columns = columns
    self.hasDocument = hasDocument
    self.exploded = exploded
    self.keepsDeleted = keepsDeleted
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
    // Counts have to know of documents that the query meets and the table leaves out.
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

  /// An incremental pull does not read every document, so it cannot tell what is gone.
  fileprivate func drift(of result: PullResult, from known: SchemaDrift.Kinds) -> SchemaDrift {
    SchemaDrift(known: known, census: result.census, isComplete: hasReadAll(result))
  }

  private func hasReadAll(_ result: PullResult) -> Bool {
    result.isComplete && options.maxDocuments == nil && options.watermark == nil
      && result.resumedAfter == nil
  }

  /// The declared names whose top-level field no document has; empty unless all were read.
  fileprivate func absentFields(in result: PullResult) -> [String] {
    guard hasReadAll(result), result.counts.fetched > 0, !result.census.isTruncated else {
      return []
    }
    let present = Set(result.census.fields.map(\.name))
    let declared =
      columns.map { ($0.name, $0.path) } + exploded.map { ($0.tableName, Optional($0.path)) }
    return declared.compactMap { name, path in
      guard let field = path?.selection?.segments.first, !present.contains(field) else {
        return nil
      }
      return "\(name) (\(path?.description ?? ""))"
    }
  }
}

package struct CollectionPullResult: Sendable {
  package var pull: PullResult
  package var drift: SchemaDrift
  /// What the job's declaration changed in the database.
  package var schemaChanges: [SchemaChange]
  /// Rows that were filled from the documents that the table keeps.
  package var refilled: Int
  /// Columns and exploded fields that no document of a whole load has, by name.
  package var absentFields: [String]
  /// Documents that lack the field of the order, which leaves them out; nil when not counted.
  package var lackingCount: Int?
}

/// Copies a collection into a table of its own.
package struct CollectionPull: Sendable {
  private let store: Store
  private let pull: Pull
  private let bytesPerRewrite: Int

  package init(port: any FirestorePort, store: Store, reads: ReadBudgetMeter) {
    self.store = store
    bytesPerRewrite = DocumentRewrite.bytesPerCommit
    pull = Pull(port: port, store: store, reads: reads)
  }

  init(
    port: any FirestorePort, store: Store, documentsPerCommit: Int,
    bytesPerCommit: Int = Pull.bytesPerCommit,
    bytesPerRewrite: Int = DocumentRewrite.bytesPerCommit
  ) {
    self.store = store
    self.bytesPerRewrite = bytesPerRewrite
    pull = Pull(
      port: port, store: store, documentsPerCommit: documentsPerCommit,
      bytesPerCommit: bytesPerCommit)
  }

  /// Brings the tables to the declaration and pulls until the last page; see `Pull.run`.
  ///
  /// The kinds that the fields were found to have are stored once the pull has ended.
  ///
  /// - Throws: `TablePlan.Conflict` when the table is not for this collection; no request was sent.
  package func run(_ request: CollectionPullRequest) async throws -> CollectionPullResult {
    var result = try await request.run(in: store, bytesPerRewrite: bytesPerRewrite) { request in
      try await pull.run(request) { _ in }
    }
    result.lackingCount = try await lackingCount(request, result.pull)
    return result
  }

  /// The number of documents that the order leaves out, from counts with and without it.
  ///
  /// Nil where there is nothing to find out: pages ordered by name leave out none, and a run that
  /// does not read all documents says nothing about the rest. Nil, too, when the read budget allows
  /// no count.
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
  /// What surrounds a pull, whoever brings its documents.
  ///
  /// - Parameters:
  ///   - store: the database.
  ///   - bytesPerRewrite: bytes of stored documents that one transaction refills.
  ///   - pull: stores the rows.
  /// - Returns: the result, without the count of documents that the order leaves out.
  /// - Throws: `TablePlan.Conflict`, before `pull` is called, and what that throws.
  func run(
    in store: Store, bytesPerRewrite: Int = DocumentRewrite.bytesPerCommit,
    _ pull: (PullRequest) async throws -> PullResult
  ) async throws -> CollectionPullResult {
    let migration = try store.write { try migrate(in: $0) }
    let refilled = try DocumentRewrite(
      request: self, store: store, bytesPerCommit: bytesPerRewrite
    ).run()
    let known = try store.read { try $0.fieldKinds(of: table) }
    let pulled = try await pull(self.pull)
    let drift = drift(of: pulled, from: known)
    try store.write { writer in
      try writer.setKnownFields(drift.known.mapValues(\.names), of: table)
    }
    return CollectionPullResult(
      pull: pulled, drift: drift, schemaChanges: migration.changes, refilled: refilled,
      absentFields: absentFields(in: pulled))
  }

  /// Makes the tables without a request, for a shard that has nothing to read.
  package func makeTables(in store: Store) throws {
    try store.write { _ = try migrate(in: $0) }
  }
}

extension Readable {
  fileprivate func fieldKinds(of table: SyncTable) throws -> SchemaDrift.Kinds {
    try knownFields(of: table).mapValues { Set($0.compactMap(FieldKind.init)) }
  }
}

extension Set<FieldKind> {
  /// In the order of the kinds.
  fileprivate var names: [String] { FieldKind.allCases.filter(contains).map(\.rawValue) }
}
