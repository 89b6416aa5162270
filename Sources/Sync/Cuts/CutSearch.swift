package import Firestore

/// Finds names that cut a query into parts of about equal size, for partitions and for shards alike.
///
/// Firestore cuts for nothing, but only collection groups, and into as many parts as it likes. For
/// the cuts that are missing, keys are sampled: each look reads a few names from a made up name on.
/// See `docs/decisions/037-cuts.md`.
package struct CutSearch: Sendable {
  /// Names that one look asks for; more of them tell better how dense the keys are.
  static let namesALook = 4
  /// Looks for each cut: with fewer, the parts differ more in size.
  static let looksACut = 4
  /// Documents of a part that is worth a request of its own.
  static let smallestPart = 100
  /// Looks that are on their way at once.
  private static let looksAtOnce = 32

  private let port: any FirestorePort
  private let reads: ReadBudgetMeter
  private let readTime: Timestamp?

  /// - Parameters:
  ///   - port: the server.
  ///   - reads: what the looks are billed to; when it is used up, the cuts found so far do.
  ///   - readTime: the snapshot that is looked into; nil for the latest.
  package init(port: any FirestorePort, reads: ReadBudgetMeter, readTime: Timestamp? = nil) {
    self.port = port
    self.reads = reads
    self.readTime = readTime
  }

  /// Billed reads that a search costs at most.
  package static func mostReads(parts: Int) -> Int {
    parts > 1 ? mostLooks(parts: parts) * namesALook : 0
  }

  /// Names that cut the query's documents into at most `parts` parts, in Firestore's order.
  ///
  /// Fewer for few documents; none for a query that is not ordered by name alone, or not over the
  /// collections of one id. Each name is one of a document, and begins a part. A filter is not
  /// asked: its documents are taken to lie among the others evenly.
  ///
  /// - Parameters:
  ///   - query: the query.
  ///   - parent: the document whose collections are asked; nil for the database's own.
  ///   - parts: 1 or more.
  /// - Throws: what the port throws.
  package func cuts(
    of query: StructuredQuery, under parent: String? = nil, parts: Int
  ) async throws -> [String] {
    guard parts > 1, var source = CutSource(query, under: parent) else { return [] }
    let offered = try await port.partitionPoints(of: source.group, count: parts - 1)
    let points = Self.inOrder(offered.filter(source.contains))
    guard points.count < parts - 1 else { return Self.thinned(points, to: parts - 1) }
    var samples = KeySamples()
    for name in points { samples.add(cut: name, source.key(of: name)) }
    try await look(into: &source, &samples, parts: parts)
    let sampled = samples.cuts(parts - 1)
    return sampled.count > points.count ? sampled : points
  }

  /// Looks into the fullest gaps until there are enough samples, or nothing is left to find.
  private func look(
    into source: inout CutSource, _ samples: inout KeySamples, parts: Int
  ) async throws {
    var left = Self.mostLooks(parts: parts)
    guard let first = try await names(of: source, from: nil), let start = first.first else { return }
    left -= 1
    source.learnRoot(from: start.name)
    samples.add(first, at: nil, wanted: Self.namesALook)
    guard first.count == Self.namesALook else { return }
    guard try await findShared(by: start.key, in: source, &samples, &left) else { return }
    while left > 0 {
      let places = samples.probes(
        atMost: min(left, Self.looksAtOnce), least: Self.smallestPart)
      guard !places.isEmpty else { return }
      left -= places.count
      guard let found = try await names(of: source, fromAll: places) else { return }
      for (place, names) in found { samples.add(names, at: place, wanted: Self.namesALook) }
    }
  }

  /// Finds how far all keys are the same, by halving; false when the budget is used up.
  private func findShared(
    by first: PathKey, in source: CutSource, _ samples: inout KeySamples, _ left: inout Int
  ) async throws -> Bool {
    // Some key lies beyond all that begin like the first `unlike` scalars; none for `alike`.
    var (alike, unlike) = (0, first.scalars.count + 1)
    while unlike - alike > 1, left > 0 {
      let middle = (alike + unlike) / 2
      guard let beyond = first.end(ofPrefix: middle) else {
        alike = middle
        continue
      }
      left -= 1
      guard let found = try await names(of: source, from: beyond) else { return false }
      if found.isEmpty {
        alike = middle
      } else {
        unlike = middle
        samples.add(found, at: beyond, wanted: Self.namesALook)
      }
    }
    samples.shared = alike
    return true
  }

  /// The looks that were made, in the order of their places; nil when the budget is used up.
  private func names(
    of source: CutSource, fromAll places: [PathKey]
  ) async throws -> [(PathKey, CutSource.Names)]? {
    try await withThrowingTaskGroup(of: (PathKey, CutSource.Names?).self) { group in
      for place in places {
        group.addTask { (place, try await names(of: source, from: place)) }
      }
      var found: [(PathKey, CutSource.Names)] = []
      var isOver = false
      for try await (place, names) in group {
        if let names { found.append((place, names)) } else { isOver = true }
      }
      return isOver ? nil : found.sorted { $0.0 < $1.0 }
    }
  }

  /// The first names from a place on, nil for the beginning; nil when the budget is used up.
  private func names(
    of source: CutSource, from place: PathKey?
  ) async throws -> CutSource.Names? {
    guard let query = source.look(from: place, limit: Self.namesALook) else { return [] }
    return try await reads.spend(upTo: Self.namesALook) { granted in
      var query = query
      query.limit = granted
      let origin = try port.origin(of: query, under: source.parent)
      var names: [String] = []
      try await port.page(of: query, under: source.parent, readTime: readTime) { bytes in
        names = []
        var scanner = DocumentScanner(fields: [])
        scanner.origin = origin
        return try scanner.scan(&bytes) { document, page in
          names.append(String(decoding: page[document.name], as: UTF8.self))
        }
      }
      return (names.map { (source.key(of: $0), $0) }, max(1, names.count))
    }
  }

  /// The first looks find what all keys begin with; then each cut has some.
  private static func mostLooks(parts: Int) -> Int { 16 + looksACut * (parts - 1) }

  private static func inOrder(_ names: [String]) -> [String] {
    names.sorted { NameOrder.compare($0, $1) < 0 }.reduce(into: []) { kept, name in
      if kept.last.map({ NameOrder.compare($0, name) < 0 }) ?? true { kept.append(name) }
    }
  }

  /// As many of the names as wanted, evenly.
  private static func thinned(_ names: [String], to count: Int) -> [String] {
    (1...count).map { names[$0 * (names.count + 1) / (count + 1) - 1] }
  }
}

