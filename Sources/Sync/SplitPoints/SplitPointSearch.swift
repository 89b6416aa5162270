package import Firestore
package import Model

/// A search for names that split a query into parts of about equal size, for partitions and shards.
///
/// Firestore splits without a charge, but only whole collection groups, and into as many parts as
/// it chooses. If it offers too few split points, or a filter makes its parts uneven, parts are
/// bisected: a probe reads the first name from a synthetic key in the middle on, and a count finds
/// how many documents lie before it. See `docs/decisions/037-split-points.md`.
package struct SplitPointSearch: Sendable {
  /// The smallest number of documents of a part that is worth a request of its own.
  package static let smallestPart = 100
  /// Probes allowed for each part; keys in few places need more of them.
  private static let probesAPart = 8
  /// Probes allowed for the search for the prefix of all keys.
  private static let firstProbes = 16
  /// The most parts that are bisected concurrently.
  private static let bisectedAtOnce = 32
  /// The most times that a search counts all documents, including those before offered points.
  package static let mostPasses = 11
  /// The multiple of the mean size above which a part is uneven.
  private static let mostUneven = 2

  private let port: any FirestorePort
  private let reads: ReadBudgetMeter
  private let readTime: Timestamp?
  private let observe: @Sendable (Step) -> Void

  /// A progress step of a search that the server could not do alone.
  package enum Step: Hashable, Sendable {
    /// The search begins: the server has offered some of the wanted split points.
    case began(offered: Int, wanted: Int)
    /// A name was looked up, or documents were counted.
    case asked
  }

  /// When `reads` are used up, the points found so far are the result.
  package init(
    port: any FirestorePort, reads: ReadBudgetMeter, readTime: Timestamp? = nil,
    observe: @escaping @Sendable (Step) -> Void = { _ in }
  ) {
    self.port = port
    self.reads = reads
    self.readTime = readTime
    self.observe = observe
  }

  /// Returns the most billed reads that a search can cost if Firestore does not split.
  ///
  /// Each probe costs one read, each count one read for `documentsPerCountedRead` documents. Each
  /// level of bisections counts all documents at most, and half of them on average.
  package static func mostReads(
    parts: Int, documents: Int, on edition: FirestoreEdition
  ) -> Int {
    guard parts > 1 else { return 0 }
    let rules = edition.rules
    return 2 * mostProbes(parts: parts)
      + (mostPasses - 1) * documents / rules.documentsPerCountedRead
      + rules.readsOfCount(documents)
  }

  /// Splits the query's documents into at most `parts` parts, 1 or more.
  ///
  /// There are fewer parts for few documents, and only one for a query that is not ordered by name
  /// alone, or not over the collections of one id. Each returned name, in Firestore's order, begins
  /// a part.
  ///
  /// - Throws: the port's error.
  package func splitPoints(
    of query: StructuredQuery, under parent: String? = nil, parts: Int
  ) async throws -> [String] {
    guard parts > 1, let access = try await port.access(of: query, under: parent, within: reads)
    else { return [] }
    var query = query
    // What a pass reads is what lies between its matches, and names are found without a scan.
    if access.scannedUnits != nil { query.filter = nil }
    guard var source = SplitPointSource(query, under: parent) else { return [] }
    let offered = try await port.partitionPoints(of: source.group, count: parts - 1)
    let points = offered.filter(source.contains)
    // Firestore's parts are even in the group, but the matches of a filter may be anywhere in it.
    let isEnough = points.count >= parts - 1
    // The result if the search ends early; a server may offer more points than requested.
    let offers = isEnough ? Self.thinned(points, to: parts - 1) : points
    guard !isEnough || query.filter != nil else { return offers }
    observe(.began(offered: points.count, wanted: parts - 1))
    guard let total = try await count(of: source, from: nil, to: nil) else { return offers }
    let wanted = min(parts, total / Self.smallestPart)
    guard query.filter != nil || wanted > points.count + 1 else { return offers }
    guard wanted > 1 else { return [] }
    guard let first = try await name(in: source, from: nil) else { return offers }
    source.learnRoot(from: first)
    var ranges = KeyRanges(first: source.key(of: first), count: total)
    for point in points {
      guard
        let before = try await count(of: source, from: ranges.lastName, to: point, upTo: total)
      else { return offers }
      ranges.splitLast(at: source.key(of: point), point, before: before)
    }
    if !isEnough || ranges.largest * wanted > Self.mostUneven * total {
      try await bisect(&ranges, of: source, parts: wanted, total: total)
    }
    return ranges.splitPoints(wanted)
  }

  /// Bisects large ranges until none is left or the search has cost enough.
  private func bisect(
    _ ranges: inout KeyRanges, of source: SplitPointSource, parts: Int, total: Int
  ) async throws {
    var probes = Self.mostProbes(parts: parts)
    // The other passes count the offered points, and all documents in the first and last round.
    let perRead = port.edition.rules.documentsPerCountedRead
    var counted = (Self.mostPasses - 1) * total / perRead - 3 * (total / perRead)
    guard try await findEnd(&ranges, of: source) else { return }
    while probes > 0, counted >= 0 {
      let bisections = ranges.bisections(
        largerThan: total / (2 * parts), atMost: min(probes, Self.bisectedAtOnce))
      guard !bisections.isEmpty else { return }
      probes -= bisections.count
      let spent = reads.spent
      guard let found = try await halves(of: source, bisections) else { return }
      // Two reads per bisection are not counted: its probe and the first one of its count.
      counted -= max(0, reads.spent - spent - 2 * bisections.count)
      ranges.add(found)
    }
  }

  /// Finds a key beyond all others by a binary search in the first key's prefixes; returns false
  /// when the budget is used up.
  private func findEnd(_ ranges: inout KeyRanges, of source: SplitPointSource) async throws -> Bool
  {
    let first = ranges.firstKey
    // Some key lies beyond all that share the first `unlike` scalars; no key does for `alike`.
    var (alike, unlike) = (0, first.scalars.count + 1)
    while unlike - alike > 1 {
      let middle = (alike + unlike) / 2
      guard let end = first.end(ofPrefix: middle) else {
        alike = middle
        continue
      }
      guard let probed = try await probe(source, from: end) else { return false }
      if let (key, _) = probed {
        unlike = middle
        ranges.learn(key)
      } else {
        alike = middle
      }
    }
    ranges.end(at: first.end(ofPrefix: alike) ?? .end)
    return true
  }

  /// Performs bisections concurrently; returns nil when the budget is used up.
  private func halves(
    of source: SplitPointSource, _ bisections: [KeyRanges.Bisection]
  ) async throws -> [KeyRanges.Half]? {
    try await withThrowingTaskGroup(of: KeyRanges.Half?.self) { group in
      for bisection in bisections { group.addTask { try await half(of: source, bisection) } }
      let halves = try await group.reduce(into: [KeyRanges.Half?]()) { $0.append($1) }
      return halves.contains { $0 == nil } ? nil : halves.compactMap(\.self)
    }
  }

  private func half(
    of source: SplitPointSource, _ bisection: KeyRanges.Bisection
  ) async throws -> KeyRanges.Half? {
    guard let probed = try await probe(source, from: bisection.middle) else { return nil }
    guard let (key, name) = probed, bisection.next.map({ key < $0.key }) ?? true else {
      return KeyRanges.Half(bisection: bisection)
    }
    return try await countBefore(name, in: bisection, of: source).map {
      KeyRanges.Half(bisection: bisection, found: (key, name, $0))
    }
  }

  /// Returns how many documents of a part lie before one of them; nil when that cannot be known.
  ///
  /// In a large part the count stops at an eighth of the documents; if there are more, the
  /// documents from that one on are counted instead. Otherwise, documents in one corner would be
  /// counted again and again.
  func countBefore(
    _ name: String, in part: KeyRanges.Bisection, of source: SplitPointSource
  ) async throws -> Int? {
    let few = part.count / KeyRanges.Half.leastShare
    let isLarge = few >= port.edition.rules.documentsPerCountedRead
    let most = isLarge ? few : part.count
    let before = try await count(of: source, from: part.name, to: name, upTo: most)
    guard let before, before == most, most == few else { return before }
    return try await count(of: source, from: name, to: part.next?.name, upTo: part.count - few)
      .map { part.count - $0 }
  }

  /// Returns the first key from a place on, nil for none; nil as a whole when the budget is used
  /// up.
  private func probe(
    _ source: SplitPointSource, from place: PathKey
  ) async throws -> (key: PathKey, name: String)?? {
    guard let start = source.name(at: place) else { return .some(nil) }
    guard let name = try await name(in: source, from: start) else {
      return reads.limit.map { reads.spent >= $0 } == true ? nil : .some(nil)
    }
    return (source.key(of: name), name)
  }

  /// Returns the first document name from another one on; nil for none, or without a budget.
  private func name(in source: SplitPointSource, from start: String?) async throws -> String? {
    let found = try await reads.spend(upTo: 1) { _ in
      (
        try await port.firstName(
          of: source.range(from: start, to: nil), under: source.parent, readTime: readTime
        )?.lastName, 1
      )
    }
    observe(.asked)
    return found ?? nil
  }

  /// Counts the documents between two names, up to `most`; nil for no limit.
  ///
  /// The result is nil when the budget does not allow a count, and when there are too many
  /// documents for Firestore to count.
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

  private static func mostProbes(parts: Int) -> Int {
    firstProbes + probesAPart * parts
  }

  /// Returns `count` of the names, evenly spaced.
  private static func thinned(_ names: [String], to count: Int) -> [String] {
    (1...count).map { names[$0 * (names.count + 1) / (count + 1) - 1] }
  }
}

extension FirestorePort {
  /// Returns the page with the first name that a query finds, if any: one billed read.
  func firstName(
    of query: StructuredQuery, under parent: String?, readTime: Timestamp?
  ) async throws -> ScannedPage? {
    var names = query
    names.select = [.documentName]
    names.limit = 1
    let origin = try origin(of: names, under: parent)
    var found: ScannedPage?
    try await page(of: names, under: parent, readTime: readTime) { bytes in
      var scanner = DocumentScanner(fields: [])
      scanner.origin = origin
      let page = try scanner.scan(&bytes) { _, _ in }
      found = page
      return page
    }
    return found
  }
}
