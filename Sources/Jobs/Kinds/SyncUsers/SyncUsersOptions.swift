package import CollectionMapping
package import Firestore
package import Model
import Store
package import Sync
package import Workspace

/// How a job of kind `sync-users` works; see `docs/jobs/sync-users.md`.
package struct SyncUsersOptions: JobKind {
  package static let kind = JobKindName.syncUsers
  package static let loadsExports = true

  package var collection = "Users"
  /// The number of documents per request; 1 to 1,000.
  package var pageSize = 50
  /// The limit of documents that a run reads; nil for none.
  package var maxDocuments: Int? = 250
  /// The limit of a run's billed reads; nil for none.
  package var maxReads: Int?
  /// The app's own wire names, each with the name that this project uses instead.
  package var fields: [String: String] = [:]
  /// The single field with the city; nil for the app's two fields.
  package var cityField: String?
  /// Whether a load that stores nothing is expected.
  package var allowsEmpty = false
  package var mirror = MirrorOptions()
  /// A pattern of folders with managed exports, of which the newest is loaded; nil for Firestore.
  package var from: String?
  /// The actions of masked copies by field, in addition to those that the kind declares.
  package var declaredMasks: [FieldPath: MaskAction] = [:]

  package static let pageSizes = 1...1_000
  package static let documentCounts = 1...100_000_000

  /// The wire names that may be renamed, as `docs/loads.md#online-users` lists them.
  package static let wireNames = UserColumn.allCases.flatMap(\.descriptor.wireNames)

  /// The wire names of the city; the first that a document has wins.
  private static let cityNames = UserColumn.city.descriptor.wireNames

  package static let options = OptionKeys(
    SyncUsersOptions(),
    [
      .key(
        "collection", \.collection,
        .text(wanted: "a collection id without '/'") { !$0.contains("/") }),
      .key("page_size", \.pageSize, .integer(pageSizes)),
      .key("max_documents", \.maxDocuments, .documentCount),
      .key("max_reads", \.maxReads, .integer(CostConfig.readCounts)),
      .section("fields", \.fields, names),
      .key("city_field", \.cityField, .text),
      .key("allow_empty", \.allowsEmpty, .boolean),
      .key("from", \.from, .text),
      .masks(\.declaredMasks),
      .group(\.mirror, MirrorOptions.options),
    ])

  private static let names = OptionKeys<[String: String]>(
    [:],
    wireNames.map { name in
      .custom(ConfigurationKey(name, .text, default: name)) { reader, fields in
        fields[name] = reader.text(name)
      }
    })

  package mutating func check(_ reader: MappingReader, job: String) {
    mirror.check(reader, maxDocuments: maxDocuments)
    let lastSeen = FieldPath(segments: [wireFields.queryName(.lastSeenAtSeconds)])
    if mirror.incremental?.field == lastSeen {
      mirror.incremental?.forms = [.timestamp, .unixSeconds]
    }
    let names = Self.cityNames.filter { fields[$0] != nil }
    guard reader.entry("city_field") != nil, !names.isEmpty else { return }
    let section = reader.mapping("fields")
    for entry in names.compactMap(section.entry) {
      section.problem(entry, "has no effect with 'city_field': only that field is read")
    }
  }

  package var tables: [(key: String, name: String)] { [("kind", SyncTable.onlineUsers.name)] }

  package var copies: CollectionSource? { CollectionSource(collectionId: collection) }

  /// Ids, names, pictures and devices are personal.
  package var masks: CollectionMasks? {
    let columns: [UserColumn] = [.userId, .name, .image, .deviceId, .deviceToken]
    let names = columns.flatMap { wireFields.names[$0] ?? [] }
    let own =
      [(FieldPath.documentName, MaskAction.mask)]
      + names.map { (FieldPath(segments: [$0]), .mask) }
    return CollectionMasks(
      collectionId: collection,
      actions: Dictionary(own) { first, _ in first }.merging(declaredMasks) { $1 })
  }

  package func reads(_ other: InspectedCollection) -> Bool {
    !other.source.isGroup && ResourceName.ids(in: collection) == ResourceName.ids(in: other.name)
  }

  package func sharded(
    _ job: Job, in root: ResourceName, owner: String?, _ context: JobContext
  ) throws -> ShardedJob? {
    guard mirror.needsAll, maxDocuments == nil else {
      throw ShardedJob.refusal(
        of: job, "it does not copy every user; set 'max_documents: all' and 'deletes: drift'")
    }
    let sync = UsersSync(options: self, job: job.name, context: context)
    let request = sync.shardRequest(owner: owner)
    return ShardedJob(
      job: job, pull: request.pull, mirror: mirror,
      gathered: { try await sync.gather(request, $0) })
  }

  package func work(_ job: String, _ context: JobContext) throws -> any JobWork {
    try SyncUsersWork(self, job: job, context)
  }

  /// The mapping from wire fields to columns.
  var wireFields: UserWireFields {
    let fields = UserWireFields.app.renamed(fields)
    return cityField.map(fields.withCity(in:)) ?? fields
  }
}

