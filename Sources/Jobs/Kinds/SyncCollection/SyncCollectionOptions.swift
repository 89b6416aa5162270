package import CollectionMapping
package import Firestore
package import Model
import Store
package import Sync
package import Workspace

/// How a job of kind `sync-collection` works; see `docs/jobs/sync-collection.md`.
package struct SyncCollectionOptions: JobKind {
  package static let kind = JobKindName("sync-collection")
  package static let loadsExports = true

  /// The source; its references are paths below the database until `source(in:)` completes them.
  package var source = CollectionSource(collectionId: "")
  package var table = ""
  package var columns: [MappedColumn] = []
  /// The arrays and maps with child tables.
  package var exploded: [ExplodedField] = []
  /// Whether the whole document is stored as JSON.
  package var hasDocument = true
  /// The number of documents per request; 1 to 1,000.
  package var pageSize = CollectionPullRequest.pageSize
  /// The limit of documents that a run reads; nil for none.
  package var maxDocuments: Int?
  /// The limit of a run's billed reads; nil for none.
  package var maxReads: Int?
  /// Whether a load that finds no documents is expected.
  package var allowsEmpty = false
  /// Whether rows of deleted documents stay.
  package var keepsDeleted = false
  package var mirror = MirrorOptions()
  /// A pattern of folders with managed exports, of which the newest is loaded; nil for Firestore.
  package var from: String?
  /// Whether earlier versions of rows are kept, and for how long; a nil age keeps them forever.
  package var keepsHistory = false
  package var historyAge: Duration?
  /// The actions of masked copies, by field path.
  package var declaredMasks: [FieldPath: MaskAction] = [:]

  package static let options = OptionKeys(
    SyncCollectionOptions(),
    [
      .custom(
        ConfigurationKey("collection", .text), ConfigurationKey("collection_group", .text),
        ConfigurationKey("under", .text), ConfigurationKey("table", .text),
        MappedColumn.columnsKey,
        ConfigurationKey("explode", .object([ConfigurationKey("*", .object(ExplodedField.keys))])),
        ConfigurationKey("document", .boolean),
        ConfigurationKey("where", .list(.object(DocumentFilter.keys))),
        ConfigurationKey("order_by", .text)
      ) { _, _ in },
      .key("page_size", \.pageSize, .integer(SyncUsersOptions.pageSizes)),
      .key("max_documents", \.maxDocuments, .documentCount),
      .key("max_reads", \.maxReads, .integer(CostConfig.readCounts)),
      .key("allow_empty", \.allowsEmpty, .boolean),
      .key("keep_deleted", \.keepsDeleted, .boolean),
      .key("history", \.keepsHistory, .boolean),
      .key("history_keep", \.historyAge, .time(longest: Self.longestHistory)),
      .key("from", \.from, .text),
      .masks(\.declaredMasks),
      .group(\.mirror, MirrorOptions.options),
    ])

  /// A hundred years.
  private static let longestHistory = Duration.seconds(36_525 * 86_400)

  /// Reads the source and the tables, and checks the options.
  package mutating func check(_ reader: MappingReader, job: String) {
    source = reader.collection()
    let filters = reader.filters()
    source.filter = DocumentFilter.combined(filters)
    source.order = reader.order(besides: filters)
    table = reader.table(of: source)
    columns = reader.columns(in: ColumnScope(of: source, keepsDeleted: keepsDeleted))
    exploded = reader.exploded(below: table)
    hasDocument = reader.boolean("document") ?? (columns.isEmpty && exploded.isEmpty)
    mirror.check(reader, maxDocuments: maxDocuments)
    // Names order the pages, so the query can be limited to the range of the parents' first
    // collection.
    if source.order == nil, mirror.incremental == nil, let bounds = source.parents?.bounds {
      source.filter = source.filter.map { .composite(.and, [$0, bounds]) } ?? bounds
    }
    reader.requireWhole(mirror, besides: filters)
    checkHistory(reader)
    if keepsDeleted, mirror.deletes == .never, let entry = reader.entry("keep_deleted") {
      reader.problem(entry, "needs 'deletes: drift' or 'deletes: sweep' to find such rows")
    }
  }

  private func checkHistory(_ reader: MappingReader) {
    if !keepsHistory, let entry = reader.entry("history_keep") {
      reader.problem(entry, "has no effect without 'history: true'")
    }
    guard keepsHistory, let entry = reader.entry("history") else { return }
    let taken = columns.map(\.name).filter {
      HistoryTable.ownColumns.contains($0.lowercased())
    }
    guard let name = taken.first else { return }
    reader.problem(entry, "has a column \(name) of its own: call the declared one otherwise")
  }

  /// Returns the source with complete references.
  ///
  /// - Throws: `WireError` for an invalid document path.
  package func source(in root: ResourceName) throws -> CollectionSource {
    var source = source
    source.filter = try source.filter.map { try $0.completed(in: root) }
    return source
  }

  /// The table, its child tables and its history.
  package var tables: [(key: String, name: String)] {
    [("table", table)] + exploded.map { ("explode", $0.tableName) }
      + (keepsHistory ? [("history", HistoryTable.name(of: table))] : [])
  }

  package var queries: [StructuredQuery] { mirror.queries(of: source.query(selecting: nil)) }

  package var copies: CollectionSource? { source }

  package var masks: CollectionMasks? {
    CollectionMasks(collectionId: source.collectionId, actions: declaredMasks)
  }

  package var keepsGoneRows: Bool { mirror.deletes == .never && maxDocuments == nil }

  package func sharded(
    _ job: Job, in root: ResourceName, owner: String?, _ context: JobContext
  ) throws -> ShardedJob? {
    let work = SyncCollectionWork(options: self, job: job.name, context: context)
    let request = try work.shardRequest(in: root)
    return ShardedJob(
      job: job, pull: request.pull, mirror: mirror,
      makeTables: { try request.makeTables(in: $0) },
      gathered: { try await work.gather(request, $0) })
  }

  package func work(_ job: String, _ context: JobContext) throws -> any JobWork {
    SyncCollectionWork(options: self, job: job, context: context)
  }
}

