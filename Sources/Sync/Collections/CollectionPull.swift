import Firestore
package import Model
package import Store

/// Copies a collection into a table of its own; see `docs/jobs.md#sync-collection`.
package struct CollectionPull: Sendable {
  package struct Order: Sendable {
    /// The job whose cursor is kept.
    package var job: String
    package var source: CollectionSource
    package var table: String
    package var columns: [MappedColumn]
    /// Whether the whole document is kept as well.
    package var hasDocument: Bool
    package var pageSize: Int
    /// Documents to read in all; nil for as many as there are.
    package var maxDocuments: Int?
    package var now: Instant
    package var watermark: Watermark?
    /// How many parts are read side by side, where the pages are ordered by name.
    package var partitions = 1

    package init(
      job: String, source: CollectionSource, table: String, columns: [MappedColumn],
      hasDocument: Bool, pageSize: Int, maxDocuments: Int?, now: Instant
    ) {
      self.job = job
      self.source = source
      self.table = table
      self.columns = columns
      self.hasDocument = hasDocument
      self.pageSize = pageSize
      self.maxDocuments = maxDocuments
      self.now = now
    }
  }

  package struct Result: Sendable {
    package var pull: Pull.Result
    package var drift: SchemaDrift
    /// Columns that an earlier run filled and the job does not declare any more.
    package var undeclaredColumns: [String]
    /// Documents that the order leaves out, since they lack its field; nil when it was not counted.
    package var lackingCount: Int?
  }

  private let store: Store
  private let pull: Pull

  package init(port: any FirestorePort, store: Store, reads: ReadAllowance) {
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
  /// What the fields were found to be is remembered once the pull has ended.
  ///
  /// - Throws: `TablePlan.Conflict` when the table is not for this collection; nothing was asked for.
  package func run(_ order: Order) async throws -> Result {
    let plan = try store.write { try order.prepareTable(in: $0) }
    let known = try store.read { try $0.fieldKinds(of: order.syncTable) }
    let pulled = try await pull.run(order.pull) { _ in }
    let drift = order.drift(of: pulled, from: known)
    try store.write { writer in
      try writer.setKnownFields(drift.known.mapValues(\.names), of: order.syncTable)
    }
    return Result(
      pull: pulled, drift: drift, undeclaredColumns: plan.undeclared,
      lackingCount: try await lackingCount(order, pulled))
  }

  /// How many documents the order leaves out, by counting with and without it.
  ///
  /// Nil where there is nothing to find out: pages ordered by name leave out none, and a run that
  /// does not read all documents says nothing about those that it has not met. Nil, too, without the
  /// reads to count.
  private func lackingCount(_ order: Order, _ pulled: Pull.Result) async throws -> Int? {
    guard order.source.order != nil, order.maxDocuments == nil, pulled.isComplete else {
      return nil
    }
    let ordered = order.source.query(selecting: nil)
    var unordered = ordered
    unordered.orderBy = []
    let parent = order.source.parent
    let all = try await pull.count(of: unordered, under: parent, readTime: pulled.readTime)
    let met = try await pull.count(of: ordered, under: parent, readTime: pulled.readTime)
    guard let all, let met else { return nil }
    return max(0, all - met)
  }
}

extension CollectionPull.Order {
  package var syncTable: SyncTable {
    .collection(name: table, columns: columns.map(\.stored), hasDocument: hasDocument)
  }

  /// The pages that this order asks for.
  package var pull: Pull.Order {
    let declared = columns.map(\.path) + [watermark?.field].compactMap(\.self)
    let query = source.query(selecting: hasDocument ? nil : declared)
    let table = syncTable
    let mapping = ColumnMapping(
      columns: columns, hasDocument: hasDocument,
      orderField: watermark?.field ?? source.order?.field)
    var order = Pull.Order(
      job: job, query: query, parent: source.parent, pageSize: pageSize,
      maxDocuments: maxDocuments, table: table, mapping: mapping,
      cursorKey: table.cursorPrefix + cursorText(query), now: now)
    order.watermark = watermark
    order.partitions = partitions
    return order
  }

  private func cursorText(_ query: StructuredQuery) -> String {
    let fills = registration.columns.sorted { $0.key < $1.key }
    let parts: [JSON] = [
      query.json, .string(source.description), maxDocuments.map { .integer($0) } ?? .null,
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
    let table = syncTable
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

  /// Forgets how far loads by another filter got: what is in the table since then, they do not know.
  private func forgetOtherFilters(in writer: Writer) throws {
    let mark = "filter of \(table)"
    let text = String(decoding: source.query(selecting: []).json.serialized(), as: UTF8.self)
    guard try writer.mark(named: mark) != text else { return }
    try writer.clearCursors(of: syncTable)
    try writer.setMark(text, named: mark)
  }

  /// An incremental pull does not read every document, so it cannot tell what is gone.
  fileprivate func drift(of result: Pull.Result, from known: SchemaDrift.Kinds) -> SchemaDrift {
    SchemaDrift(
      known: known, census: result.census,
      isComplete: result.isComplete && maxDocuments == nil && watermark == nil
        && result.resumedAfter == nil)
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
