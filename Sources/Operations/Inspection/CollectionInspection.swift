import CollectionMapping
import Firestore
import Jobs
import Sync
import Workspace

/// A collection during its inspection, with the subcollections found below it.
struct CollectionInspection: Sendable {
  var collection: InspectedCollection
  /// Subcollections of its documents, such as `Chats/*/Messages`.
  var subcollections: [(place: String, level: Int)] = []
  /// The paths of documents below which the server could not list collections.
  var unlisted: [String] = []
  /// The error that ended the inspection early.
  var stop: WorkspaceError?
}

/// The inspection of a single collection.
extension Inspection {
  /// Counts and samples the collection, and lists subcollections of some of its documents.
  func inspect(_ inspection: inout CollectionInspection) async throws {
    let source = inspection.collection.source
    if inspection.collection.count == nil { inspection.collection.count = try await count(source) }
    let names = try await sample(&inspection.collection)
    guard request.searchesBelow, inspection.collection.level < request.depth else { return }
    if !source.isGroup { try await countBelow(&inspection.collection) }
    guard inspection.collection.documentsBelow != 0 else { return }
    let parents = try await parents(names, of: &inspection.collection)
    try await listSubcollections(of: parents, &inspection)
  }

  func count(_ source: CollectionSource) async throws -> Int {
    try await reads.count(of: source.query(selecting: nil), under: source.parent)
  }

  /// Samples the collection; returns the names of the sampled documents.
  private func sample(_ collection: inout InspectedCollection) async throws -> [String] {
    let tally = SampleTally()
    var names: [String] = []
    defer { collection.profile = tally.profile }
    let source = collection.source
    guard let count = collection.count, count > 0,
      var spread = SampleSpread(of: source, in: root, size: request.sampleSize, documents: count)
    else { return [] }
    let parent = try source.parent.map { try root.appending(path: $0) }
    collection.edition = reads.database.edition
    while let request = spread.next() {
      switch request {
      case .count(let query, let most):
        // At most two reads, which need no share of the budget.
        spread.count(
          try await reads.count(of: query, under: source.parent, upTo: most, isAlone: true))
      case .documents(let query, let most):
        let (documents, limit) = try await reads.documents(of: query, under: parent, upTo: most)
        for document in documents {
          tally.add(document)
          collection.volumes.append(DocumentVolume(document, query))
          names.append(document.name)
          if source.isGroup { collection.places.insert(pattern(of: document.name)) }
        }
        spread.add(documents.map(\.name), limit: limit)
      }
    }
    return names.sorted()
  }

  /// Counts the documents in subcollections; the count stays nil if the server cannot count them.
  private func countBelow(_ collection: inout InspectedCollection) async throws {
    do {
      let search = try SubcollectionSearch(below: collection.source, reads)
      collection.documentsBelow = max(0, try await search.documents() - (collection.count ?? 0))
    } catch let error as FirestoreError where error.refusesCount {
      notify("Documents in subcollections are not counted. \(error)", true)
    }
  }

  /// Returns the documents whose subcollections are listed: some sampled ones and, if there may be
  /// others, missing documents.
  private func parents(
    _ names: [String], of collection: inout InspectedCollection
  ) async throws -> [String] {
    let isUncounted = !collection.source.isGroup && collection.documentsBelow == nil
    let sampled = spread(names, over: request.parentCount)
    guard !collection.source.isGroup, names.isEmpty || isUncounted else { return sampled }
    collection.hasMissingParents = names.isEmpty
    let name = try root.appending(path: collection.name)
    let listed = try await reads.spend(upTo: request.parentCount) { granted in
      let ids = try await reads.database.documentIds(in: name, count: granted)
      return (try ids.map { try name.appending([$0]).description }, max(1, ids.count))
    }
    return sampled + listed.filter { !names.contains($0) }
  }

  private func listSubcollections(
    of parents: [String], _ inspection: inout CollectionInspection
  ) async throws {
    let level = inspection.collection.level + 1
    var counts: [String: Int] = [:]
    var places: [String: Int] = [:]
    let lists = try await SideBySide.map(parents) { name in
      try await listedIds(under: try ResourceName(parsing: name))
    }
    for (name, ids) in zip(parents, lists) {
      guard let ids else {
        inspection.unlisted.append(root.relativePath(of: name))
        continue
      }
      for id in ids {
        counts[id, default: 0] += 1
        places["\(pattern(of: name))/*/\(id)"] = level
      }
    }
    inspection.collection.parentCount = parents.count - inspection.unlisted.count
    inspection.collection.subcollections = counts.sorted { $0.key < $1.key }
      .map { .init(id: $0.key, documents: $0.value) }
    inspection.subcollections = places.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Returns nil when the server cannot list collections below such an id;
  /// `docs/inspect.md#colons`.
  private func listedIds(under parent: ResourceName) async throws -> [String]? {
    do {
      return try await collectionIds(under: parent)
    } catch let error as FirestoreError where error.reason == .colonInId {
      return nil
    }
  }

  func collectionIds(under parent: ResourceName?) async throws -> [String] {
    var ids: [String] = []
    var token: String?
    var tokens = PageTokens(of: "list the collections of \(parent ?? reads.database.root)")
    repeat {
      let page = try await reads.spend(upTo: 1) { [token] _ in
        (try await reads.database.collectionPage(under: parent, after: token), 1)
      }
      ids += page.ids
      token = page.nextPageToken
      try tokens.follow(token)
    } while token != nil
    return ids
  }

  /// Returns `count` of the names, evenly spread.
  private func spread(_ names: [String], over count: Int) -> [String] {
    guard names.count > count else { return names }
    return (0..<count).map { names[$0 * names.count / count] }
  }

  /// Returns a document's collection with `*` for the ids of ancestors: `Chats/*/Messages`.
  func pattern(of name: String) -> String {
    let ids = ResourceName.ids(in: root.relativePath(of: name)).dropLast()
    return ids.enumerated().map { $0.isMultiple(of: 2) ? $1 : "*" }.joined(separator: "/")
  }
}

extension FirestoreError {
  /// Whether the server cannot count documents across collections, or gave up.
  fileprivate var refusesCount: Bool {
    let refusals: [RPCStatus] = [
      .invalidArgument, .unimplemented, .failedPrecondition, .permissionDenied, .deadlineExceeded,
    ]
    return status.map(refusals.contains) ?? false
  }
}

/// Concurrent work on several items.
enum SideBySide {
  /// A number that servers and laptops can handle; `docs/inspect.md#cost`.
  private static let width = 8

  /// Performs work for each of the items, `width` at a time.
  ///
  /// - Returns: the results in the items' order.
  /// - Throws: the first error; the other work is cancelled.
  static func map<Item: Sendable, Answer: Sendable>(
    _ items: [Item], _ work: @escaping @Sendable (Item) async throws -> Answer
  ) async throws -> [Answer] {
    try await withThrowingTaskGroup(of: (Int, Answer).self) { group in
      var answers = [Answer?](repeating: nil, count: items.count)
      for (index, item) in items.enumerated() {
        if index >= width, let (done, answer) = try await group.next() { answers[done] = answer }
        group.addTask { (index, try await work(item)) }
      }
      for try await (done, answer) in group { answers[done] = answer }
      return answers.compactMap(\.self)
    }
  }
}
