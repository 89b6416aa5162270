import Fixtures
import Model
import Testing

@testable import Firestore

/// The sample of a collection that a query scans, and its cost; see `docs/editions.md#scans`.
@Suite struct CollectionSampleTests {
  private typealias Answers = EnterpriseClientTests

  private static func stage(_ answers: [ScriptedAnswer]) throws -> Stage {
    let stage = try Stage(answers, retry: Answers.once)
    stage.client.learn(.enterprise)
    return stage
  }

  /// The limit that a request of the stage had; nil without one.
  private static func limit(_ request: Int, of stage: Stage) throws -> Int64? {
    let json = try JSON(parsing: stage.server.requests[request].body)
    let query =
      json["structuredQuery"] ?? json["structuredAggregationQuery"]?["structuredQuery"]
    return try query?["limit"]?.integer()
  }

  /// Reads that are left, documents of the first request, the answer to the count, the limits of
  /// both, the documents of the collection, and what it costs to know; documents have 2 KiB.
  static let budgets: [(Int?, Int, Int, [Int64?], Int?, Int)] = [
    (0, 1, 0, [1], nil, 1), (1, 1, 0, [1], nil, 1), (2, 2, 3, [2, 3], nil, 2),
    (4, 4, 5, [4, 5], nil, 3), (5, 5, 5, [5, 5], nil, 4),
    (10, 10, 11, [10, 11], nil, 6), (10, 10, 10, [10, 11], 10, 6), (10, 10, 8, [10, 11], 10, 6),
    (nil, 10, 10, [10, nil], 10, 6),
    (10, 9, 0, [10], 9, 5), (nil, 9, 0, [10], 9, 5), (nil, 0, 0, [10], 0, 1),
  ]

  @Test(arguments: budgets)
  func `a collection is counted as far as its scan fits into the budget`(
    left: Int?, first: Int, counted: Int, limits: [Int64?], count: Int?, billed: Int
  ) async throws {
    let stage = try Self.stage([Answers.page(first, bytes: 2_048), Answers.count(counted)])
    let sample = try await stage.client.countedSample(
      of: Answers.query("n"), under: nil, upTo: left)
    #expect(sample?.count == count)
    let asked = try stage.server.requests.indices.map { try Self.limit($0, of: stage) }
    #expect(asked == limits)
    #expect(stage.client.traffic.billedReadCount == billed)
    #expect(sample?.units == (count == nil ? nil : billed))
  }

  /// The bytes of each document, the reads that are left, and the documents of the first request
  /// and of the sample.
  static let sizes: [(Int, Int?, Int, Int)] = [
    // The others are 256 units, and 257.
    (11_650, nil, 10, 100), (11_651, nil, 10, 10),
    // The first ones, the count and the others are 1, 1 and 2 units.
    (68, 4, 4, 100), (68, 3, 3, 3),
  ]

  @Test(arguments: sizes)
  func `the other documents of a sample are read while they are cheap`(
    bytes: Int, left: Int?, first: Int, size: Int
  ) async throws {
    let stage = try Self.stage([
      Answers.page(first, bytes: bytes), Answers.count(100),
      Answers.page(100 - first, bytes: bytes),
    ])
    let sample = try await stage.client.countedSample(
      of: Answers.query("n"), under: nil, upTo: left)
    #expect(sample?.documents.count == size && sample?.count == 100)
    let billed = stage.client.traffic.billedReadCount
    #expect(sample?.units == billed && billed <= left ?? .max)
  }

  /// Documents asked for, those of both requests, their limits, and the documents of the collection
  /// as far as they are known.
  static let samples: [(Int, [Int], [Int64], Int?)] = [
    (50, [10, 40], [10, 40], nil), (50, [10, 39], [10, 40], 49), (50, [10, 0], [10, 40], 10),
    (50, [9], [10], 9), (10, [10], [10], nil), (10, [9], [10], 9), (5, [5], [5], nil),
    (5, [4], [5], 4), (0, [1], [1], nil), (0, [0], [1], 0), (11, [10, 1], [10, 1], nil),
  ]

  @Test(arguments: samples)
  func `a sample has all documents when fewer come than are asked for`(
    most: Int, pages: [Int], limits: [Int64], count: Int?
  ) async throws {
    let stage = try Self.stage(pages.map { Answers.page($0, bytes: 100) })
    for _ in 0..<2 {
      let sample = try await stage.client.sample(
        of: Answers.query("n"), under: nil, documents: most)
      #expect(sample.documents.count == pages.reduce(0, +))
      #expect(sample.count == count && sample.isWhole == (count != nil))
    }
    #expect(try limits.indices.map { try Self.limit($0, of: stage) } == limits)
    #expect(stage.server.requests.count == limits.count)
  }

  @Test(arguments: [(nil, 200), (2, 200), (3, 300), (1, 200), (1_000, 100_000)] as [(Int?, Int)])
  func `each other document has the mean size of the sample`(count: Int?, bytes: Int) {
    let documents = [80, 120].map { size -> Document in
      let bare = Document(name: "projects/p/databases/d/documents/C/1", fields: ["t": .string("")])
      let text = String(repeating: "x", count: size - DocumentSize.bytes(of: bare))
      return Document(name: bare.name, fields: ["t": .string(text)])
    }
    #expect(CollectionSample(documents: documents, count: count).bytes == bytes)
  }

  @Test func `an empty collection has no bytes`() {
    #expect(CollectionSample(documents: [], count: 0).bytes == 0)
  }
}

/// What the pages of a filter by name scan; see `docs/editions.md#scans`.
@Suite struct CollectionPassTests {
  private typealias Answers = EnterpriseClientTests

