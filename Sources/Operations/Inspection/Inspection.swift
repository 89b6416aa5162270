package import CollectionMapping
import Firestore
package import Jobs
package import Model
import Reports
import Sync
package import Workspace

/// An inspection of a database with a limited number of reads; see `docs/inspect.md`.
package struct Inspection: Sendable {
  /// The collections found, and the reason for stopping.
  package struct Findings: Sendable {
    /// In the order of discovery: sorted by id, subcollections after all collections of their
    /// level.
    package var collections: [InspectedCollection] = []
    /// The collections of documents below the requested depth, such as `A/*/B/*/C`, by id.
    package var tooDeep: [String: Set<String>] = [:]
    /// The paths of documents below which collections could not be listed because of a colon.
    package var unlisted: [String] = []
    /// The number of documents in undiscovered subcollections; nil when unknown.
    package var notFound: Int?
    /// The facts of the database; nil when the server withholds them.
    package var database: KnownDatabase?
    /// The error that ended the inspection early; nil when it is complete.
    package var stop: WorkspaceError?

    /// Whether every document is in one of the collections, as far as the counts show.
    package var isComplete: Bool { stop == nil && notFound == 0 && tooDeep.isEmpty }

    var subcollectionIds: Set<String> {
      Set(collections.filter(\.source.isGroup).map(\.source.collectionId)).union(tooDeep.keys)
    }
  }

  let request: InspectionRequest
  let reads: AdHocReads
  private let willRead: @Sendable (FirestoreEdition) -> Void
  let notify: @Sendable (_ sentence: String, _ isStep: Bool) -> Void

  /// `notify` is called with what a person is told on the way; a step says why something that is
  /// not needed is unknown.
  ///
  /// `willRead` is called once the edition was asked for, before anything is billed.
  package init(
    _ request: InspectionRequest, _ reads: AdHocReads,
    notify: @escaping @Sendable (_ sentence: String, _ isStep: Bool) -> Void = { _, _ in },
    willRead: @escaping @Sendable (FirestoreEdition) -> Void = { _ in }
  ) {
    self.request = request
    self.reads = reads
    self.willRead = willRead
    self.notify = notify
  }

  var root: ResourceName { reads.database.root }

  /// Lists, counts and samples collections.
  ///
  /// - Returns: the findings up to the end of the budget.
  /// - Throws: `WorkspaceError.refused` when a named collection does not exist, and what requests
  ///   throw.
  package func run() async throws -> Findings {
    var findings = Findings()
    findings.database = try await reads.rememberedFacts { notify($0, true) }
    willRead(reads.database.edition)
    findings.stop = try await beforeBudgetEnds { try await inspect(&findings) }
    try await noteExpiry(&findings)
    return findings
  }

  /// Returns the error of an exhausted budget; nil when the work completed.
  func beforeBudgetEnds(_ work: () async throws -> Void) async throws -> WorkspaceError? {
    do {
      try await work()
      return nil
    } catch let error as WorkspaceError {
      guard case .adHocBudget = error else { throw error }
      return error
    }
  }

  private func inspect(_ findings: inout Findings) async throws {
    let sources = try await chosen()
    findings.collections = sources.map { InspectedCollection(source: $0, level: 1) }
    try await update(findings.collections.indices, of: &findings) {
      $0.collection.count = try await count($0.collection.source)
    }
    tell(of: findings.collections)
    // Subcollections are appended, so they are inspected after all collections of the level above.
    var seen = 0
    repeat {
      while seen < findings.collections.count {
        let level = seen..<findings.collections.count
        seen = level.upperBound
        for inspected in try await update(level, of: &findings, { try await inspect(&$0) }) {
          for (place, level) in inspected.subcollections { note(place, level: level, &findings) }
          findings.unlisted += inspected.unlisted
        }
      }
    } while try await findSubcollections(&findings)
  }

  /// Does the same work for several collections concurrently, and stores the results.
  ///
  /// - Throws: `WorkspaceError.adHocBudget` once the budget has ended for one of them.
  @discardableResult
  private func update(
    _ indices: Range<Int>, of findings: inout Findings,
    _ work: @escaping @Sendable (inout CollectionInspection) async throws -> Void
  ) async throws -> [CollectionInspection] {
    let inspected = try await SideBySide.map(Array(findings.collections[indices])) { collection in
      var inspection = CollectionInspection(collection: collection)
      inspection.stop = try await beforeBudgetEnds { try await work(&inspection) }
      return inspection
    }
    findings.collections.replaceSubrange(indices, with: inspected.map(\.collection))
    if let stop = inspected.compactMap(\.stop).first { throw stop }
    return inspected
  }

  /// Records the path of a subcollection, as a group to inspect.
  private func note(_ place: String, level: Int, _ findings: inout Findings) {
    let id = ResourceName.ids(in: place).last ?? ""
    guard level <= request.depth else {
      findings.tooDeep[id, default: []].insert(place)
      return
    }
    let known = findings.collections.firstIndex {
      $0.source.isGroup && $0.source.collectionId == id
    }
    guard let known else {
      var group = InspectedCollection(
        source: CollectionSource(collectionId: id, isGroup: true), level: level)
      group.places = [place]
      return findings.collections.append(group)
    }
    findings.collections[known].places.insert(place)
  }

  /// Searches for documents outside the known subcollections.
  ///
  /// - Returns: whether it discovered a subcollection, so that a further search may find more.
  private func findSubcollections(_ findings: inout Findings) async throws -> Bool {
    let roots = findings.collections.filter { !$0.source.isGroup }
    let below = roots.compactMap(\.documentsBelow)
    guard request.searchesBelow, !roots.isEmpty, below.count == roots.count else { return false }
    guard below.reduce(0, +) != documentsOfGroups(findings) else {
      findings.notFound = 0
      return false
    }
    let known = findings.subcollectionIds
    let searches = try await SideBySide.map(roots.filter { $0.documentsBelow != 0 }) { collection in
      try await unseen(in: collection, besides: known)
    }
    for (place, level) in searches.flatMap(\.places).sorted(by: { $0.place < $1.place }) {
      note(place, level: level, &findings)
    }
    guard findings.subcollectionIds == known else { return true }
    findings.notFound = searches.map(\.unseen).reduce(0, +)
    return false
  }

  /// Returns the number of documents of groups below other documents.
  ///
  /// It is nil for named collections: the groups may also have documents elsewhere.
  private func documentsOfGroups(_ findings: Findings) -> Int? {
    guard request.collections.isEmpty, findings.tooDeep.isEmpty else { return nil }
    let groups = findings.collections.filter(\.source.isGroup)
    let ids = Set(groups.map(\.source.collectionId))
    let ofRoot = findings.collections.filter {
      !$0.source.isGroup && ids.contains($0.source.collectionId)
    }
    return groups.compactMap(\.count).reduce(0, +) - ofRoot.compactMap(\.count).reduce(0, +)
  }

  /// Returns the number of documents below a collection outside known subcollections, and some of
  /// their collections.
  private func unseen(
    in collection: InspectedCollection, besides known: Set<String>
  ) async throws -> (unseen: Int, places: [(place: String, level: Int)]) {
    let search = try SubcollectionSearch(below: collection.source, reads)
    let total = (collection.count ?? 0) + (collection.documentsBelow ?? 0)
    let unseen = try await search.unseen(of: total, besides: known)
    guard unseen > 0 else { return (0, []) }
    let names = try await search.find(of: total, besides: known)
    return (unseen, names.map { (pattern(of: $0), search.level(of: $0)) })
  }

  /// Adds the TTL policies, which delete documents without an update.
  private func noteExpiry(_ findings: inout Findings) async throws {
    let policies = try await reads.database.knownPolicies { notify($0, true) }
    for index in findings.collections.indices {
      let id = findings.collections[index].source.collectionId
      findings.collections[index].expiry = policies.filter { $0.collectionId == id }
    }
  }

  private func tell(of collections: [InspectedCollection]) {
    let documents = collections.compactMap(\.count)
    let samples = documents.map {
      SampleSpread.mostReads(size: request.sampleSize, documents: $0) + request.parentCount
    }
    notify(
      "Found \(NumberWords.counted(collections.count, "collection")) with "
        + "\(NumberWords.counted(documents.reduce(0, +), "document")). Sampling them reads at most "
        + "\(NumberWords.grouped(samples.reduce(0, +))), subcollections not included.", false)
  }

  /// Returns the named collections, or all root collections.
  private func chosen() async throws -> [CollectionSource] {
    guard request.collections.isEmpty else {
      for source in request.collections { try await check(source) }
      return request.collections
    }
    return try await collectionIds(under: nil).map { CollectionSource(collectionId: $0) }
  }

  /// - Throws: `WorkspaceError.refused` for a collection that its parent does not have.
  private func check(_ source: CollectionSource) async throws {
    guard !source.isGroup else { return }
    let parent = try source.parent.map { try root.appending(path: $0) }
    let siblings = try await collectionIds(under: parent)
    guard !siblings.contains(source.collectionId) else { return }
    let place = source.parent ?? "the database of the project \(root.project)"
    let hint = EmptyLoad.hint(for: source.collectionId, among: siblings, of: place)
    throw WorkspaceError.refused(
      .failed, "There is no collection \(source.collectionId)\(hint).")
  }
}
