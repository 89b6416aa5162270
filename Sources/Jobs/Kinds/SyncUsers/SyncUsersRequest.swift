import Firestore
package import Model
import Store
package import Sync

/// Which users are pulled; see `docs/loads.md#online-users`.
package struct SyncUsersRequest: Sendable {
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
      ? SyncUsersQuery.everyone(in: collection)
      : SyncUsersQuery.query(collection: collection, fields: fields, filter: filter, city: city)
    let mapping = SyncUsersMapping(
      fields: fields, ownUserId: ownUserId, now: options.now, filter: filter, city: city,
      orderField: options.watermark?.field.segments.first)
    var pull = PullRequest(
      query: query, table: .onlineUsers, mapping: mapping, cursorKey: cursorKey(query),
      options: options)
    pull.unchanged = UnchangedDocuments(
      table: pull.table, collection: collection, ownUserId: ownUserId,
      maySkip: filter.isEmpty && options.mode == .merge && options.watermark == nil
        && options.slice == nil,
      filling: (
        "user fields of \(collection)",
        String(decoding: scannedNames.serialized(), as: UTF8.self)
      ))
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
}

extension PullResult {
  /// Users whose clock ran ahead; see `docs/loads.md#last-seen`.
  package var correctedTimes: Int { notes[SyncUsersMapping.correctedTime, default: 0] }

  /// How many users have a field that was left empty because it could not be read, by wire name.
  package var emptiedFields: [String: Int] {
    let pairs = notes.compactMap { note, count in
      note.hasPrefix(SyncUsersMapping.emptied)
        ? (String(note.dropFirst(SyncUsersMapping.emptied.count)), count) : nil
    }
    return Dictionary(pairs) { $0 + $1 }
  }
}

extension JSON {
  fileprivate static func integer(_ number: Int?) -> JSON {
    number.map { .integer($0) } ?? .null
  }
}
