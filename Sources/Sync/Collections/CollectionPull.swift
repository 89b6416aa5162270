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
  package var options: PullOptions

  package init(
    source: CollectionSource, tableName: String, columns: [MappedColumn], hasDocument: Bool,
    options: PullOptions
  ) {
    self.source = source
    self.tableName = tableName
    self.columns = columns
    self.hasDocument = hasDocument
    self.options = options
  }

  package var table: SyncTable {
    .collection(name: tableName, columns: columns.map(\.stored), hasDocument: hasDocument)
  }

  package var pull: PullRequest {
    let declared = columns.map(\.path) + [options.watermark?.field].compactMap(\.self)
    let query = source.query(selecting: hasDocument ? nil : declared)
    let table = table
    let mapping = ColumnMapping(
      columns: columns, hasDocument: hasDocument,
      orderField: options.watermark?.field ?? source.order?.field)
    return PullRequest(
      query: query, parent: source.parent, table: table, mapping: mapping,
      cursorKey: table.cursorPrefix + cursorText(query), options: options)
  }

  private func cursorText(_ query: StructuredQuery) -> String {
    let fills = registration.columns.sorted { $0.key < $1.key }
    let parts: [JSON] = [
      query.json, .string(source.description),
      options.maxDocuments.map { .integer($0) } ?? .null,
      .array(fills.map { .array([.string($0.key), .string($0.value)]) }),
    ]
    return String(decoding: JSON.array(parts).serialized(), as: UTF8.self)
  }

  private var registration: TableRegistration {
    var fills = columns.map { ($0.name, "\($0.path) \($0.kind.rawValue)") }
    if hasDocument { fills.append((SyncTable.documentColumn, "")) }
    return TableRegistration(
      source: source.description, columns: Dictionary(fills) { _, last in last })
  }

  fileprivate func prepareTable(in writer: Writer) throws -> TablePlan {
    let table = table
    let plan = try TablePlan(
      table, as: registration, stored: try writer.storedTable(named: table.name))
    if plan.isNew {
      try writer.createTable(table)
    } else {
      try writer.alterTable(
        table, adding: plan.added, emptying: plan.undeclared, rewritesRows: plan.rewritesRows)
    }
    try writer.register(table, as: registration)
    try forgetOtherFilters(in: writer)
    return plan
  }

  /// Forgets how far loads by another filter got: they do not know what came into the table since.
  private func forgetOtherFilters(in writer: Writer) throws {
    let name = "filter of \(tableName)"
    let text = String(decoding: source.query(selecting: []).json.serialized(), as: UTF8.self)
    guard try writer.metadata(named: name) != text else { return }
    try writer.clearCursors(of: table)
    try writer.setMetadata(text, named: name)
  }

  /// An incremental pull does not read every document, so it cannot tell what is gone.
  fileprivate func drift(of result: PullResult, from known: SchemaDrift.Kinds) -> SchemaDrift {
    SchemaDrift(
      known: known, census: result.census,
      isComplete: result.isComplete && options.maxDocuments == nil && options.watermark == nil
        && result.resumedAfter == nil)
  }
}

package struct CollectionPullResult: Sendable {
  package var pull: PullResult
  package var drift: SchemaDrift
  /// Columns that an earlier run filled and the job no longer declares.
  package var undeclaredColumns: [String]
  /// Documents that lack the field of the order, which leaves them out; nil when not counted.
  package var lackingCount: Int?
}

/// Copies a collection into a table of its own.
package struct CollectionPull: Sendable {
  private let store: Store
  private let pull: Pull

  package init(port: any FirestorePort, store: Store, reads: ReadBudgetMeter) {
    self.store = store
    pull = Pull(port: port, store: store, reads: reads)
  }

  init(
    port: any FirestorePort, store: Store, documentsPerCommit: Int,
    bytesPerCommit: Int = Pull.bytesPerCommit
  ) {
    self.store = store
    pull = Pull(
      port: port, store: store, documentsPerCommit: documentsPerCommit,
      bytesPerCommit: bytesPerCommit)
  }

  /// Prepares the table and pulls until the last page; see `Pull.run`.
  ///
  /// The kinds that the fields were found to have are stored once the pull has ended.
  ///
  /// - Throws: `TablePlan.Conflict` when the table is not for this collection; no request was sent.
  package func run(_ request: CollectionPullRequest) async throws -> CollectionPullResult {
    let plan = try store.write { try request.prepareTable(in: $0) }
    let known = try store.read { try $0.fieldKinds(of: request.table) }
    let pulled = try await pull.run(request.pull) { _ in }
    let drift = request.drift(of: pulled, from: known)
    try store.write { writer in
      try writer.setKnownFields(drift.known.mapValues(\.names), of: request.table)
    }
    return CollectionPullResult(
      pull: pulled, drift: drift, undeclaredColumns: plan.undeclared,
      lackingCount: try await lackingCount(request, pulled))
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

extension Readable {
  fileprivate func fieldKinds(of table: SyncTable) throws -> SchemaDrift.Kinds {
    try knownFields(of: table).mapValues { Set($0.compactMap(FieldKind.init)) }
  }
}

extension Set<FieldKind> {
  /// In the order of the kinds.
  fileprivate var names: [String] { FieldKind.allCases.filter(contains).map(\.rawValue) }
}
