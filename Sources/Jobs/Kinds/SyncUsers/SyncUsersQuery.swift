package import Firestore
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

  /// The keys of its rows, for a sweep.
  var keys: KeyMapping { KeyMapping(fields: fields.names[.userId] ?? []) }
}

extension JSON {
  fileprivate static func integer(_ number: Int?) -> JSON {
    number.map { .integer($0) } ?? .null
  }
}

/// The query that a load of online users sends; see `docs/loads.md#online-users`.
package enum SyncUsersQuery {
  /// Users by `last_time_seen` descending, then by name, with the filter's equality criteria.
  ///
  /// The query leaves the age to the local filter, which checks every row as well. Where the local
  /// filter accepts several spellings or fields, the query asks for all of them; see
  /// `docs/filters.md#asking-firestore`.
  ///
  /// - Parameters:
  ///   - collection: the collection's id.
  ///   - fields: the wire names.
  ///   - filter: the profile's criteria.
  ///   - city: the profile's own city, for "nearby"; nil when unknown.
  /// - Returns: the query, without a limit or a cursor.
  package static func query(
    collection: String, fields: UserWireFields, filter: UserFilter, city: String?
  ) -> StructuredQuery {
    StructuredQuery(
      from: [.init(collectionId: collection)],
      filter: combined(.and, criteria(fields: fields, filter: filter, city: city)),
      orderBy: [
        .init(
          field: FieldPath(segments: [fields.queryName(.lastSeenAtSeconds)]),
          direction: .descending),
        .init(field: .documentName, direction: .descending),
      ])
  }

  /// All users by name, including those without a last-seen time.
  package static func everyone(in collection: String) -> StructuredQuery {
    StructuredQuery(
      from: [.init(collectionId: collection)], orderBy: [.init(field: .documentName)])
  }

  private static func criteria(
    fields: UserWireFields, filter: UserFilter, city: String?
  ) -> [StructuredQuery.Filter] {
    let wanted: [(UserColumn, [String])] = [
      (.gender, filter.gender.map(spellings) ?? []),
      (.country, [filter.country].compactMap(\.self)),
      (.language, [filter.language].compactMap(\.self)),
      (.city, filter.isNearbyOnly ? [city].compactMap(\.self) : []),
    ]
    return wanted.compactMap { column, values in
      combined(.or, (fields.names[column] ?? []).compactMap { equality($0, values) })
    }
  }

  /// The spellings of a gender in documents: Firestore has no case-insensitive comparison.
  private static func spellings(of gender: Gender) -> [String] {
    [gender.rawValue, gender.rawValue.lowercased(), gender.rawValue.uppercased()]
  }

  /// The criterion that a field has one of the values; nil without values.
  private static func equality(_ field: String, _ values: [String]) -> StructuredQuery.Filter? {
    let path = FieldPath(segments: [field])
    guard let first = values.first else { return nil }
    return values.count == 1
      ? .field(path, .equal, .string(first))
      : .field(path, .in, .array(values.map { .string($0) }))
  }

  private static func combined(
    _ operation: StructuredQuery.CompositeOperator, _ filters: [StructuredQuery.Filter]
  ) -> StructuredQuery.Filter? {
    filters.count > 1 ? .composite(operation, filters) : filters.first
  }
}

/// Which wire field fills which column of `OnlineUsers`; see `docs/jobs/sync-users.md`.
///
/// A column may accept several names, of which the first that the document has wins.
package struct UserWireFields: Hashable, Sendable {
  package private(set) var names: [UserColumn: [String]]

  /// The names that the app writes.
  package static let app = UserWireFields(names: UserColumn.wireNames)

  private init(names: [UserColumn: [String]]) {
    self.names = names
  }

  /// The app's names with some replaced, keyed by the app's own name (`User_name: displayName`).
  package func renamed(_ renames: [String: String]) -> UserWireFields {
    UserWireFields(
      names: names.mapValues { wireNames in wireNames.map { renames[$0] ?? $0 } })
  }

  /// The same fields with the city in a single one, so that queries by city need one index.
  package func withCity(in name: String) -> UserWireFields {
    UserWireFields(names: names.merging([.city: [name]]) { $1 })
  }

  /// The first name of a column, which queries order by.
  ///
  /// - Precondition: the column is filled from a document's field, as all but `updateTime` are.
  package func queryName(_ column: UserColumn) -> String {
    guard let name = names[column]?.first else {
      preconditionFailure("\(column) is no field of a user document")
    }
    return name
  }

  /// All wire names with their columns, in the order of the columns.
  package var scanned: [(name: String, column: UserColumn)] {
    UserColumn.allCases.flatMap { column in
      (names[column] ?? []).map { (name: $0, column: column) }
    }
  }
}
