package import Firestore
import Model
import Sync

/// How a job of kind `sync-users` works; see `docs/jobs/sync-users.md`.
package struct SyncUsersOptions: JobDefinition {
  package static let kind = JobKind("sync-users")

  /// A collection id.
  package var collection: String
  /// Documents a request asks for; 1 to 1,000.
  package var pageSize: Int
  /// Documents a run reads in all; nil for as many as there are.
  package var maxDocuments: Int?
  /// Billed reads that one run may make; nil for as many as it takes.
  package var maxReads: Int?
  /// The app's own wire names, each with the name that this project uses instead.
  package var fields: [String: String]
  /// The one field that holds the city; nil for the app's two.
  package var cityField: String?
  /// Whether a load that stores nothing is as it should be.
  package var allowsEmpty: Bool
  package var mirror: MirrorOptions

  package static let defaultCollection = "Users"
  package static let defaultPageSize = 50
  package static let defaultMaxDocuments = 250
  package static let pageSizes = 1...1_000
  package static let documentCounts = 1...100_000_000

  /// The wire names that may be renamed, as `docs/loads.md#online-users` lists them.
  package static let wireNames = UserColumn.allCases.flatMap(\.descriptor.wireNames)

  /// The wire names of the city, of which the first that a document has wins.
  private static let cityNames = UserColumn.city.descriptor.wireNames

  package static let keys = KeyTable(
    [
      ConfigurationKey("collection", .text, default: defaultCollection),
      ConfigurationKey("page_size", .integer(pageSizes), default: "\(defaultPageSize)"),
      maxDocumentsKey(default: "\(defaultMaxDocuments)"),
      ConfigurationKey("max_reads", .integer(CostConfig.readCounts)),
      ConfigurationKey("fields", .mapping),
    ] + wireNames.map { ConfigurationKey("fields.\($0)", .text, default: $0) } + [
      ConfigurationKey("city_field", .text),
      ConfigurationKey("allow_empty", .boolean, default: "false"),
    ] + MirrorOptions.keys)

  static func maxDocumentsKey(default standard: String) -> ConfigurationKey {
    ConfigurationKey(
      "max_documents", .either([.word("all"), .integer(documentCounts)]), default: standard)
  }

  package init(
    collection: String = defaultCollection, pageSize: Int = defaultPageSize,
    maxDocuments: Int? = defaultMaxDocuments, maxReads: Int? = nil,
    fields: [String: String] = [:], cityField: String? = nil, allowsEmpty: Bool = false,
    mirror: MirrorOptions = MirrorOptions()
  ) {
    self.collection = collection
    self.pageSize = pageSize
    self.maxDocuments = maxDocuments
    self.maxReads = maxReads
    self.fields = fields
    self.cityField = cityField
    self.allowsEmpty = allowsEmpty
    self.mirror = mirror
  }

  package init(_ reader: MappingReader, job: String) {
    collection =
      reader.text("collection", wanted: "a collection id without '/'") { !$0.contains("/") }
      ?? Self.defaultCollection
    pageSize = reader.integer("page_size", in: Self.pageSizes) ?? Self.defaultPageSize
    maxDocuments = reader.documentCount("max_documents", default: Self.defaultMaxDocuments)
    maxReads = reader.integer("max_reads", in: CostConfig.readCounts)
    let names = reader.mapping("fields")
    fields = Self.fields(names)
    cityField = Self.cityField(reader, besides: names)
    allowsEmpty = reader.boolean("allow_empty") ?? false
    mirror = MirrorOptions(reader, maxDocuments: maxDocuments)
  }

  private static func cityField(_ reader: MappingReader, besides fields: MappingReader) -> String? {
    for entry in cityNames.compactMap(fields.entry) where reader.entry("city_field") != nil {
      fields.problem(entry, "has no meaning beside 'city_field', the only field that is read then")
    }
    return reader.text("city_field")
  }

  private static func fields(_ reader: MappingReader) -> [String: String] {
    reader.refuseOthers(than: wireNames)
    let renames = reader.entries.filter { wireNames.contains($0.name) && $0.scalar != .null }
    let pairs = renames.compactMap { entry in
      reader.text(of: entry).map { (entry.name, $0) }
    }
    return Dictionary(pairs) { _, last in last }
  }

  package func work(_ job: String, _ context: JobContext) throws -> any JobWork {
    try SyncUsersWork(self, job: job, context)
  }
}

extension SyncUsersOptions {
  /// Which wire field fills which column.
  var wireFields: UserWireFields {
    let fields = UserWireFields.app.renamed(fields)
    return cityField.map(fields.withCity(in:)) ?? fields
  }
}

extension MappingReader {
  /// A number of documents; nil for `all`.
  func documentCount(_ key: String, default defaultCount: Int?) -> Int? {
    guard let entry = entry(key) else { return defaultCount }
    let counts = SyncUsersOptions.documentCounts
    switch entry.scalar {
    case .text("all"): return nil
    case .integer(let count) where counts.contains(count): return count
    default:
      wrongType(entry, wanted: "'all' or an integer from 1 to \(counts.upperBound)")
      return defaultCount
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
      UserQuery.query(collection: collection, fields: wireFields, filter: filter, city: "any")
    } + mirror.queries(of: UserQuery.everyone(in: collection))
  }
}

extension SyncUsersOptions {
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
