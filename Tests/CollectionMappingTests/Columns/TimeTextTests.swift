import Firestore
import Fixtures
import Model
import StoreTesting
import SyncTesting
import Testing

@testable import CollectionMapping
@testable import Store
@testable import Sync

/// Times as texts sort as the times do; docs/jobs/sync-collection.md#another-form.
@Suite struct TimeTextTests {
  private let workspace: TemporaryStore

  init() throws {
    workspace = try TemporaryStore()
  }

  private static let second = Instant.morning.unixSeconds * 1_000_000
  private static let fractions: [Int64] = [0, 1, 500_000, 999_999, 1_000_000]
  private static let documents: [String: [String: Value]] = Dictionary(
    uniqueKeysWithValues: fractions.enumerated().map { place, fraction in
      let time = Value.timestamp(Timestamp(microseconds: second + fraction))
      return ("Shops/s\(place)", ["at": time, "map": .map(["at": time])])
    })

  private func request(_ columns: [MappedColumn]) -> CollectionPullRequest {
    CollectionPullRequest(
      source: CollectionSource(collectionId: "Shops"), tableName: "Shops", columns: columns,
      hasDocument: true, options: PullOptions(job: "shops", pageSize: 10, now: .morning))
  }

  private func columns() throws -> [MappedColumn] {
    func field(_ name: String, _ path: String, _ kind: MappedColumn.Kind, iso: Bool = false) throws
      -> MappedColumn
    {
      MappedColumn(
        name: name, source: .field(try ValuePath(parsing: path)), kind: kind,
        form: iso ? .iso : nil)
    }
    return [
      try field("iso", "at", .text, iso: true), try field("plain", "at", .text),
      try field("json", "at", .json), try field("plain_json", "map", .plainJSON),
      MappedColumn(name: "changed", source: .document(.updateTime), kind: .text),
    ]
  }

  @Test func `columns, JSON and documents have six digits, and sort`() async throws {
    let firestore = MemoryFirestore(Self.documents)
    _ = try await CollectionPull(port: firestore, store: workspace.store).run(
      request(try columns()))
    for value in [
      "iso", "plain", "json ->> '$.timestampValue'", "plain_json ->> '$.at'",
      "document ->> '$.fields.at.timestampValue'",
    ] {
      #expect(
        try workspace.texts("SELECT document_id FROM Shops ORDER BY \(value)")
          == ["s0", "s1", "s2", "s3", "s4"], "\(value)")
      #expect(
        try workspace.texts("SELECT \(value) FROM Shops ORDER BY 1 LIMIT 2")
          == ["2026-01-31T08:00:00.000000Z", "2026-01-31T08:00:00.000001Z"], "\(value)")
    }
    #expect(
      try workspace.texts("SELECT length(changed) || '' FROM Shops GROUP BY 1") == ["27"])
    #expect(
      try workspace.texts("SELECT length(document ->> '$.updateTime') || '' FROM Shops GROUP BY 1")
        == ["27"])
  }

  @Test func `rows of the last release get the digits where every value is a time`() async throws {
    let firestore = MemoryFirestore(Self.documents)
    let request = request(try columns())
    _ = try await CollectionPull(port: firestore, store: workspace.store).run(request)
    // As 0.2.0 wrote them.
    try workspace.store.write { writer in
      try writer.setMark(nil, named: "times of Shops sort as texts")
      for column in ["iso", "plain", "changed"] {
        try writer.run("UPDATE Shops SET \(column) = '2026-01-31T08:00:00.5Z' WHERE rowid % 3 = 0")
        try writer.run("UPDATE Shops SET \(column) = '2026-01-31T08:00:00Z' WHERE rowid % 3 = 1")
        try writer.run("UPDATE Shops SET \(column) = 'soon' WHERE rowid % 3 = 2")
      }
    }
    _ = try await CollectionPull(port: firestore, store: workspace.store).run(request)
    for column in ["iso", "plain", "changed"] {
      #expect(
        Set(try workspace.texts("SELECT \(column) FROM Shops ORDER BY rowid"))
          == ["2026-01-31T08:00:00.500000Z", "2026-01-31T08:00:00.000000Z", "soon"])
    }
    let mark = try workspace.store.read { try $0.mark(named: "times of Shops sort as texts") }
    #expect(mark == "yes")
  }
}
