import Firestore
import Testing

@testable import Sync

/// Where samples come from.
@Suite struct SampleSpreadTests {
  private static let root = ResourceName(project: "p")

  /// Samples documents with these paths; returns the places of the samples in the order of the
  /// names, and the billed reads.
  private func sample(
    _ paths: [String], size: Int, of source: CollectionSource = CollectionSource(collectionId: "C")
  ) throws -> (places: [Int], reads: Int) {
    let names = paths.map { "\(Self.root)/\($0)" }.sorted { NameOrder.compare($0, $1) < 0 }
    let places = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
    var spread = try #require(
      SampleSpread(of: source, in: Self.root, size: size, documents: names.count))
    var found: [Int] = []
    var reads = 0
    while let request = spread.next() {
      switch request {
      case .count(let query, let most):
        let count = min(most, answer(query, names).count)
        reads += max(1, (count + 999) / 1_000)
        spread.count(count)
      case .documents(let query, let limit):
        let answer = Array(answer(query, names).prefix(limit))
        reads += max(1, answer.count)
        found += answer.compactMap { places[$0] }
        spread.add(answer, limit: limit)
      }
    }
    #expect(Set(found).count == found.count, "a document came twice")
    #expect(reads <= SampleSpread.mostReads(size: size, documents: names.count))
    return (found.sorted(), reads)
  }

  private func answer(_ query: StructuredQuery, _ names: [String]) -> [String] {
    names.filter { name in
      isBehind(name, query.startAt) && !isBehind(name, query.endAt, orEnd: false)
    }
  }

  private func isBehind(
    _ name: String, _ cursor: StructuredQuery.Cursor?, orEnd isOpen: Bool = true
  ) -> Bool {
    guard case .reference(let bound)? = cursor?.values.first else { return isOpen }
    let order = NameOrder.compare(name, bound)
    return cursor?.before == true ? order >= 0 : order > 0
  }

  /// Forms of ids, and how far apart two samples of 100 may be among 3,000 documents.
  private static let shapes: [(String, @Sendable (Int) -> String)] = [
    ("random", { SplitPointSearchTests.shapes[0].1($0) }), ("numbers", { "\($0)" }),
    ("padded", { "user-\(String(1_000_000 + $0).dropFirst())" }),
    ("numeric ids", { "__id\($0 * 7)__" }),
    ("days", { "2026-\(10 + $0 % 3)-\(10 + $0 % 18)T\($0)" }),
    ("a few, then many alike", { $0 < 600 ? "a\($0)" : "zz-2026-01-\(10_000 + $0)" }),
    ("many alike, then a few", { $0 < 2_400 ? "aa-2026-01-\(10_000 + $0)" : "z\($0)" }),
  ]

  @Test(arguments: shapes.indices, [3_000, 10_000])
  func `samples come from all over the names, whatever ids look like`(shape: Int, count: Int) throws
  {
    let (name, id) = Self.shapes[shape]
    let (places, _) = try sample((0..<count).map { "C/\(id($0))" }, size: 100)
    #expect(places.count == 100)
    let distances = zip([0] + places, places + [count - 1]).map { $1 - $0 }
    #expect((distances.max() ?? 0) <= (count == 3_000 ? 800 : count / 2), "\(name): \(places)")
  }

  @Test func `samples of a group come from many parents, and from each kind of them`() throws {
    let paths =
      (0..<1_000).map { "Chats/c\(100 + $0 / 20)/Messages/m\($0)" }
      + (0..<1_000).map { "Rooms/r/Messages/m\($0)" }
      + (0..<1_000).map { "Shops/s\($0)/Tables/t/Messages/m" }
    let (places, _) = try sample(
      paths, size: 100, of: CollectionSource(collectionId: "Messages", isGroup: true))
    #expect(places.count == 100)
    let parents = Set(places.filter { $0 < 1_000 }.map { $0 / 20 })
    #expect(parents.count >= 3)
    #expect(places.contains { (1_000..<2_000).contains($0) })
    #expect(places.contains { $0 >= 2_000 })
  }

  @Test(arguments: [0, 1, 99, 100, 101, 150, 199, 1_000], [1, 2, 10, 100])
  func `a sample is full, or has every document`(documents: Int, size: Int) throws {
    let (places, reads) = try sample((0..<documents).map { "C/\(1_000 + $0)" }, size: size)
    #expect(places.count == min(documents, size))
    if documents <= size { #expect(reads <= documents + 1) }
  }
}
