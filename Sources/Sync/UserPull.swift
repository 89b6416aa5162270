import Firestore
package import Model
package import Store

/// The pull that fills `OnlineUsers`; see `docs/rules.md#online-users`.
package struct UserPull: Sendable {
  package typealias Mode = Pull.Mode
  package typealias Result = Pull.Result

  package struct Order: Sendable {
    /// The job whose cursor is kept.
    package var job: String
    package var collection: String
    package var fields: UserWireFields
    package var pageSize: Int
    /// Documents to read in all; nil for as many as there are.
    package var maxDocuments: Int?
    package var filter: UserFilter
    /// The profile's own id and city; nil when unknown.
    package var ownUserId: String?
    package var city: String?
    package var now: Instant
    package var mode: Mode
    /// Whether all documents are read, by name; a filter then only leaves rows out.
    package var isWhole = false
    package var watermark: Watermark?
    /// Whether documents that become no row are remembered, as `Sweep` needs it.
    package var remembersSkipped = false
    /// How many parts are read side by side, where all documents are.
    package var partitions = 1

    package init(
      job: String, collection: String, fields: UserWireFields, pageSize: Int, maxDocuments: Int?,
      filter: UserFilter, ownUserId: String?, city: String?, now: Instant, mode: Mode = .merge
    ) {
      self.job = job
      self.collection = collection
      self.fields = fields
      self.pageSize = pageSize
      self.maxDocuments = maxDocuments
      self.filter = filter
      self.ownUserId = ownUserId
      self.city = city
      self.now = now
      self.mode = mode
    }

    /// The pull that this load is.
    package var pull: Pull.Order {
      let query =
        isWhole
        ? UserQuery.everyone(in: collection)
        : UserQuery.query(collection: collection, fields: fields, filter: filter, city: city)
      let mapping = UserMapping(
        fields: fields, ownUserId: ownUserId, now: now, filter: filter, city: city,
        orderField: watermark?.field.segments.first)
      var order = Pull.Order(
        job: job, query: query, pageSize: pageSize, maxDocuments: maxDocuments,
        table: .onlineUsers, mapping: mapping, cursorKey: cursorKey(query), now: now, mode: mode)
      order.watermark = watermark
      order.remembersSkipped = remembersSkipped
      order.partitions = partitions
      return order
    }

    private func cursorKey(_ query: StructuredQuery) -> String {
      let parts: [JSON] = [
        query.json, .integer(maxDocuments), scannedNames,
        .integer(filter.minAge), .integer(filter.maxAge), .boolean(filter.isNearbyOnly),
        ownUserId.map { .string($0) } ?? .null,
      ]
      return SyncTable.onlineUsers.cursorPrefix
        + String(decoding: JSON.array(parts).serialized(), as: UTF8.self)
    }

    /// What tells one mapping of fields to columns from another.
    private var scannedNames: JSON { .array(fields.scanned.map { .string($0.name) }) }

    /// Makes rows that the collection's documents filled by other fields count as changed.
    ///
    /// How far loads got by those fields is forgotten with it. Of rows from before any fields were
    /// remembered nobody knows by which they were filled: only that they count as changed, too.
    fileprivate func forgetOtherFields(in writer: Writer) throws {
      let mark = "user fields of \(collection)"
      let names = String(decoding: scannedNames.serialized(), as: UTF8.self)
      let known = try writer.mark(named: mark)
      guard known != names else { return }
      try writer.outdateRows(of: .onlineUsers)
      if known != nil { try writer.clearCursors(of: .onlineUsers) }
      try writer.setMark(names, named: mark)
    }
  }

  private let store: Store
  private let pull: Pull

  package init(port: any FirestorePort, store: Store, reads: ReadAllowance) {
    self.init(port: port, store: store, reads: reads, documentsPerCommit: Pull.documentsPerCommit)
  }

  init(
    port: any FirestorePort, store: Store, reads: ReadAllowance = ReadAllowance(),
    documentsPerCommit: Int = Pull.documentsPerCommit
  ) {
    self.store = store
    pull = Pull(
      port: port, store: store, reads: reads, documentsPerCommit: documentsPerCommit)
  }

  /// Pulls until the last page, into rows that other fields have filled anew; see `Pull.run`.
  package func run(
    _ order: Order, finish: @Sendable (Writer) throws -> Void
  ) async throws -> Result {
    try store.write { try order.forgetOtherFields(in: $0) }
    return try await pull.run(order.pull, finish: finish)
  }
}

extension Pull.Result {
  /// Users whose clock ran ahead; see `docs/rules.md#last-seen`.
  package var correctedTimes: Int { notes[UserMapping.correctedTime, default: 0] }
}

extension JSON {
  fileprivate static func integer(_ number: Int?) -> JSON {
    number.map { .integer($0) } ?? .null
  }
}
