import Firestore
package import Model
package import Store

/// Which users are pulled; see `docs/loads.md#online-users`.
package struct UserPullRequest: Sendable {
  package var collection: String
  package var fields: UserWireFields
  package var filter: UserFilter
  /// The profile's own id and city; nil when unknown.
  package var ownUserId: String?
  package var city: String?
  /// Whether all documents are read, by name; a filter then only leaves rows out.
  package var isWhole = false
  package var options: PullOptions

  package init(
    collection: String, fields: UserWireFields, filter: UserFilter, ownUserId: String?,
    city: String?, options: PullOptions
  ) {
    self.collection = collection
    self.fields = fields
    self.filter = filter
    self.ownUserId = ownUserId
    self.city = city
    self.options = options
  }

  package var pull: PullRequest {
    let query =
      isWhole
      ? UserQuery.everyone(in: collection)
      : UserQuery.query(collection: collection, fields: fields, filter: filter, city: city)
    let mapping = UserMapping(
      fields: fields, ownUserId: ownUserId, now: options.now, filter: filter, city: city,
      orderField: options.watermark?.field.segments.first)
    var pull = PullRequest(
      query: query, table: .onlineUsers, mapping: mapping, cursorKey: cursorKey(query),
      options: options)
    pull.unchanged = UnchangedDocuments(
      table: pull.table, collection: collection, ownUserId: ownUserId,
      maySkip: filter.isEmpty && options.mode == .merge && options.watermark == nil
        && options.slice == nil)
    return pull
  }

  private func cursorKey(_ query: StructuredQuery) -> String {
    let parts: [JSON] = [
      query.json, .integer(options.maxDocuments), scannedNames,
      .integer(filter.minAge), .integer(filter.maxAge), .boolean(filter.isNearbyOnly),
      ownUserId.map { .string($0) } ?? .null,
    ]
    return SyncTable.onlineUsers.cursorPrefix
      + String(decoding: JSON.array(parts).serialized(), as: UTF8.self)
  }

  /// The mapping of fields to columns, as far as it differs between workspaces.
  private var scannedNames: JSON { .array(fields.scanned.map { .string($0.name) }) }

  /// Makes rows that the collection's documents filled by other fields count as changed.
  ///
  /// Also forgets how far loads got by those fields. Rows older than the first remembered fields
  /// may have been filled by any: they count as changed, too, and no cursor is forgotten.
  func forgetOtherFields(in writer: Writer) throws {
    let name = "user fields of \(collection)"
    let fields = String(decoding: scannedNames.serialized(), as: UTF8.self)
    let known = try writer.metadata(named: name)
    guard known != fields else { return }
    try writer.outdateRows(of: .onlineUsers)
    if known != nil { try writer.clearCursors(of: .onlineUsers) }
    try writer.setMetadata(fields, named: name)
  }
}

/// The pull that fills `OnlineUsers`.
package struct UserPull: Sendable {
  private let store: Store
  private let pull: Pull

  package init(port: any FirestorePort, store: Store, reads: ReadBudgetMeter) {
    self.init(port: port, store: store, reads: reads, documentsPerCommit: Pull.documentsPerCommit)
  }

  init(
    port: any FirestorePort, store: Store, reads: ReadBudgetMeter = ReadBudgetMeter(),
    documentsPerCommit: Int = Pull.documentsPerCommit
  ) {
    self.store = store
    pull = Pull(
      port: port, store: store, reads: reads, documentsPerCommit: documentsPerCommit)
  }

  /// Pulls until the last page; see `Pull.run`.
  ///
  /// Rows that other fields have filled are filled anew.
  package func run(
    _ request: UserPullRequest, finish: @Sendable (Writer) throws -> Void
  ) async throws -> PullResult {
    try store.write { try request.forgetOtherFields(in: $0) }
    return try await pull.run(request.pull, finish: finish)
  }
}

extension PullResult {
  /// Users whose clock ran ahead; see `docs/loads.md#last-seen`.
  package var correctedTimes: Int { notes[UserMapping.correctedTime, default: 0] }

  /// How many users have a field that was left empty because it could not be read, by wire name.
  package var emptiedFields: [String: Int] {
    let pairs = notes.compactMap { note, count in
      note.hasPrefix(UserMapping.emptied)
        ? (String(note.dropFirst(UserMapping.emptied.count)), count) : nil
    }
    return Dictionary(pairs) { $0 + $1 }
  }
}

extension JSON {
  fileprivate static func integer(_ number: Int?) -> JSON {
    number.map { .integer($0) } ?? .null
  }
}