  private static let few = StructuredQuery.Filter.field(
    FieldPath(segments: ["n"]), .lessThan, .integer(2))

  /// Three documents of nine: 3 KiB lie between two of them, where each has 1 KiB.
  private static let firstThree = Answers.query(
    filter: .field(
      FieldPath(segments: ["n"]), .in, .array([.integer(0), .integer(1), .integer(2)])))

  /// A pass over 100 documents, of whose first ten two match.
  private static func pass(_ filter: StructuredQuery.Filter = few) -> CollectionPass {
    let documents = (0..<10).map { number in
      Document(
        name: "projects/p/databases/d/documents/C/\(number)",
        fields: ["n": .integer(Int64(number))])
    }
    return CollectionPass(
      Answers.query(filter: filter), over: CollectionSample(documents: documents, count: 100),
      FirestoreEdition.enterprise.rules)
  }

  /// Bytes between two matches.
  private static var share: Int { pass().bytes / 20 }

  @Test(arguments: [(0, 0), (1, 1), (19, 19), (20, 20), (21, 20)])
  func `matches are as far apart as in the sample`(matches: Int, shares: Int) {
    #expect(Self.pass().bytes(upTo: matches) == shares * Self.share)
  }

  @Test(arguments: [0, 1])
  func `where nothing of the sample matches, everything is read`(matches: Int) {
    let pass = Self.pass(.field(FieldPath(segments: ["n"]), .lessThan, .integer(0)))
    #expect(pass.bytes(upTo: matches) == pass.bytes)
  }

  /// The limit of a page and its documents, whether it ends at a name, and the shares that it reads
  /// of the 20.
  static let pages: [(Int?, Int, Bool, Int)] = [
    (5, 5, false, 5), (5, 4, false, 20), (5, 6, false, 6), (nil, 5, false, 20), (nil, 5, true, 5),
    (5, 4, true, 4), (5, 0, true, 0),
  ]

  @Test(arguments: pages)
  func `a full page reads its share, and the last one the rest`(
    limit: Int?, count: Int, hasEnd: Bool, shares: Int
  ) {
    var pass = Self.pass()
    var query = Answers.query(filter: Self.few)
    query.limit = limit
    if hasEnd { query.endAt = .init(values: [.reference("x")], before: true) }
    #expect(pass.read(count, own: 0, by: query) == shares * Self.share)
    #expect(pass.bytesLeft == (20 - shares) * Self.share)
    // Another page goes on, and one from the beginning begins anew.
    query.startAt = .init(values: [.reference("a")], before: false)
    #expect(pass.read(20, own: 0, by: query) == (20 - shares) * Self.share)
    #expect(pass.bytesLeft == 0)
    query.startAt = nil
    #expect(pass.read(count, own: 0, by: query) == shares * Self.share)
  }

  @Test(arguments: [-1, 0, 1])
  func `a page reads its own documents at least, and never leaves less than nothing`(more: Int) {
    var pass = Self.pass()
    var query = Answers.query(filter: Self.few)
    query.limit = 2
    let own = 2 * Self.share + more
    #expect(pass.read(2, own: own, by: query) == 2 * Self.share + max(0, more))
    query.startAt = .init(values: [.reference("a")], before: false)
    #expect(pass.read(2, own: 2 * pass.bytes, by: query) == 2 * pass.bytes)
    #expect(pass.bytesLeft == 0)
  }

  /// The limit of a count, where it starts, its answer, and its units of the 3 of the collection.
  static let counts: [(Int?, Bool, Int, Int)] = [
    (nil, false, 3, 3), (2, false, 2, 2), (2, false, 1, 3), (1, false, 1, 1), (nil, true, 1, 1),
    (nil, true, 2, 2),
  ]

  @Test(arguments: counts)
  func `a count that stops early bills the part that it scans`(
    limit: Int?, hasStart: Bool, count: Int, units: Int
  ) async throws {
    let stage = try Stage(
      [.json("{}"), Answers.page(9, bytes: 1_024), Answers.count(count)], retry: Answers.once)
    stage.client.learn(.enterprise)
    var query = Self.firstThree
    _ = try await stage.client.access(of: query, under: nil, upTo: nil)
    query.limit = limit
    if hasStart { query.startAt = .init(values: [.reference("a")], before: true) }
    let before = stage.client.traffic.billedReadCount
    #expect(try await stage.client.count(of: query) == count)
    #expect(stage.client.traffic.billedReadCount - before == units)
  }

  @Test func `a page may scan no more than its pages before have left`() async throws {
    let stage = try Stage(
      [.json("{}"), Answers.page(9, bytes: 1_024), Answers.page(1, bytes: 1_024)],
      retry: Answers.once)
    stage.client.learn(.enterprise)
    var query = Self.firstThree
    #expect(stage.client.scannedUnits(of: query, under: nil) == nil)
    _ = try await stage.client.access(of: query, under: nil, upTo: nil)
    query.limit = 1
    #expect(stage.client.scannedUnits(of: query, under: nil) == 3)
    #expect(stage.client.mostReads(of: query, under: nil) == 3)
    _ = try await stage.client.runQuery(query)
    #expect(stage.client.scannedUnits(of: query, under: nil) == 3)
    query.startAt = .init(values: [.reference("a")], before: false)
    #expect(stage.client.scannedUnits(of: query, under: nil) == 2)
  }

  @Test(arguments: [(nil, 1), (0, 1), (1, 1), (2, 2)] as [(Int?, Int)])
  func `a page without a scan costs at most its limit`(limit: Int?, reads: Int) throws {
    let stage = try Stage()
    var query = Answers.query("n")
    query.limit = limit
    #expect(stage.client.mostReads(of: query, under: nil) == reads)
  }
}
