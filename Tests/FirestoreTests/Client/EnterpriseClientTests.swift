import Fixtures
import Model
import Testing

@testable import Firestore

/// What the client makes of an Enterprise database; see `docs/editions.md`.
@Suite struct EnterpriseClientTests {
  static let root = "projects/demo/databases/(default)"
  static let once = RetryPolicy(attemptLimit: 1, random: { 0.5 })

  static func query(
    _ field: String? = nil, filter: StructuredQuery.Filter? = nil, select: [FieldPath]? = nil
  ) -> StructuredQuery {
    StructuredQuery(
      from: [.init(collectionId: "C")], select: select, filter: filter,
      orderBy: [
        field.map { .init(field: FieldPath(segments: [$0])) }, .init(field: .documentName),
      ].compactMap(\.self))
  }

  /// Documents `C/1000` and on, each of `bytes` bytes as Firestore counts them.
  static func page(_ count: Int, bytes: Int) -> ScriptedAnswer {
    let documents = (0..<count).map { number -> String in
      // 32 for the document, 23 for its name, 10 for n, 3 for t without its letters.
      let text = String(repeating: "x", count: bytes - 68)
      return """
        {"document":{"name":"\(root)/documents/C/\(1_000 + number)",\
        "fields":{"n":{"integerValue":"\(number)"},"t":{"stringValue":"\(text)"}}},\
        "readTime":"2026-01-31T08:00:00Z"}
        """
    }
    let end = #"{"readTime":"2026-01-31T08:00:00Z"}"#
    return .json("[\((documents + [end]).joined(separator: ","))]")
  }

  static func count(_ count: Int) -> ScriptedAnswer {
    .json(
      """
      [{"result":{"aggregateFields":{"count":{"integerValue":"\(count)"}}},\
      "readTime":"2026-01-31T08:00:00Z"}]
      """)
  }

  private static func index(_ fields: String, state: String = "READY") -> ScriptedAnswer {
    .json(
      """
      {"indexes":[{"name":"\(root)/collectionGroups/C/indexes/1","queryScope":"COLLECTION",\
      "fields":[\(fields)],"state":"\(state)","density":"DENSE"}]}
      """)
  }

  private func enterprise(_ answers: ScriptedAnswer...) throws -> Stage {
    let stage = try Stage(answers, retry: Self.once)
    stage.client.learn(.enterprise)
    return stage
  }

  @Test func `the database says what it is`() async throws {
    let stage = try Stage(
      .json(
        """
        {"name":"\(Self.root)","locationId":"nam5","databaseEdition":"ENTERPRISE",\
        "pointInTimeRecoveryEnablement":"POINT_IN_TIME_RECOVERY_ENABLED",\
        "deleteProtectionState":"DELETE_PROTECTION_DISABLED","freeTier":true,\
        "firestoreDataAccessMode":"DATA_ACCESS_MODE_ENABLED",\
        "mongodbCompatibleDataAccessMode":"DATA_ACCESS_MODE_DISABLED",\
        "realtimeUpdatesMode":"REALTIME_UPDATES_MODE_UNSPECIFIED"}
        """))
    let facts = try #require(try await stage.client.databaseFacts())
    var expected = DatabaseFacts(edition: .enterprise)
    (expected.location, expected.pointInTimeRecovery) = ("nam5", true)
    (expected.deleteProtection, expected.freeTier) = (false, true)
    (expected.firestoreAccess, expected.mongodbAccess) = (true, false)
    #expect(facts == expected)
    #expect(stage.client.edition == .enterprise)
    #expect(stage.client.traffic.billedReadCount == 0)
    #expect(stage.server.requests.first?.target.hasPrefix("/v1/projects/demo/databases/") == true)
  }

