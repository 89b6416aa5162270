import Emulator
import Firestore
import Fixtures
import Model
import SyncTesting
import Testing

@testable import Sync

/// Where a query is split, whatever the server does; see `docs/decisions/037-split-points.md`.
@Suite struct SplitPointSearchTests {
  private static let users = StructuredQuery(
    from: [.init(collectionId: "Users")], orderBy: [.init(field: .documentName)])

  private func splitPoints(
    _ port: NamesPort, parts: Int, of query: StructuredQuery = users, under parent: String? = nil,
    reads: ReadBudgetMeter = ReadBudgetMeter()
  ) async throws -> [String] {
    let points = try await SplitPointSearch(port: port, reads: reads)
      .splitPoints(of: query, under: parent, parts: parts)
    #expect(zip(points, points.dropFirst()).allSatisfy { NameOrder.compare($0, $1) < 0 })
    let most = SplitPointSearch.mostReads(
      parts: parts, documents: port.count, on: port.edition)
    #expect(reads.spent <= most)
    return points.map { String($0.dropFirst(NamesPort.root.count)) }
  }

  /// Forms of ids.
  static let shapes: [(String, @Sendable (Int) -> String)] = [
    ("letters and digits", { id(random: $0) }),
    ("numbers in a row", { "\($0)" }),
    ("padded numbers", { "user-\(String(1_000_000 + $0).dropFirst())" }),
    ("numeric ids", { "__id\($0 * 7)__" }),
    ("addresses", { "\(names[$0 % names.count]).\($0)@example.com" }),
    ("days", { "2026-\(10 + $0 % 3)-\(10 + $0 % 18)T\(id(random: $0))" }),
    ("accents and symbols", { "\(["é", "日本", "🦉", "a\u{301}"][$0 % 4])\(id(random: $0))" }),
    ("nearly all in one corner", { $0 % 20 == 0 ? id(random: $0) : "m-\(id(random: $0))" }),
  ]

  private static let names = ["ada", "bo", "chris", "dana", "eve", "finn", "gil", "zoe"]

  private static func id(random seed: Int) -> String {
    let letters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
    var state = UInt64(truncatingIfNeeded: seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1
    return String(
      (0..<12).map { _ -> Character in
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return letters[Int(state % UInt64(letters.count))]
      })
  }

  @Test(arguments: shapes.indices)
  func `ids of every form are split into parts of like size`(shape: Int) async throws {
    let (name, id) = Self.shapes[shape]
    let port = NamesPort((0..<12_800).map { "Users/\(id($0))" })
    for parts in [8, 64] {
      let points = try await splitPoints(port, parts: parts)
      #expect(points.count >= parts * 7 / 8, "\(name): \(points.count) points")
      let sizes = port.sizes(splitAt: points.map { NamesPort.root + $0 })
      #expect(Double(sizes.max() ?? 0) <= 1.5 * 12_800 / Double(parts), "\(name): \(sizes)")
    }
  }

  @Test(arguments: shapes.indices)
  func `an Enterprise database, whose counts cost eight times as much, is split as well`(
    shape: Int
  ) async throws {
    let (name, id) = Self.shapes[shape]
    let port = NamesPort((0..<12_800).map { "Users/\(id($0))" }, edition: .enterprise)
    let points = try await splitPoints(port, parts: 64)
    let sizes = port.sizes(splitAt: points.map { NamesPort.root + $0 })
    #expect(Double(sizes.max() ?? 0) <= 1.5 * 12_800 / 64, "\(name): \(sizes)")
  }

  @Test(arguments: [
    (FirestoreEdition.standard, 1, 99_000, 0), (.standard, 2, 0, 65), (.standard, 2, 999, 74),
    (.standard, 2, 1_000, 75), (.enterprise, 2, 0, 65), (.enterprise, 2, 128, 75),
    (.enterprise, 2, 129, 76),
  ])
  func `a search costs at most its probes, and eleven counts of all documents`(
    edition: FirestoreEdition, parts: Int, documents: Int, reads: Int
  ) {
    #expect(
      SplitPointSearch.mostReads(parts: parts, documents: documents, on: edition) == reads)
  }

