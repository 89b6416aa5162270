import Firestore
import Rules
import Sync

/// Finds out what a database holds, in a bounded number of reads; see `docs/inspect.md`.
package struct Inspection: Sendable {
  /// Documents of one request: as many of the largest as fit the 64 MiB of an answer.
  private static let pageSize = 50

  /// What was found, and why no more.
  package struct Findings: Sendable {
    /// In the order in which they were found: by id, subcollections after all of their level.
    package var collections: [InspectedCollection] = []
    /// Why the rest is unknown; nil when everything was looked at.
    package var stop: JobsError?
  }

  /// What a person is told on the way.
  package enum Notice: Hashable, Sendable {
    /// Collections with their documents in all, and the most reads that samples of them cost.
    case counted(collections: Int, documents: Int, sampleReads: Int)
    /// Why something that is not needed is unknown, as a sentence.
    case unknown(String)
  }

  private let request: InspectionRequest
  private let reads: OneOffReads
  private let notify: @Sendable (Notice) -> Void

  package init(
    _ request: InspectionRequest, _ reads: OneOffReads,
    notify: @escaping @Sendable (Notice) -> Void = { _ in }
  ) {
    self.request = request
    self.reads = reads
    self.notify = notify
  }

  private var root: ResourceName { reads.database.root }

  /// Lists, counts and samples.
  ///
  /// - Returns: what was found before the budget ended.
  /// - Throws: `NoSuchCollection` for a named one that does not exist, and what requests throw.
  package func run() async throws -> Findings {
    var findings = Findings()
    do {
      try await inspect(&findings)
    } catch let error as JobsError {
      guard case .oneOffBudget = error else { throw error }
      findings.stop = error
    }
    try await noteExpiry(&findings)
    return findings
  }

  private func inspect(_ findings: inout Findings) async throws {
    let sources = try await chosen()
    findings.collections = sources.map { InspectedCollection(source: $0, level: 1) }
    for index in findings.collections.indices {
      findings.collections[index].count = try await count(findings.collections[index].source)
    }
    tell(of: findings.collections)
    // Subcollections are appended while the list is walked.
    var index = 0
    while index < findings.collections.count {
      if findings.collections[index].count == nil {
        findings.collections[index].count = try await count(findings.collections[index].source)
      }
      let names = try await sample(&findings.collections[index])
      try await listSubcollections(of: names, index, &findings)
      index += 1
    }
  }

  /// Notes the TTL policies, by which documents vanish without an update.
  private func noteExpiry(_ findings: inout Findings) async throws {
    let policies = try await reads.database.knownPolicies { notify(.unknown($0)) }
    for index in findings.collections.indices {
      let id = findings.collections[index].source.collectionId
      findings.collections[index].expiry = policies.filter { $0.collectionId == id }
    }
  }

  private func tell(of collections: [InspectedCollection]) {
    let documents = collections.compactMap(\.count)
    let samples = documents.map { min($0, request.sampleSize) + request.parentCount }
    notify(
      .counted(
        collections: collections.count, documents: documents.reduce(0, +),
        sampleReads: samples.reduce(0, +)))
  }

  /// The named collections, or all of the database.
  private func chosen() async throws -> [CollectionSource] {
    guard request.collections.isEmpty else {
      for source in request.collections { try await check(source) }
      return request.collections
    }
    return try await collectionIds(under: nil).map { CollectionSource(collectionId: $0) }
  }

  /// - Throws: `NoSuchCollection` for one that is not among those of its parent.
  private func check(_ source: CollectionSource) async throws {
    guard !source.isGroup else { return }
    let parent = try source.parent.map { try root.appending(path: $0) }
    let siblings = try await collectionIds(under: parent)
    guard !siblings.contains(source.collectionId) else { return }
    let place = source.parent ?? "the database of the project \(root.project)"
    let hint = EmptyLoad.hint(for: source.collectionId, among: siblings, of: place)
    throw NoSuchCollection(description: "There is no collection \(source.collectionId)\(hint).")
  }

  private func collectionIds(under parent: ResourceName?) async throws -> [String] {
    var ids: [String] = []
    var token: String?
    repeat {
      let page = try await reads.spend(upTo: 1) { [token] _ in
        (try await reads.database.collectionPage(under: parent, after: token), 1)
      }
      ids += page.ids
      token = page.nextPageToken
    } while token != nil
    return ids
  }

  /// The same for several documents at a time, in their order.
  private func collectionIds(underEach names: [String]) async throws -> [[String]] {
    try await withThrowingTaskGroup(of: (Int, [String]).self) { group in
      for (index, name) in names.enumerated() {
        group.addTask {
          (index, try await collectionIds(under: try ResourceName(parsing: name)))
        }
      }
      var found = [[String]](repeating: [], count: names.count)
      for try await (index, ids) in group { found[index] = ids }
      return found
    }
  }

  private func count(_ source: CollectionSource) async throws -> Int {
    let query = source.query(selecting: nil)
    let (count, isCut) = try await reads.spend(upTo: reads.left ?? 1_000_000) { granted in
      let count = try await reads.database.count(
        of: query, under: source.parent, upTo: granted * 1_000)
      return ((count, count == granted * 1_000), PlannedQuery.readsOfCount(count))
    }
    guard !isCut else { throw reads.exhaustion }
    return count
  }

  /// Samples the collection; returns names of documents that may have subcollections.
  private func sample(_ collection: inout InspectedCollection) async throws -> [String] {
    let tally = SampleTally()
    var names: [String] = []
    defer { collection.profile = tally.profile }
    let count = collection.count ?? 0
    var windows = try SampleWindow.all(
      of: collection.source, in: root, isCut: count > request.sampleSize)
    if count == 0 { windows = [] }
    // The second turn goes on where stretches had more than their share.
    for turn in 1...2 {
      for index in windows.indices where !windows[index].isExhausted {
        let left = request.sampleSize - tally.documentCount
        let share = turn == 1 ? (left + windows.count - index - 1) / (windows.count - index) : left
        try await read(share, from: &windows[index], of: collection.source) { document in
          tally.add(document)
          names.append(document.name)
          if collection.source.isGroup { collection.places.insert(pattern(of: document.name)) }
        }
      }
    }
    guard names.isEmpty, request.parentCount > 0, !collection.source.isGroup else { return names }
    collection.hasMissingParents = true
    let name = try root.appending(path: collection.name)
    return try await reads.spend(upTo: request.parentCount) { granted in
      let ids = try await reads.database.documentIds(in: name, count: granted)
      return (try ids.map { try name.appending([$0]).description }, max(1, ids.count))
    }
  }

  private func read(
    _ share: Int, from window: inout SampleWindow, of source: CollectionSource,
    add: (Document) -> Void
  ) async throws {
    let parent = try source.parent.map { try root.appending(path: $0) }
    var left = share
    while left > 0, !window.isExhausted {
      let copy = window
      let (documents, limit) = try await reads.spend(upTo: min(left, Self.pageSize)) { granted in
        let found = try await reads.database.documents(
          of: copy.query(limit: granted), under: parent)
        return ((found, granted), max(1, found.count))
      }
      documents.forEach(add)
      window.advance(past: documents, limit: limit)
      left -= documents.count
    }
  }

  /// Lists the subcollections of some of the documents, and notes each id as a group to inspect.
  private func listSubcollections(
    of names: [String], _ index: Int, _ findings: inout Findings
  ) async throws {
    let collection = findings.collections[index]
    guard collection.level < request.depth, request.parentCount > 0 else { return }
    let parents = spread(names, over: request.parentCount)
    var counts: [String: Int] = [:]
    var places: [String: Set<String>] = [:]
    for (name, ids) in zip(parents, try await collectionIds(underEach: parents)) {
      for id in ids {
        counts[id, default: 0] += 1
        places[id, default: []].insert("\(pattern(of: name))/*/\(id)")
      }
    }
    findings.collections[index].parentCount = parents.count
    findings.collections[index].subcollections = counts.sorted { $0.key < $1.key }
      .map { .init(id: $0.key, documents: $0.value) }
    for (id, found) in places.sorted(by: { $0.key < $1.key }) {
      let known = findings.collections.firstIndex {
        $0.source.isGroup && $0.source.collectionId == id
      }
      if let known {
        findings.collections[known].places.formUnion(found)
      } else {
        var group = InspectedCollection(
          source: CollectionSource(collectionId: id, isGroup: true), level: collection.level + 1)
        group.places = found
        findings.collections.append(group)
      }
    }
  }

  /// `count` of the names, from the first to the last.
  private func spread(_ names: [String], over count: Int) -> [String] {
    guard names.count > count else { return names }
    return (0..<count).map { names[$0 * names.count / count] }
  }

  /// The collection of a document, without the ids of documents above: `Chats/*/Messages`.
  private func pattern(of name: String) -> String {
    let ids = ResourceName.ids(in: root.relativePath(of: name)).dropLast()
    return ids.enumerated().map { $0.isMultiple(of: 2) ? $1 : "*" }.joined(separator: "/")
  }
}

/// A collection that was named and has no documents.
package struct NoSuchCollection: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String
}
