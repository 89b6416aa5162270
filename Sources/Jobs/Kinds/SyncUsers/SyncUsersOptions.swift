package import Firestore
import Model
import Store
package import Sync

/// How a job of kind `sync-users` works; see `docs/jobs/sync-users.md`.
package struct SyncUsersOptions: JobDefinition {
  package static let kind = JobKind("sync-users")

  /// A collection id.
  package var collection = "Users"
  /// Documents a request asks for; 1 to 1,000.
  package var pageSize = 50
  /// Documents a run reads in all; nil for as many as there are.
  package var maxDocuments: Int? = 250
  /// Billed reads that one run may make; nil for as many as it takes.
  package var maxReads: Int?
  /// The app's own wire names, each with the name that this project uses instead.
  package var fields: [String: String] = [:]
  /// The one field that holds the city; nil for the app's two.
  package var cityField: String?
  /// Whether a load that stores nothing is as it should be.
  package var allowsEmpty = false
  package var mirror = MirrorOptions()

  package static let pageSizes = 1...1_000
  package static let documentCounts = 1...100_000_000

  /// The wire names that may be renamed, as `docs/loads.md#online-users` lists them.
  package static let wireNames = UserColumn.allCases.flatMap(\.descriptor.wireNames)

  /// The wire names of the city, of which the first that a document has wins.
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
    let names = Self.cityNames.filter { fields[$0] != nil }
    guard reader.entry("city_field") != nil, !names.isEmpty else { return }
    let section = reader.mapping("fields")
    for entry in names.compactMap(section.entry) {
      section.problem(entry, "has no meaning beside 'city_field', the only field that is read then")
    }
  }

  package var tables: [(key: String, name: String)] { [("kind", SyncTable.onlineUsers.name)] }

  package var copies: CollectionSource? { CollectionSource(collectionId: collection) }

  package func sharded(
    _ job: Job, in root: ResourceName, owner: String?, _ context: JobContext
  ) throws -> ShardedJob? {
    guard mirror.needsAll, maxDocuments == nil else {
      throw ShardedJob.Refusal(
        reason: "it does not copy every user; set 'max_documents: all' and 'deletes: drift'")
    }
    let sync = UsersSync(options: self, job: job.name, context: context)
    let request = sync.shardRequest(owner: owner)
    return ShardedJob(
      job: job, pull: request.pull, source: "the collection \(request.collection)",
      mirror: mirror, keys: KeyMapping(fields: request.fields.names[.userId] ?? []),
      read: { options, client, store, reads in
        var request = request
        request.options = options
        _ = try await Pull(port: client, store: store, reads: reads).run(request.pull)
      }, gathered: { try await sync.gather(request, $0, sweep: $1) })
  }

  package func work(_ job: String, _ context: JobContext) throws -> any JobWork {
    try SyncUsersWork(self, job: job, context)
  }

  /// Which wire field fills which column.
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
  /// Loads by every set of criteria that Firestore is asked about, and those of all users.
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

  package static var template: WorkspaceTemplate.File? {
    WorkspaceTemplate.File(path: "jobs/online-users.yml", text: jobFile)
  }

  private static let jobFile = """
    # Copies the users who were online last into the table OnlineUsers.
    #
    # A run makes no request while the last load is not older than the setting
    # onlineUsersStaleSeconds (30 minutes). That is why it may start often: whatever
    # cron's timing, the copy is never much older than that.
    kind: sync-users
    description: The users who were online last
    schedule: "*/10 * * * *"
    needs: [settings]
    timeout: 10m

    # The numbers of the app itself: 250 users, fetched 50 at a time.
    collection: Users
    page_size: 50
    max_documents: 250

    # To mirror every user instead (each document read is billed, once a load):
    # page_size: 1000
    # max_documents: all

    # When your documents use other field names, the app's own on the left:
    # fields:
    #   User_name: displayName
    #   last_time_seen: lastSeenAt

    """
}