extension MappingReader {
  /// Reads the collection or the group; one of them is required.
  fileprivate func collection() -> CollectionSource {
    switch (entry("collection"), entry("collection_group")) {
    case (nil, nil): missing("collection", "name a collection, or a group under 'collection_group'")
    case (_?, let group?): problem(group, "keep one of 'collection' and 'collection_group'")
    case (nil, let group?):
      if entry("under") != nil {
        problem(group, "does not go with 'under': name the collection's id under 'collection'")
      }
    default: break
    }
    let group = text("collection_group", wanted: "a collection id without '/'") { id in
      ResourceName.isValid(id: id)
    }
    if let group { return CollectionSource(collectionId: group, isGroup: true) }
    let wanted = "a collection id, or a path such as Shops/berlin/Orders"
    let path = text("collection", wanted: wanted) { path in
      let ids = ResourceName.ids(in: path)
      return !ids.count.isMultiple(of: 2) && ResourceName.isValid(path: ids)
    }
    let ids = path.map(ResourceName.ids(in:)) ?? []
    if let entry = entry("under") { return collection(ids, under: entry) }
    let parent = ids.dropLast().joined(separator: "/")
    return CollectionSource(
      collectionId: ids.last ?? "", parent: parent.isEmpty ? nil : parent)
  }

  /// Reads the collections with this id below documents whose paths match a pattern.
  private func collection(_ ids: [String], under entry: Entry) -> CollectionSource {
    let wanted = "a path of documents with at least one * for any id, such as Chats/*"
    let parents = text(of: entry).flatMap { text in
      let parents = ParentPattern(text)
      if parents == nil { wrongType(entry, wanted: wanted) }
      return parents
    }
    if ids.count > 1, let path = self.entry("collection") {
      problem(path, "must be the collection's id alone, since 'under' names the documents above it")
    }
    return CollectionSource(
      collectionId: ids.last ?? "", parent: parents?.fixedParent, isGroup: true, parents: parents)
  }

  /// Refuses options that leave documents out of a complete copy or reorder an incremental load.
  fileprivate func requireWhole(_ mirror: MirrorOptions, besides filters: [DocumentFilter]) {
    if mirror.needsAll, let entry = entry("order_by") {
      problem(
        entry,
        "leaves out documents without the field, so it cannot go with 'incremental', "
          + "'deletes' and 'partitions': they need whole copies")
    }
    guard let field = mirror.incremental?.field, let entry = entry("where"),
      let unequal = filters.first(where: { $0.isInequality && $0.field != field })?.field
    else { return }
    problem(
      entry,
      "compares \(unequal) by order, and incremental loads follow \(field); pages can follow "
        + "only one")
  }

  /// Reads the order of the pages: that of the key, else that of an inequality, as Firestore
  /// requires.
  fileprivate func order(besides filters: [DocumentFilter]) -> StructuredQuery.Order? {
    let unequal = filters.first { $0.isInequality }?.field
    guard let entry = entry("order_by") else {
      return unequal.flatMap { $0 == .documentName ? nil : StructuredQuery.Order(field: $0) }
    }
    guard let text = text(of: entry) else { return nil }
    let words = text.split(separator: " ")
    let isDescending = words.count == 2 && words[1] == "desc"
    guard let word = words.first, words.count == 1 || isDescending || words.dropFirst() == ["asc"],
      let field = fieldPath(String(word), in: entry)
    else {
      wrongType(entry, wanted: "a field, with 'desc' after it for the highest first")
      return nil
    }
    if let unequal, unequal != field {
      problem(
        entry, "Firestore orders first by the field of an inequality, here \(unequal)")
    }
    guard field != .documentName else { return nil }
    return StructuredQuery.Order(field: field, direction: isDescending ? .descending : .ascending)
  }
}
