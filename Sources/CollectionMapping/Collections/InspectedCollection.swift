package import Firestore
package import Model
package import Sync
package import Workspace

/// A collection as `firetally inspect` found it; see `docs/inspect.md`.
package struct InspectedCollection: Hashable, Sendable {
  package struct Subcollection: Hashable, Sendable {
    package var id: String
    /// The number of listed documents that have the subcollection.
    package var documents: Int

    package init(id: String, documents: Int) {
      self.id = id
      self.documents = documents
    }
  }

  /// The collection, or the collection group with its id.
  package var source: CollectionSource
  /// The collections in which documents of a group were found, such as `Chats/*/Messages`; sorted.
  package var places: Set<String> = []
  /// The number of documents; nil when the budget ended before they were counted.
  package var count: Int?
  /// The number of documents in subcollections, at any depth; nil when not counted.
  package var documentsBelow: Int?
  package var profile = CollectionProfile(documentCount: 0, fields: [])
  /// The number of documents whose subcollections were listed, including missing documents.
  package var parentCount = 0
  /// Whether those documents are missing, so that only their subcollections exist.
  package var hasMissingParents = false
  /// By id.
  package var subcollections: [Subcollection] = []
  package var expiry: [ExpiryPolicy] = []
  /// The sizes of the sampled documents.
  package var volumes: [DocumentVolume] = []
  /// The edition of the database.
  package var edition = FirestoreEdition.standard
  /// The level of nesting: 1 for a collection at the root.
  package var level: Int

  package init(source: CollectionSource, level: Int) {
    self.source = source
    self.level = level
  }

  /// The path or the group's id, for a heading.
  package var name: String {
    [source.parent, source.collectionId].compactMap(\.self).joined(separator: "/")
  }

  /// The reads of a job that reads the whole collection; nil when it was not counted.
  package var fullReads: Int? {
    count.map { count in
      let query = PlannedQuery(
        query: source.query(selecting: nil), pageSize: CollectionPullRequest.pageSize)
      return edition == .enterprise
        ? query.readUnits(documents: count, like: volumes, by: .names)
        : query.billedReads(documents: count)
    }
  }
}

/// The collections to inspect, and the depth and sample sizes.
package struct InspectionRequest: Hashable, Sendable {
  package static let sampleSizes = 1...1_000
  package static let parentCounts = 0...100
  package static let depths = 1...10
  /// The greatest depth: looking for existing subcollections costs little.
  package static let defaultDepth = depths.upperBound
  /// A tenth of the reads that Google gives free each day; `docs/firestore.md#cost`.
  package static let defaultMaxReads = 5_000

  /// Empty for every collection of the database.
  package var collections: [CollectionSource]
  /// The number of sampled documents of each collection.
  package var sampleSize: Int
  /// The number of sampled documents of each collection whose subcollections are listed.
  package var parentCount: Int
  /// The number of levels of collections: 1 excludes subcollections.
  package var depth: Int

  /// - Throws: `WorkspaceError.refused` for a name that cannot be a collection.
  package init(
    _ names: [String] = [], isGroup: Bool = false, sampleSize: Int = 100, parentCount: Int = 10,
    depth: Int = defaultDepth
  ) throws(WorkspaceError) {
    collections = try names.map { name throws(WorkspaceError) in
      try TypedPath(parsing: name).collection(isGroup: isGroup)
    }
    self.sampleSize = sampleSize
    self.parentCount = parentCount
    self.depth = depth
  }

  package var searchesBelow: Bool { depth > 1 && parentCount > 0 }
}