extension KeyType<Int?> {
  /// A number of documents; nil for `all`.
  static var documentCount: Self {
    Self(
      .either([.word("all"), .integer(SyncUsersOptions.documentCounts)]),
      text: { $0.map { "\($0)" } ?? "all" }
    ) { $0.documentCount($1) }
  }
}

extension MappingReader {
  fileprivate func documentCount(_ key: String) -> Int?? {
    guard let entry = entry(key) else { return nil }
    let counts = SyncUsersOptions.documentCounts
    switch entry.scalar {
    case .text("all"): return .some(nil)
    case .integer(let count) where counts.contains(count): return count
    default:
      wrongType(entry, wanted: "'all' or an integer from 1 to \(counts.upperBound)")
      return nil
    }
  }
}

extension SyncUsersOptions {
  /// The queries for every combination of criteria that Firestore can filter by, and for all users.
  package var queries: [StructuredQuery] {
    let filters = (0..<16).map { set in
      UserFilter(
        gender: set & 1 == 0 ? nil : .female, country: set & 2 == 0 ? nil : "any",
        language: set & 4 == 0 ? nil : "any", isNearbyOnly: set & 8 != 0)
    }
    return filters.map { filter in
      SyncUsersQuery.query(collection: collection, fields: wireFields, filter: filter, city: "any")
    } + mirror.queries(of: SyncUsersQuery.everyone(in: collection))
  }
}

/// The users to pull; see `docs/loads.md#online-users`.
package struct SyncUsersRequest: Sendable {
  package var collection: String
  package var fields: UserWireFields
  package var filter: UserFilter
  /// The profile's own id and city; nil when unknown.
  package var ownUserId: String?
  package var city: String?
  /// Whether all documents are read, by name; a filter then only skips rows.
  package var isWhole = false
  package var options: PullOptions

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
    pull.asksByType = !isWhole && options.maxDocuments != nil
    pull.unchanged = UnchangedFilter(
      table: pull.table, collection: collection, ownUserId: ownUserId,
      maySkip: filter.isEmpty && options.mode == .merge && options.watermark == nil,
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

  /// The part of the mapping that differs between workspaces.
  private var scannedNames: JSON { .array(fields.scanned.map { .string($0.name) }) }

  /// The field that orders pages or shows changes; nil when pages are ordered by name alone.
  var timeField: FieldPath? { options.watermark?.field ?? pull.query.orderField }

  /// The mapping to the keys of its rows, for a sweep.
  var keys: KeyMapping { KeyMapping(fields: fields.names[.userId] ?? []) }
}

extension JSON {
  fileprivate static func integer(_ number: Int?) -> JSON {
    number.map { .integer($0) } ?? .null
  }
}

/// The query that a load of online users sends; see `docs/loads.md#online-users`.
package enum SyncUsersQuery {
  /// Returns the query for users by descending `last_time_seen`, then by name, with the filter's
  /// equality criteria.
  ///
  /// The local filter, which checks every row, also handles the age. When the local filter accepts
  /// several spellings or fields, the query asks for all of them; see
  /// `docs/filters.md#asking-firestore`.
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

  /// Returns the query for all users by name, including those without a last-seen time.
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

  /// Returns the spellings of a gender: Firestore has no case-insensitive comparison.
  private static func spellings(of gender: Gender) -> [String] {
    [gender.rawValue, gender.rawValue.lowercased(), gender.rawValue.uppercased()]
  }

  /// Returns the criterion that a field has one of the values; nil without values.
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

/// The mapping from wire fields to columns of `OnlineUsers`; see `docs/jobs/sync-users.md`.
///
/// A column may accept several names; the first that the document has wins.
package struct UserWireFields: Hashable, Sendable {
  package private(set) var names: [UserColumn: [String]]

  package static let app = UserWireFields(names: UserColumn.wireNames)

  /// Returns the names after renames, keyed by the app's own name (`User_name: displayName`).
  package func renamed(_ renames: [String: String]) -> UserWireFields {
    UserWireFields(
      names: names.mapValues { wireNames in wireNames.map { renames[$0] ?? $0 } })
  }

  /// Returns the names with the city in a single field, so that queries by city need one index.
  package func withCity(in name: String) -> UserWireFields {
    UserWireFields(names: names.merging([.city: [name]]) { $1 })
  }

  /// Returns the first name of a column, which queries order by.
  ///
  /// - Precondition: the column is filled from a field; every column except `updateTime` is.
  package func queryName(_ column: UserColumn) -> String {
    guard let name = names[column]?.first else {
      preconditionFailure("\(column) is not a field of a user document")
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