  @Test(arguments: [#""databaseEdition":"STANDARD","#, #""databaseEdition":"LATER","#, ""])
  func `every other edition is Standard`(member: String) async throws {
    let stage = try Stage(.json(#"{\#(member)"name":"\#(Self.root)"}"#))
    #expect(try await stage.client.databaseFacts() == DatabaseFacts(edition: .standard))
  }

  @Test(arguments: [
    (ScriptedAnswer.error(.unimplemented, EditionRules.refusal(of: "PartitionQuery")), true),
    (.error(.failedPrecondition, EditionRules.refusal(of: "PartitionQuery")), true),
    (.error(.unimplemented, "no such method"), false),
  ])
  func `who cannot split is asked once, and tells its edition`(
    answer: ScriptedAnswer, isEnterprise: Bool
  ) async throws {
    let stage = try Stage([answer, answer], retry: Self.once)
    for _ in 0..<2 {
      #expect(try await stage.client.partitionPoints(of: Self.query(), count: 3).isEmpty)
    }
    #expect(stage.client.edition == (isEnterprise ? .enterprise : .standard))
    #expect(stage.server.requests.count == (isEnterprise ? 1 : 2))
  }

  @Test func `explain is unknown, and missing documents are not listed`() async throws {
    let stage = try Stage(
      [
        .error(.invalidArgument, EditionRules.explainRefusal),
        .json(#"{"documents":[{"name":"\#(Self.root)/documents/C/a"}]}"#),
      ], retry: Self.once)
    #expect(try await stage.client.explain(Self.query()) == nil)
    #expect(stage.client.edition == .enterprise)
    #expect(try await stage.client.explain(Self.query()) == nil)
    let ids = try await stage.client.documentIds(
      in: try stage.root.appending(path: "C"), count: 5)
    #expect(ids == ["a"])
    let targets = stage.server.requests.map(\.target)
    #expect(targets.count == 2 && targets.allSatisfy { !$0.contains("showMissing") })
  }

  @Test func `a refused list of missing documents is asked for without them`() async throws {
    let stage = try Stage(
      [
        .error(.unimplemented, EditionRules.refusal(of: "showMissing")),
        .json(#"{"documents":[{"name":"\#(Self.root)/documents/C/a"}]}"#),
      ], retry: Self.once)
    let ids = try await stage.client.documentIds(
      in: try stage.root.appending(path: "C"), count: 5)
    #expect(ids == ["a"])
    #expect(stage.server.requests.map { $0.target.contains("showMissing") } == [true, false])
  }

  @Test func `documents by name are scanned, and bill their bytes`() async throws {
    let standard = try Stage(Self.page(100, bytes: 1_024))
    _ = try await standard.client.runQuery(Self.query())
    #expect(standard.client.traffic.billedReadCount == 100)
    let stage = try enterprise(
      Self.page(100, bytes: 1_024), Self.page(100, bytes: 1_025), Self.page(0, bytes: 100))
    for units in [25, 26, 1] {
      let before = stage.client.traffic.billedReadCount
      _ = try await stage.client.runQuery(Self.query())
      #expect(stage.client.traffic.billedReadCount - before == units)
    }
  }

  @Test(arguments: [
    #"{"fieldPath":"n","order":"ASCENDING"}"#,
    #"{"fieldPath":"n","order":"ASCENDING"},{"fieldPath":"__name__","order":"ASCENDING"}"#,
  ])
  func `by an index each document is looked up`(fields: String) async throws {
    let stage = try enterprise(Self.index(fields), Self.page(128, bytes: 1_024))
    #expect(try await stage.client.access(of: Self.query("n"), under: nil, upTo: nil) == .index)
    _ = try await stage.client.runQuery(Self.query("n"))
    // 32, 23 for the name and 8 for n are 63 bytes an entry: 2 units.
    #expect(stage.client.traffic.billedReadCount == 130)
  }

  @Test(arguments: [
    Self.index(#"{"fieldPath":"n","order":"DESCENDING"}"#),
    Self.index(#"{"fieldPath":"n","order":"ASCENDING"},{"fieldPath":"m","order":"ASCENDING"}"#),
    Self.index(#"{"fieldPath":"n","order":"ASCENDING"}"#, state: "CREATING"),
    Self.index(#"{"fieldPath":"n","vectorConfig":{"dimension":3}}"#),
    .error(.permissionDenied), .json("{}"),
  ])
  func `without an index each request scans the collection`(
    indexes: ScriptedAnswer
  ) async throws {
    let stage = try enterprise(
      indexes, Self.page(10, bytes: 2_048), Self.count(1_000), Self.page(90, bytes: 2_048),
      Self.page(10, bytes: 2_048), Self.page(0, bytes: 100))
    let access = QueryAccess.scan(bytes: 2_048_000)
    #expect(try await stage.client.access(of: Self.query("n"), under: nil, upTo: nil) == access)
    // 8 for the count, 5 and 45 for the sample.
    #expect(stage.client.traffic.billedReadCount == 58)
    for _ in 0..<2 { _ = try await stage.client.runQuery(Self.query("n")) }
    #expect(stage.client.traffic.billedReadCount == 58 + 2 * 500)
  }

  @Test func `a filter by name passes over the collection once`() async throws {
    let stage = try enterprise(
      .json("{}"), Self.page(9, bytes: 1_024), Self.count(3))
    let filter = StructuredQuery.Filter.field(FieldPath(segments: ["n"]), .equal, .integer(1))
    let query = Self.query(filter: filter)
    #expect(try await stage.client.access(of: query, under: nil, upTo: nil) == .pass(bytes: 9_216))
    let before = stage.client.traffic.billedReadCount
    #expect(try await stage.client.count(of: query) == 3)
    #expect(stage.client.traffic.billedReadCount - before == 3)
  }

  @Test func `every query has an explicit order`() async throws {
    let stage = try enterprise(
      .json("{}"), Self.page(0, bytes: 100), Self.page(0, bytes: 100))
    let filter = StructuredQuery.Filter.field(FieldPath(segments: ["n"]), .lessThan, .integer(1))
    _ = try await stage.client.runQuery(
      StructuredQuery(from: [.init(collectionId: "C")], filter: filter))
    let body = String(decoding: stage.server.requests[2].body, as: UTF8.self)
    #expect(
      body.contains(
        """
        "orderBy":[{"direction":"ASCENDING","field":{"fieldPath":"n"}},\
        {"direction":"ASCENDING","field":{"fieldPath":"__name__"}}]
        """), "\(body)")
    let standard = try Stage(Self.page(0, bytes: 100))
    _ = try await standard.client.runQuery(StructuredQuery(from: [.init(collectionId: "C")]))
    #expect(!String(decoding: standard.server.requests[0].body, as: UTF8.self).contains("orderBy"))
  }

  @Test(arguments: [(1, 1), (128, 1), (129, 2), (1_000, 8)])
  func `a count bills 32 bytes a document`(documents: Int, units: Int) async throws {
    let stage = try enterprise(Self.count(documents))
    #expect(try await stage.client.count(of: Self.query()) == documents)
    #expect(stage.client.traffic.billedReadCount == units)
  }

  @Test func `a document that is asked for by name is a unit for each 4 KiB`() async throws {
    let text = String(repeating: "x", count: 5_000)
    let stage = try enterprise(
      .json(
        #"{"name":"\#(Self.root)/documents/C/a","fields":{"t":{"stringValue":"\#(text)"}}}"#),
      .error(.notFound, "Document not found"))
    _ = try await stage.client.document(at: "C/a")
    #expect(stage.client.traffic.billedReadCount == 2)
    _ = try await stage.client.document(at: "C/b")
    #expect(stage.client.traffic.billedReadCount == 3)
  }

  @Test func `names alone count 32 bytes each`() async throws {
    let stage = try enterprise(Self.page(129, bytes: 100))
    _ = try await stage.client.runQuery(Self.query(select: [.documentName]))
    #expect(stage.client.traffic.billedReadCount == 2)
  }

  @Test func `an index entry has a density and the name, and no field an override`() {
    let index = QueryIndex.serving(Self.query("n"))[0]
    let text = String(
      decoding: QueryIndex.file(of: [index], in: FirestoreEdition.enterprise.rules).serialized(),
      as: UTF8.self)
    #expect(
      text == """
        {"fieldOverrides":[],"indexes":[{"collectionGroup":"C","density":"DENSE","fields":[\
        {"fieldPath":"n","order":"ASCENDING"},{"fieldPath":"__name__","order":"ASCENDING"}],\
        "queryScope":"COLLECTION"}]}
        """)
    #expect(index.isManual(in: FirestoreEdition.enterprise.rules))
    #expect(!index.isManual(in: FirestoreEdition.standard.rules))
    #expect(!QueryIndex.serving(Self.query())[0].isManual(in: FirestoreEdition.enterprise.rules))
  }
}
