package import Firestore
package import Model
package import Sync
package import Workspace

/// What `firetally inspect` found out about a collection; see `docs/inspect.md`.
package struct InspectedCollection: Hashable, Sendable {
  package struct Subcollection: Hashable, Sendable {
    package var id: String
    /// Documents that have it, of those that were asked.
    package var documents: Int

    package init(id: String, documents: Int) {
      self.id = id
      self.documents = documents
    }
  }

  /// The collection, or the group of all collections of its id below documents.
  package var source: CollectionSource
  /// Where documents of a group were found, such as `Chats/*/Messages`; sorted.
  package var places: Set<String> = []
  /// Documents; nil when the budget ended before they were counted.
  package var count: Int?
  /// Documents in subcollections, at any depth; nil when they were not counted.
  package var documentsBelow: Int?
  package var profile = CollectionProfile(documentCount: 0, fields: [])
  /// Documents whose subcollections were listed, also such that do not exist themselves.
  package var parentCount = 0
  /// Whether those documents do not exist, and only their subcollections do.
  package var hasMissingParents = false
  /// By id.
  package var subcollections: [Subcollection] = []
  package var expiry: [ExpiryPolicy] = []
  /// The sizes of the sampled documents.
  package var volumes: [DocumentVolume] = []
  /// Of the database.
  package var edition = FirestoreEdition.standard
  /// How many documents below the root it is: 1 for the database's own.
  package var level: Int

  package init(source: CollectionSource, level: Int) {
    self.source = source
    self.level = level
  }

  /// The path or the group's id, for a heading.
  package var name: String {
    [source.parent, source.collectionId].compactMap(\.self).joined(separator: "/")
  }

  /// What a job that reads all of it costs; nil when it was not counted.
  package var fullReads: Int? {
    count.map { count in
      let query = PlannedQuery(
        query: source.query(selecting: nil), pageSize: SyncCollectionOptions.defaults.pageSize)
      return edition == .enterprise
        ? query.readUnits(documents: count, like: volumes, by: .names)
        : query.billedReads(documents: count)
    }
  }
}

/// What to inspect, and how far to look.
package struct InspectionRequest: Hashable, Sendable {
  package static let sampleSizes = 1...1_000
  package static let parentCounts = 0...100
  package static let depths = 1...10
  /// As deep as is allowed: what is there costs little to find.
  package static let defaultDepth = depths.upperBound
  /// A tenth of the reads that Google gives free each day; `docs/firestore.md#cost`.
  package static let defaultMaxReads = 5_000

  /// Empty for every collection of the database.
  package var collections: [CollectionSource]
  /// Documents sampled of each collection.
  package var sampleSize: Int
  /// Sampled documents of each collection whose subcollections are listed.
  package var parentCount: Int
  /// Levels of collections: 1 is without subcollections.
  package var depth: Int

  /// - Throws: `JobsError.refused` for what cannot be a collection.
  package init(
    _ names: [String] = [], isGroup: Bool = false, sampleSize: Int = 100, parentCount: Int = 10,
    depth: Int = defaultDepth
  ) throws(JobsError) {
    collections = try names.map { name throws(JobsError) in
      try TypedPath(parsing: name).collection(isGroup: isGroup)
    }
    self.sampleSize = sampleSize
    self.parentCount = parentCount
    self.depth = depth
  }

  package var searchesBelow: Bool { depth > 1 && parentCount > 0 }
}
