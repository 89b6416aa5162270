import Firestore
import Model
import Testing

@testable import Sync

/// The read units of a planned load; see `docs/editions.md#plan`.
@Suite struct ReadUnitPlanTests {
  private static func planned(
    by field: String? = nil, pageSize: Int = 100, most: Int? = nil
  ) -> PlannedQuery {
    PlannedQuery(
      query: StructuredQuery(
        from: [.init(collectionId: "C")],
        orderBy: [
          field.map { .init(field: FieldPath(segments: [$0])) }, .init(field: .documentName),
        ]
        .compactMap(\.self)), pageSize: pageSize, maxDocuments: most)
  }

  /// A document of so many bytes.
  private static func volume(_ bytes: Int) -> DocumentVolume {
    let text = String(repeating: "x", count: bytes - 58)
    let name = "projects/p/databases/d/documents/C/1000"
    return DocumentVolume(
      Document(name: name, fields: ["t": .string(text)]), planned(by: "t").query)
  }

  @Test(arguments: [
    // A full last page is followed by an empty one.
    (0, nil, 1), (99, nil, 25), (100, nil, 26), (250, nil, 63), (250, 100, 25), (250, 150, 38),
  ])
  func `pages by name bill their own documents`(documents: Int, most: Int?, units: Int) {
    let planned = Self.planned(most: most)
    let read = min(documents, most ?? .max)
    #expect(
      planned.readUnits(documents: read, like: [Self.volume(1_024)], by: .names) == units)
  }

  @Test func `without an index each page bills the collection`() {
    let planned = Self.planned(by: "n")
    let scan = QueryAccess.scan(bytes: 250 * 1_024)
    #expect(planned.readUnits(documents: 250, like: [Self.volume(1_024)], by: scan) == 3 * 63)
    #expect(planned.readUnits(documents: 200, like: [Self.volume(1_024)], by: scan) == 3 * 63)
    #expect(planned.readUnits(documents: 199, like: [Self.volume(1_024)], by: scan) == 2 * 63)
  }

  @Test func `all pages of a filter by name bill the collection once`() {
    let pass = QueryAccess.pass(bytes: 1_000 * 1_024)
    #expect(
      Self.planned().readUnits(documents: 3, like: [Self.volume(1_024)], by: pass) == 250)
  }

  @Test func `the sample stands for the rest, document by document`() {
    let sample = [Self.volume(4_096), Self.volume(8_192)]
    // Entries: 32, 23 for the name, 1 and the text.
    let entries = sample.map(\.entryBytes).reduce(0, +)
    #expect(entries == (4_096 - 58 + 56) + (8_192 - 58 + 56))
    #expect(Self.planned().readUnits(documents: 4, like: sample, by: .names) == 6)
    let scanned = (2 * entries + 4_095) / 4_096
    #expect(
      Self.planned(by: "t").readUnits(documents: 4, like: sample, by: .index) == 6 + scanned)
  }

  /// How a query of pages of 10 finds its documents, those of the collection, and whether its load
  /// scans them only once.
  static let scans: [(QueryAccess, Int, Bool)] = [
    (.scan(bytes: 9), 9, true), (.scan(bytes: 9), 10, false), (.scan(bytes: 9), 11, false),
    (.pass(bytes: 9), 11, true), (.names, 9, false), (.index, 9, false),
  ]

  @Test(arguments: scans)
  func `a scan is repeated once a page can be full`(
    access: QueryAccess, documents: Int, isOnce: Bool
  ) {
    #expect(Self.planned(pageSize: 10).scansOnce(documents, by: access) == isOnce)
  }

  @Test(arguments: [(1, 2, true), (2, 2, false), (3, 2, false)])
  func `an index is worth its while where the load becomes cheaper`(
    indexed: Int, scanning: Int, isWorthIt: Bool
  ) {
    let scan = QueryQuote.Scan(
      documents: 1, units: 1, isOnce: true, indexedUnits: indexed, indexes: [],
      loadUnits: scanning)
    #expect(scan.isWorthAnIndex == isWorthIt)
  }
}