/// The documents that are cut: those of one collection, or of all collections of one id.
struct CutSource: Sendable {
  typealias Names = [(key: PathKey, name: String)]

  let parent: String?
  private let selector: StructuredQuery.CollectionSelector
  private let id: String
  /// Begins the path of every document; empty for a group.
  private let prefix: String
  /// The name of the database's documents, with a slash; nil before a name was seen.
  private var root: String?

  /// Nil for a query that cannot be read in ranges of names.
  init?(_ query: StructuredQuery, under parent: String?) {
    guard query.orderBy == [.init(field: .documentName)], query.from.count == 1,
      let id = query.from[0].collectionId
    else { return nil }
    self.parent = parent
    self.id = id
    selector = query.from[0]
    let path = [parent, id].compactMap(\.self).joined(separator: "/")
    prefix = selector.allDescendants ? "" : "\(path)/"
  }

  /// The group that Firestore can cut.
  var group: StructuredQuery {
    StructuredQuery(
      from: [.init(collectionId: id, allDescendants: true)],
      orderBy: [.init(field: .documentName)])
  }

  /// Whether a name that the group is cut at lies among the documents.
  func contains(_ name: String) -> Bool {
    let ids = ResourceName.ids(in: name).dropFirst(5)
    guard !selector.allDescendants else {
      return ids.starts(with: parent.map(ResourceName.ids) ?? [])
    }
    return ids.dropLast().joined(separator: "/") + "/" == prefix
  }

  /// The key of a document's full name.
  func key(of name: String) -> PathKey {
    let path = ResourceName.ids(in: name).dropFirst(5).joined(separator: "/")
    // By bytes: an id may begin with a combining mark.
    let below = path.utf8.dropFirst(prefix.utf8.count)
    return PathKey(path: String(decoding: below, as: UTF8.self))
  }

  /// Remembers whose documents have such names.
  mutating func learnRoot(from name: String) {
    root = ResourceName.ids(in: name).prefix(5).joined(separator: "/") + "/"
  }

  /// The query for the names from a place on, nil for the beginning; nil for no place in it.
  func look(from place: PathKey?, limit: Int) -> StructuredQuery? {
    var look = StructuredQuery(
      from: [selector], select: [.documentName], orderBy: [.init(field: .documentName)],
      limit: limit)
    guard let place else { return look }
    guard let root, let path = place.path(isBelowCollection: !selector.allDescendants) else {
      return nil
    }
    look.startAt = .init(values: [.reference(root + prefix + path)], before: true)
    return look
  }
}
