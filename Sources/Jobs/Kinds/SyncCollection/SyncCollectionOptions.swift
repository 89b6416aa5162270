package import Firestore
package import Sync

/// How a job of kind `sync-collection` works; see `docs/jobs/sync-collection.md`.
package struct SyncCollectionOptions: JobDefinition {
  package static let kind = JobKind("sync-collection")

  /// Its references are paths below the database until `source(in:)` completes them.
  package var source: CollectionSource
  package var table: String
  package var columns: [MappedColumn]
  /// Whether the whole document is kept as JSON.
  package var hasDocument: Bool
  /// Documents a request asks for; 1 to 1,000.
  package var pageSize: Int
  /// Documents a run reads in all; nil for as many as there are.
  package var maxDocuments: Int?
  /// Billed reads that a run may make; nil for as many as it takes.
  package var maxReads: Int?
  /// Whether a load that finds nothing is as it should be.
  package var allowsEmpty: Bool
  package var mirror: MirrorOptions

  package static let defaultPageSize = 500

  package static let keys = KeyTable(
    [
      ConfigurationKey("collection", .text), ConfigurationKey("collection_group", .text),
      ConfigurationKey("table", .text),
      ConfigurationKey("columns", .mapping),
      ConfigurationKey("columns.*", .either([.text, .object(columnKeys)])),
      ConfigurationKey("document", .boolean),
      ConfigurationKey("where", .list(.object(filterKeys))),
      ConfigurationKey("order_by", .text),
      ConfigurationKey(
        "page_size", .integer(SyncUsersOptions.pageSizes), default: "\(defaultPageSize)"),
      SyncUsersOptions.maxDocumentsKey(default: "all"),
      ConfigurationKey("max_reads", .integer(CostConfig.readCounts)),
      ConfigurationKey("allow_empty", .boolean, default: "false"),
    ] + MirrorOptions.keys)

  static let columnKeys = KeyTable([
    ConfigurationKey("path", .text),
    ConfigurationKey("type", .choice(of: MappedColumn.Kind.self), isRequired: true),
  ])

  static let filterKeys = KeyTable([
    ConfigurationKey("field", .text, isRequired: true),
    ConfigurationKey("op", .choice(of: DocumentFilter.Operator.self), isRequired: true),
    ConfigurationKey("value", .any),
  ])

  package init(
    source: CollectionSource, table: String, columns: [MappedColumn] = [],
    hasDocument: Bool = true, pageSize: Int = defaultPageSize, maxDocuments: Int? = nil,
    maxReads: Int? = nil, allowsEmpty: Bool = false, mirror: MirrorOptions = MirrorOptions()
  ) {
    self.source = source
    self.table = table
    self.columns = columns
    self.hasDocument = hasDocument
    self.pageSize = pageSize
    self.maxDocuments = maxDocuments
    self.maxReads = maxReads
    self.allowsEmpty = allowsEmpty
    self.mirror = mirror
  }

  package init(_ reader: MappingReader, job: String) {
    var source = reader.collection()
    let filters = reader.filters()
    source.filter = DocumentFilter.combined(filters)
    source.order = reader.order(besides: filters)
    self.source = source
    table = reader.table(of: source)
    columns = reader.columns()
    hasDocument = reader.boolean("document") ?? columns.isEmpty
    pageSize =
      reader.integer("page_size", in: SyncUsersOptions.pageSizes) ?? Self.defaultPageSize
    maxDocuments = reader.documentCount("max_documents", default: nil)
    maxReads = reader.integer("max_reads", in: CostConfig.readCounts)
    allowsEmpty = reader.boolean("allow_empty") ?? false
    mirror = MirrorOptions(reader, maxDocuments: maxDocuments)
    reader.requireWhole(mirror, besides: filters)
  }

  /// The source with complete references.
  ///
  /// - Throws: `WireError` for a path that cannot be a document's.
  package func source(in root: ResourceName) throws -> CollectionSource {
    var source = source
    source.filter = try source.filter.map { try $0.completed(in: root) }
    return source
  }

  package var queries: [StructuredQuery] { mirror.queries(of: source.query(selecting: nil)) }

  package func work(_ job: String, _ context: JobContext) throws -> any JobWork {
    SyncCollectionWork(self, job: job, context)
  }
}

extension MappingReader {
  /// The collection or the group, one of which has to be named.
  fileprivate func collection() -> CollectionSource {
    switch (entry("collection"), entry("collection_group")) {
    case (nil, nil): missing("collection", "name a collection, or a group under 'collection_group'")
    case (_?, let group?): problem(group, "keep one of 'collection' and 'collection_group'")
    default: break
    }
    let group = text("collection_group", wanted: "a collection id without '/'") { id in
      ResourceName.isValid(id: id)
    }
    if let group { return CollectionSource(collectionId: group, isGroup: true) }
    let wanted = "a collection id, or a path such as Shops/berlin/Orders"
    let path = text("collection", wanted: wanted) { path in
      let ids = ResourceName.ids(in: path)
      return !ids.count.isMultiple(of: 2) && ids.allSatisfy(ResourceName.isValid(id:))
    }
    let ids = path.map(ResourceName.ids(in:)) ?? []
    let parent = ids.dropLast().joined(separator: "/")
    return CollectionSource(
      collectionId: ids.last ?? "", parent: parent.isEmpty ? nil : parent)
  }

  /// Refuses what leaves documents out of a whole copy, or orders an incremental load otherwise.
  fileprivate func requireWhole(_ mirror: MirrorOptions, besides filters: [DocumentFilter]) {
    if mirror.needsAll, let entry = entry("order_by") {
      problem(
        entry,
        "leaves out documents without the field, so it cannot go with 'incremental', "
          + "'deletes' and 'partitions', which are for whole copies")
    }
    guard let field = mirror.incremental?.field, let entry = entry("where"),
      let unequal = filters.first(where: { $0.isInequality && $0.field != field })?.field
    else { return }
    problem(
      entry,
      "compares \(unequal) by order, and incremental loads follow \(field); pages can follow "
        + "only one")
  }

  /// The order of the pages: the key's, else that of an inequality, which Firestore wants first.
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
        entry, "Firestore orders first by the field of an inequality, which here is \(unequal)")
    }
    guard field != .documentName else { return nil }
    return StructuredQuery.Order(field: field, direction: isDescending ? .descending : .ascending)
  }
}