  @Test func `what the server offers is taken as it is, and costs nothing`() async throws {
    let port = NamesPort(
      (0..<40).map { "Users/\(10 + $0)" }, points: ["Users/20", "Users/30", "Users/40"])
    let reads = ReadBudgetMeter()
    #expect(
      try await splitPoints(port, parts: 4, reads: reads) == ["Users/20", "Users/30", "Users/40"])
    #expect(try await splitPoints(port, parts: 3, reads: reads) == ["Users/20", "Users/30"])
    #expect(port.probes == 0)
    #expect(reads.spent == 0)
  }

  @Test func `one split point fewer than asked for is completed from sampled keys`() async throws {
    let paths = (0..<12_800).map { "Users/\(Self.id(random: $0))" }
    let half = paths.sorted()[6_400]
    let port = NamesPort(paths, points: [half])
    let found = try await splitPoints(port, parts: 8)
    #expect(found.count >= 6)
    let sizes = port.sizes(splitAt: found.map { NamesPort.root + $0 })
    #expect((sizes.max() ?? 0) <= 2 * 12_800 / 8)
  }

  @Test(arguments: [0, 1, 60, 199])
  func `few documents are not split, and probing costs little`(count: Int) async throws {
    let port = NamesPort((0..<count).map { "Users/\(Self.id(random: $0))" })
    #expect(try await splitPoints(port, parts: 64).isEmpty)
    #expect(port.probes == 0)
  }

  @Test func `only names of the documents that are asked for are split points`() async throws {
    let port = NamesPort(
      ["Users/a", "Users/b", "Users/c"],
      points: ["Teams/t/Users/x", "Users/b", "Users/b/Users/z", "Users/c", "Users2/q"])
    #expect(try await splitPoints(port, parts: 3) == ["Users/b", "Users/c"])
    let nested = NamesPort([], points: ["Teams/s/Users/x", "Teams/t/Users/x", "Users/b"])
    #expect(try await splitPoints(nested, parts: 2, under: "Teams/t") == ["Teams/t/Users/x"])
  }

  @Test
  func `a group that the server cannot split is split between its collections`() async throws {
    var group = Self.users
    group.from[0].allDescendants = true
    let port = NamesPort(
      (0..<12_800).map { "Teams/\(Self.id(random: $0 % 900))/Users/\(Self.id(random: $0))" })
    let found = try await splitPoints(port, parts: 8, of: group)
    #expect(found.count >= 6)
    let sizes = port.sizes(splitAt: found.map { NamesPort.root + $0 })
    #expect((sizes.max() ?? 0) <= 2 * 12_800 / 8)
  }

  private static func filtered(_ filter: StructuredQuery.Filter) -> StructuredQuery {
    var query = users
    query.filter = filter
    return query
  }

  private static let paid = filtered(
    .field(FieldPath(segments: ["status"]), .equal, .string("paid")))

  @Test
  func `where what passes a filter is in one corner, enough points of the whole are not enough`()
    async throws
  {
    // Seven even split points of all users; those who pass are nearly all between two of them.
    let points = "ADGKPTX".map { "Users/\($0)" }
    let port = NamesPort(
      (0..<12_800).map { "Users/\($0 % 50 == 0 ? "" : "L")\(Self.id(random: $0))" }, points: points)
    let found = try await splitPoints(port, parts: 8, of: Self.paid)
    #expect(found.count == 7)
    let sizes = port.sizes(splitAt: found.map { NamesPort.root + $0 })
    #expect((sizes.max() ?? 0) <= 2 * 12_800 / 8, "\(sizes)")
  }

  @Test
  func `points that a filter leaves even enough are taken, for the price of counting the parts`()
    async throws
  {
    let paths = (0..<8_000).map { "Users/\(10_000 + $0)" }
    let points = [12_000, 13_000, 14_000, 16_000].map { "Users/\($0)" }
    let port = NamesPort(paths, points: points)
    let reads = ReadBudgetMeter()
    #expect(try await splitPoints(port, parts: 5, of: Self.paid, reads: reads) == points)
    #expect(port.probes == 1 && port.counts == 5)
    // One part of 2 * 8,000 / 5 documents would be even enough, one more is not.
    for (first, isTaken) in [(13_200, true), (13_201, false)] {
      let points = [first, 14_000, 15_000, 16_000].map { "Users/\($0)" }
      let port = NamesPort(paths, points: points)
      let found = try await splitPoints(port, parts: 5, of: Self.paid)
      #expect((port.probes == 1) == isTaken && Set(found).isSubset(of: points) == isTaken)
    }
  }

  @Test(arguments: 1...6)
  func `a search without reads takes no more points than parts need`(offered: Int) async throws {
    let points = (1...offered).map { "Users/\($0 * 1_000 + 10_000)" }
    let port = NamesPort((0..<8_000).map { "Users/\(10_000 + $0)" }, points: points)
    let reads = ReadBudgetMeter(0)
    let found = try await splitPoints(port, parts: 3, of: Self.paid, reads: reads)
    #expect(found.count == min(2, offered) && Set(found).isSubset(of: points))
    #expect(reads.spent == 0)
  }

  @Test func `a filter that few documents pass makes no parts of them`() async throws {
    let port = NamesPort(
      (0..<199).map { "Users/\(1_000 + $0)" }, points: ["Users/1050", "Users/1100", "Users/1150"])
    #expect(try await splitPoints(port, parts: 4, of: Self.paid).isEmpty)
    #expect(port.probes == 0)
  }

  @Test func `split points of other parents' collections are dropped unasked`() async throws {
    let pattern = try #require(ParentPattern("Chats/*"))
    let bounds = try #require(pattern.bounds)
    var group = Self.filtered(try Self.complete(bounds))
    group.from[0] = .init(collectionId: "Messages", allDescendants: true)
    let outside = [
      "A/a/Messages/b", "Chat/a/Messages/b", "Chats2/a/Messages/b", "Rooms/r/Messages/m",
    ]
    let none = NamesPort([], points: outside.sorted { NameOrder.compare($0, $1) < 0 })
    #expect(try await splitPoints(none, parts: 4, of: group).isEmpty)
    #expect(none.counts == 1)
  }

  /// Forms of paths below a pattern.
  static let trees: [(String, @Sendable (Int) -> String)] = [
    (
      "one chat of five has nearly all",
      {
        "Chats/\($0 % 10 == 0 ? "abde".map(String.init)[$0 / 10 % 4] : "c")/Messages/\(id(random: $0))"
      }
    ),
    ("many small chats", { "Chats/\(id(random: $0 % 900))/Messages/\(id(random: $0))" }),
    (
      "small rooms of one shop",
      {
        "Chats/\($0 % 20 == 0 ? id(random: $0) : "main")/Rooms/\(id(random: $0 % 900))/Messages/\($0)"
      }
    ),
    ("numeric chats", { "Chats/__id\($0 % 700)__/Messages/__id\($0)__" }),
    (
      "long beginnings",
      {
        "Chats/tenant-0000-region-eu-\($0 % 40)/Messages/message-0000-\(100_000 + $0)"
      }
    ),
    ("days", { "Chats/2026-01-0\(1 + $0 % 5)/Messages/\(id(random: $0))" }),
    ("one document each", { "Chats/\(id(random: $0))/Messages/data" }),
    ("numbers in a row", { "Chats/\($0 / 7)/Messages/\($0 % 7)" }),
    (
      "tokens of devices",
      {
        "Chats/\(id(random: $0 / 12))/Devices/\($0 % 3)/Messages/\(id(random: $0))"
      }
    ),
    (
      "deep",
      {
        "Chats/a/Rooms/b/Threads/\(id(random: $0 % 300))/Replies/\(id(random: $0 % 3000))/Messages/\($0)"
      }
    ),
    (
      "groups of groups",
      {
        "Chats/\($0 % 3)/Rooms/\($0 % 6)/Threads/\(id(random: $0 % 1200))/Messages/\(id(random: $0))"
      }
    ),
  ]

  @Test(arguments: trees.indices)
  func `paths below a pattern are split into parts of like size`(tree: Int) async throws {
    let (name, path) = Self.trees[tree]
    var group = Self.filtered(try Self.complete(try #require(ParentPattern("Chats/*")?.bounds)))
    group.from[0] = .init(collectionId: "Messages", allDescendants: true)
    let paths = (0..<12_800).map(path).sorted { NameOrder.compare($0, $1) < 0 }
    for (parts, offered) in [(8, 0), (64, 3)] {
      let port = NamesPort(paths, points: (0..<offered).map { paths[12_000 + $0 * 100] })
      let points = try await splitPoints(port, parts: parts, of: group)
      let sizes = port.sizes(splitAt: points.map { NamesPort.root + $0 })
      #expect((sizes.max() ?? 0) * parts <= 2 * 12_800, "\(name): \(sizes)")
    }
  }

  @Test func `beginnings are known to be alike as far as an end says`() {
    let first = PathKey(path: "Chats/m-1/Messages/7")
    for count in 1...first.scalars.count
    where !"/".unicodeScalars.contains(first.scalars[count - 1]) {
      let end = first.end(ofPrefix: count)
      #expect(end.map(first.shared) == count)
    }
    #expect(first.shared(upTo: PathKey(path: "Chats/m-3/Messages/7")) == 8)
    #expect(first.shared(upTo: .end) == 0)
    var numbers = KeyAlphabet()
    let (low, high) = (PathKey(path: "A/__id3__/B/__id1__"), PathKey(path: "A/__id3__/B/__id9__"))
    numbers.learn(low)
    let middle = numbers.middle(of: low, high)
    #expect(middle?.path(isBelowCollection: false)?.hasPrefix("A/__id3__/B/__id") == true)
    #expect(middle?.scalars.count == low.scalars.count)
  }

  @Test func `documents in one far corner of many are found for a bounded price`() async throws {
    let port = NamesPort(
      (0..<40_000).map {
        "Users/\($0 % 20 == 0 ? "" : "m-customer-of-the-shop-number-")\(Self.id(random: $0))"
      })
    let found = try await splitPoints(port, parts: 16)
    let sizes = port.sizes(splitAt: found.map { NamesPort.root + $0 })
    #expect((sizes.max() ?? 0) * 16 <= 2 * 40_000, "\(sizes)")
  }

  /// Documents of a part, those that lie before the one probed, and the reads of knowing that.
  ///
  /// A read for each 1,000 of the first eighth, and of those from the one probed on. Of a part
  /// whose eighth is less than a read, all before it are counted.
  @Test(arguments: [
    (16_000, 1_999, 2), (16_000, 2_000, 2 + 14), (16_000, 2_001, 2 + 14), (16_000, 14_000, 2 + 2),
    (16_000, 14_001, 2 + 2), (8_000, 7_000, 1 + 1), (7_999, 7_000, 7),
  ])
  func `of a large part the smaller side is counted`(
    count: Int, before: Int, reads: Int
  ) async throws {
    let port = NamesPort((0..<count).map { "Users/\(100_000 + $0)" })
    let meter = ReadBudgetMeter()
    let source = try #require(SplitPointSource(Self.users, under: nil))
    let bisection = KeyRanges.Bisection(
      index: 0, name: nil, count: count, middle: PathKey(path: ""), alike: nil, next: nil)
    let name = NamesPort.root + "Users/\(100_000 + before)"
    let counted = try await SplitPointSearch(port: port, reads: meter)
      .countBefore(name, in: bisection, of: source)
    #expect(counted == before && meter.spent == reads)
  }

  /// The filter with full names instead of paths.
  private static func complete(_ filter: StructuredQuery.Filter) throws -> StructuredQuery.Filter {
    switch filter {
    case .field(let field, let comparison, .reference(let path)):
      .field(field, comparison, .reference(NamesPort.root + path))
    case .composite(let operation, let filters):
      .composite(operation, try filters.map(complete))
    case .field, .unary: filter
    }
  }

  @Test func `a query in another order, or for one part, is not probed`() async throws {
    let port = NamesPort(["Users/a"], points: ["Users/a"])
    var recent = Self.users
    recent.orderBy.insert(.init(field: FieldPath(segments: ["seen"])), at: 0)
    #expect(try await splitPoints(port, parts: 4, of: recent).isEmpty)
    #expect(try await splitPoints(port, parts: 1).isEmpty)
    #expect(port.probes == 0)
  }

  @Test(arguments: [0, 1, 3, 4, 5, 20, 60])
  func `a budget ends the search, never the load`(limit: Int) async throws {
    let reads = ReadBudgetMeter(limit)
    let port = NamesPort((0..<3_000).map { "Users/\(Self.id(random: $0))" })
    _ = try await splitPoints(port, parts: 8, reads: reads)
    #expect(reads.spent <= limit)
  }

  @Test func `keys are in Firestore's order, and come back as paths`() {
    let paths = [
      "a", "a/b/c", "a!", "B", "é", "日本", "🦉", "__id-5__", "__id7__", "__id70__", "\u{1}",
    ]
    let names = paths.sorted { NameOrder.compare($0, $1) < 0 }
    #expect(paths.map { PathKey(path: $0) }.sorted() == names.map { PathKey(path: $0) })
    for path in paths where !path.contains("/") {
      #expect(PathKey(path: path).path(isBelowCollection: true) == path)
    }
    #expect(PathKey(path: "a/b/c").path(isBelowCollection: false) == "a/b/c/0")
    #expect(PathKey(path: "a").path(isBelowCollection: false) == "a/0")
    // Of a made up number the next one is meant that is there: 0 is 9,223,372,036,854,775,808.
    for (number, id) in [("5818", 10), ("5818x", 11), ("581x", 12), ("58x", 92)] {
      let scalars = "\0" + "0922337203685477" + number
      let key = PathKey(scalars: Array(scalars.unicodeScalars))
      #expect(key.path(isBelowCollection: true) == "__id\(id)__")
    }
    #expect(PathKey(path: "").path(isBelowCollection: true) == nil)
    #expect(PathKey(path: "..").path(isBelowCollection: true) == nil)
    #expect(PathKey(path: "az").end(ofPrefix: 2) == PathKey(path: "a{"))
    #expect(PathKey(path: "a.").end(ofPrefix: 2) == PathKey(path: "a0"))
    #expect(PathKey(path: "a").end(ofPrefix: 0) == nil)
    #expect(PathKey(path: "\u{D7FF}").end(ofPrefix: 1) == PathKey(path: "\u{E000}"))
    #expect(PathKey(path: "\u{10FFFF}").end(ofPrefix: 1) == nil)
  }
}
