import Firestore
import Jobs
import Model
import Sync

/// A search for the documents below a collection, in subcollections of any depth; see
/// `docs/inspect.md#subcollections`.
///
/// Firestore can count the documents of all collections together. So the number of documents
/// outside the known collections is certain, and each bisection shows which half of the names
/// contains them.
struct SubcollectionSearch: Sendable {
  private static let mostProbes = 64
  /// The number of documents that are read instead of counted: it costs no more than a bisection.
  private static let fewDocuments = 30

  private let source: CollectionSource
  private let reads: AdHocReads
  private let start: String
  private let end: String

  /// The source is a collection, not a group.
  ///
  /// - Throws: `WireError` for an invalid collection.
  init(below source: CollectionSource, _ reads: AdHocReads) throws {
    self.source = source
    self.reads = reads
    let path = [source.parent, source.collectionId].compactMap(\.self).joined(separator: "/")
    let root = reads.database.root
    // The lowest possible id, and a collection that sorts directly after this one.
    let lowest = reads.database.edition.rules.lowestId
    start = try root.appending(path: "\(path)/\(lowest)").description
    end = try root.appending(path: "\(path)\u{1}/0").description
  }

  /// Counts the documents of the collection and of everything below it.
  func documents() async throws -> Int {
    try await reads.count(of: .everything.range(from: start, to: end), under: nil)
  }

  /// Returns how many of `total` documents, in the collection and below it, are in no known
  /// collection.
  func unseen(of total: Int, besides known: Set<String>) async throws -> Int {
    try await unseen(of: total, from: start, to: end, besides: known)
  }

  private func unseen(
    of total: Int, from: String, to: String?, besides known: Set<String>
  ) async throws -> Int {
    var queries = known.sorted().map { id in
      (query: CollectionSource(collectionId: id, isGroup: true), parent: String?.none)
    }
    // A group also includes the source if it has the group's id.
    if !known.contains(source.collectionId) { queries.append((source, source.parent)) }
    let counts = try await SideBySide.map(queries) { [reads] source, parent in
      try await reads.count(
        of: source.query(selecting: nil).range(from: from, to: to), under: parent, upTo: total)
    }
    return total - counts.reduce(0, +)
  }

  /// Returns the names of some documents in unknown collections; none after too many probes.
  func find(of total: Int, besides known: Set<String>) async throws -> [String] {
    let root = reads.database.root
    guard let first = try await names(.everything.range(from: start, to: end), limit: 1).first
    else { return [] }
    guard !isUnseen(first, known) else { return [first] }
    var search = NameSearch(below: root, from: first, to: end)
    var left = total
    var probes = 0
    while left > Self.fewDocuments, probes < Self.mostProbes, let query = search.next() {
      probes += 1
      guard let found = try await names(query, limit: 1).first else {
        search.goBefore(nil)
        continue
      }
      guard !isUnseen(found, known) else { return [found] }
      let from = search.range.from
      let before = try await reads.count(
        of: .everything.range(from: from, to: found), under: nil, upTo: left)
      if try await unseen(of: before, from: from, to: found, besides: known) > 0 {
        search.goBefore(found)
        left = before
      } else {
        search.goOn(from: found)
        left -= before
      }
    }
    let rest = StructuredQuery.everything.range(from: search.range.from, to: search.range.to)
    // The collection may have grown since it was counted.
    let most = max(Self.fewDocuments, min(left, 10 * Self.fewDocuments))
    return try await names(rest, limit: most).filter { isUnseen($0, known) }
  }

  /// Returns the level of a document's collection, where the source has level 1.
  func level(of name: String) -> Int {
    (ids(of: name).count - sourceDepth) / 2 + 1
  }

  private func isUnseen(_ name: String, _ known: Set<String>) -> Bool {
    let ids = ids(of: name)
    return ids.count > sourceDepth && !known.contains(ids[ids.count - 2])
  }

  private func ids(of name: String) -> [String] {
    ResourceName.ids(in: reads.database.root.relativePath(of: name))
  }

  /// The number of ids in the path of a document of the source.
  private var sourceDepth: Int { 2 + (source.parent.map { ResourceName.ids(in: $0).count } ?? 0) }

  private func names(_ query: StructuredQuery, limit: Int) async throws -> [String] {
    var query = query
    query.select = [.documentName]
    return try await reads.documents(of: query, under: nil, upTo: limit).found.map(\.name)
  }
}
