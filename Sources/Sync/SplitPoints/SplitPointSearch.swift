package import Firestore

/// Finds names that cut a query into parts of about equal size, for partitions and for shards alike.
///
/// Firestore cuts without a charge, but only whole collection groups, and into as many parts as it
/// likes. Where Firestore makes too few cuts, or a filter leaves its parts uneven, parts are halved
/// and counted: a look reads the first name from a made up key in the middle on, and a count tells
/// how many documents lie before it. See `docs/decisions/037-cuts.md`.
package struct SplitPointSearch: Sendable {
  /// Documents of a part that is worth a request of its own.
  package static let smallestPart = 100
  /// Looks for each part: more where the keys are in few places.
  private static let looksAPart = 8
  /// Looks that find what all keys begin with.
  private static let firstLooks = 16
  /// Parts that are halved at once.
  private static let halvedAtOnce = 32
  /// Documents that one read counts, with which a count is worth to be cut short.
  private static let largePart = 1_000
  /// Parts larger than so many mean ones are uneven.
  private static let mostUneven = 2

  private let port: any FirestorePort
  private let reads: ReadBudgetMeter
  private let readTime: Timestamp?
  private let observe: @Sendable (Step) -> Void

  /// How a search goes that the server leaves to us.
  package enum Step: Hashable, Sendable {
    /// It begins: of so many cuts the server has offered some.
    case began(offered: Int, wanted: Int)
    /// A name was looked for, or documents were counted.
    case asked
  }

  /// - Parameters:
  ///   - port: the server.
  ///   - reads: what looks and counts are billed to; when it is used up, the cuts found so far do.
  ///   - readTime: the snapshot that is looked into; nil for the latest.
  ///   - observe: is told of each request of a search.
  package init(
    port: any FirestorePort, reads: ReadBudgetMeter, readTime: Timestamp? = nil,
    observe: @escaping @Sendable (Step) -> Void = { _ in }
  ) {
    self.port = port
    self.reads = reads
    self.readTime = readTime
    self.observe = observe
  }

  /// Billed reads that a search of so many documents costs at most, where Firestore does not cut.
  ///
  /// Each look costs one, each count one for a thousand documents. All of them are counted once for
  /// each halving, half of them on average.
  package static func mostReads(parts: Int, documents: Int) -> Int {
    guard parts > 1 else { return 0 }
    return 2 * mostLooks(parts: parts) + documents / 100 + PlannedQuery.readsOfCount(documents)
  }

  /// SplitPoints the query's documents into at most `parts` parts.
  ///
  /// There are fewer for few documents, and one for a query that is not ordered by name alone, or
  /// not over the collections of one id.
  ///
  /// - Parameters:
  ///   - query: the query.
  ///   - parent: the document whose collections are asked; nil for the database's own.
  ///   - parts: 1 or more.
  /// - Returns: names of documents in Firestore's order, each of which begins a part.
  /// - Throws: what the port throws.
  package func cuts(
    of query: StructuredQuery, under parent: String? = nil, parts: Int
  ) async throws -> [String] {
    guard parts > 1, var source = SplitPointSource(query, under: parent) else { return [] }
    let offered = try await port.partitionPoints(of: source.group, count: parts - 1)
    let points = offered.filter(source.contains)
    // Firestore's parts are even ones of the group; what passes a filter may be anywhere in it.
    let isEnough = points.count >= parts - 1
    guard !isEnough || query.filter != nil else { return Self.thinned(points, to: parts - 1) }
    observe(.began(offered: points.count, wanted: parts - 1))
    guard let total = try await count(of: source, from: nil, to: nil) else { return points }
    let wanted = min(parts, total / Self.smallestPart)
    guard query.filter != nil || wanted > points.count + 1 else { return points }
    guard wanted > 1 else { return [] }
    guard let first = try await name(in: source, from: nil) else { return points }
    source.learnRoot(from: first)
    var ranges = KeyRanges(first: source.key(of: first), count: total)
    for point in points {
      guard
        let before = try await count(
          of: source, from: ranges.lastName, to: point, upTo: total)
      else { return points }
      ranges.cutLast(at: source.key(of: point), point, before: before)
    }
    if !isEnough || ranges.largest * wanted > Self.mostUneven * total {
      try await halve(&ranges, of: source, parts: wanted, total: total)
    }
    return ranges.cuts(wanted)
  }

  /// Halves what is too large, until nothing is or the search has cost enough.
  private func halve(
    _ ranges: inout KeyRanges, of source: SplitPointSource, parts: Int, total: Int
  ) async throws {
    var looks = Self.mostLooks(parts: parts)
    // The cuts that were offered are counted, and the last halvings may count all documents.
    var counted = total / 100 - 3 * (total / 1_000)
    guard try await findEnd(&ranges, of: source) else { return }
    while looks > 0, counted >= 0 {
      let halvings = ranges.halvings(
        largerThan: total / (2 * parts), atMost: min(looks, Self.halvedAtOnce))
      guard !halvings.isEmpty else { return }
      looks -= halvings.count
      let spent = reads.spent
      guard let found = try await halves(of: source, halvings) else { return }
      // A look is one read, and pays for the first thousand of its count.
      counted -= max(0, reads.spent - spent - 2 * halvings.count)
      ranges.add(found)
    }
  }

  /// Finds a key beyond all others, by halving the beginning that all have; false when the budget is
  /// used up.
  private func findEnd(_ ranges: inout KeyRanges, of source: SplitPointSource) async throws -> Bool
  {
    let first = ranges.firstKey
    // Some key lies beyond all that begin like the first `unlike` scalars; none for `alike`.
    var (alike, unlike) = (0, first.scalars.count + 1)
    while unlike - alike > 1 {
      let middle = (alike + unlike) / 2
      guard let end = first.end(ofPrefix: middle) else {
        alike = middle
        continue
      }
      switch try await look(source, from: end) {
      case nil: return false
      case .nothing?: alike = middle
      case .found(let key, _)?:
        unlike = middle
        ranges.learn(key)
      }
    }
    ranges.end(at: first.end(ofPrefix: alike) ?? .end)
    return true
  }

  /// What became of halvings, side by side; nil when the budget is used up.
  private func halves(
    of source: SplitPointSource, _ halvings: [KeyRanges.Bisection]
  ) async throws -> [KeyRanges.Half]? {
    try await withThrowingTaskGroup(of: KeyRanges.Half?.self) { group in
      for halving in halvings {
        group.addTask { try await half(of: source, halving) }
      }
      var found: [KeyRanges.Half] = []
      var isOver = false
      for try await half in group {
        if let half { found.append(half) } else { isOver = true }
      }
      return isOver ? nil : found
    }
  }

  private func half(
    of source: SplitPointSource, _ halving: KeyRanges.Bisection
  ) async throws -> KeyRanges.Half? {
    switch try await look(source, from: halving.middle) {
    case nil: return nil
    case .nothing?: return KeyRanges.Half(halving)
    case .found(let key, let name)?:
      guard halving.next.map({ key < $0.key }) ?? true else { return KeyRanges.Half(halving) }
      return try await countBefore(name, in: halving, of: source)
        .map { KeyRanges.Half(halving, key: key, name: name, before: $0) }
    }
  }

  /// How many documents of a part lie before one of them; nil when that cannot be known.
  ///
  /// Of a large part the few before it are counted, or those from it on when they are more than a
  /// few: what is in one corner would be counted again and again.
  func countBefore(
    _ name: String, in part: KeyRanges.Bisection, of source: SplitPointSource
  ) async throws -> Int? {
    let few = part.count / KeyRanges.Half.leastShare
    let most = few < Self.largePart ? part.count : few
    let before = try await count(of: source, from: part.name, to: name, upTo: most)
    guard let before, before == most, most == few else { return before }
    return try await count(of: source, from: name, to: part.next?.name, upTo: part.count - few)
      .map { part.count - $0 }
  }

  private enum Probe {
    case found(PathKey, String)
    case nothing
  }

  /// The first key from a place on; nil when the budget is used up.
  private func look(_ source: SplitPointSource, from place: PathKey) async throws -> Probe? {
    guard let start = source.name(at: place) else { return .nothing }
    guard let name = try await name(in: source, from: start) else {
      return reads.limit.map { reads.spent >= $0 } == true ? nil : .nothing
    }
    return .found(source.key(of: name), name)
  }

  /// The first name of a document from another on; nil for none, or no budget.
  private func name(in source: SplitPointSource, from start: String?) async throws -> String? {
    var query = source.range(from: start, to: nil)
    query.select = [.documentName]
    query.limit = 1
    let look = query
    let found = try await reads.spend(upTo: 1) { _ in
      let origin = try port.origin(of: look, under: source.parent)
      var found: String?
      try await port.page(of: look, under: source.parent, readTime: readTime) { bytes in
        var scanner = DocumentScanner(fields: [])
        scanner.origin = origin
        let page = try scanner.scan(&bytes) { _, _ in }
        found = page.lastName
        return page
      }
      return (found, 1)
    }
    observe(.asked)
    return found ?? nil
  }

  /// How many documents lie between two names; it stops at `most`, nil for none.
  ///
  /// Nil when the budget does not allow to know, and for so many that Firestore gives up counting.
  private func count(
    of source: SplitPointSource, from: String?, to: String?, upTo most: Int? = nil
  ) async throws -> Int? {
    do {
      defer { observe(.asked) }
      return try await port.count(
        of: source.range(from: from, to: to), under: source.parent, readTime: readTime,
        within: reads, upTo: most)
    } catch let error as FirestoreError where error.status == .deadlineExceeded {
      return nil
    }
  }

  private static func mostLooks(parts: Int) -> Int { firstLooks + looksAPart * parts }

  /// As many of the names as wanted, evenly.
  private static func thinned(_ names: [String], to count: Int) -> [String] {
    (1...count).map { names[$0 * (names.count + 1) / (count + 1) - 1] }
  }
}
