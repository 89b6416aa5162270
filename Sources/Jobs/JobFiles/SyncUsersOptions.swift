/// How a job of kind `sync-users` works; see `docs/jobs.md#sync-users`.
package struct SyncUsersOptions: Hashable, Sendable {
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
  package var mirror: MirrorOptions

  package static let defaultCollection = "Users"
  package static let defaultPageSize = 50
  package static let defaultMaxDocuments = 250
  package static let pageSizes = 1...1_000
  package static let documentCounts = 1...100_000_000

  /// The wire names that may be renamed, as `docs/rules.md#online-users` lists them.
  package static let wireNames = [
    "User_id", "User_name", "User_image", "User_gender", "User_country", "user_language",
    "User_age", "User_device_id", "User_device_token", "User_area", "user_city", "User_city",
    "User_state", "IamDecentTime", "last_time_seen", "isAd",
  ]

  package static let keys = KeyTable(
    ["collection", "page_size", "max_documents", "max_reads", "fields"]
      + wireNames.map { "fields.\($0)" } + MirrorOptions.keys)

  package init(
    collection: String = defaultCollection, pageSize: Int = defaultPageSize,
    maxDocuments: Int? = defaultMaxDocuments, maxReads: Int? = nil,
    fields: [String: String] = [:], mirror: MirrorOptions = MirrorOptions()
  ) {
    self.collection = collection
    self.pageSize = pageSize
    self.maxDocuments = maxDocuments
    self.maxReads = maxReads
    self.fields = fields
    self.mirror = mirror
  }

  init(_ reader: MappingReader) {
    collection =
      reader.text("collection", wanted: "a collection id without '/'") { !$0.contains("/") }
      ?? Self.defaultCollection
    pageSize = reader.integer("page_size", in: Self.pageSizes) ?? Self.defaultPageSize
    maxDocuments = reader.documentCount("max_documents", default: Self.defaultMaxDocuments)
    maxReads = reader.integer("max_reads", in: CostConfig.readCounts)
    fields = Self.fields(reader.mapping("fields"))
    mirror = MirrorOptions(reader, maxDocuments: maxDocuments)
  }

  private static func fields(_ reader: MappingReader) -> [String: String] {
    reader.refuseOthers(than: wireNames)
    let renames = reader.entries.filter { wireNames.contains($0.name) && $0.scalar != .null }
    let pairs = renames.compactMap { entry in
      reader.text(of: entry).map { (entry.name, $0) }
    }
    return Dictionary(pairs) { _, last in last }
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
