import Firestore
import Fixtures
import JobsTesting
import Model
import Store
import Sync
import SyncTesting
import Testing

@testable import CollectionMapping
@testable import Jobs
@testable import Operations

/// What inspections find that the first documents of a collection do not show.
@Suite struct InspectionSearchTests {
  private typealias Fields = [String: Value]

  /// 300 documents of one kind, and then 1,200 of another.
  @Test(arguments: Backend.present)
  func `a sample sees what differs behind the first documents, in collections and in groups`(
    backend: Backend
  ) async throws {
    var documents: [String: Fields] = [:]
    for number in 0..<1_500 {
      let fields: Fields = number < 300 ? ["old": .null] : ["new": .null]
      documents["Users/user-\(10_000 + number)"] = fields
      documents["\(number < 300 ? "Chats" : "Rooms")/x/Messages/m\(10_000 + number)"] = fields
    }
    let (findings, reads, _) = try await inspected(documents, InspectionRequest(), on: backend)
    #expect(findings.collections.map(\.name) == ["Chats", "Rooms", "Users", "Messages"])
    for collection in findings.collections.suffix(2) {
      #expect(collection.profile.documentCount == 100)
      #expect(collection.profile.fields.map(\.path.description) == ["new", "old"])
      #expect(collection.profile.fields.allSatisfy { $0.missing > 0 })
    }
    #expect(findings.collections[3].places == ["Chats/*/Messages", "Rooms/*/Messages"])
    #expect(findings.notFound == 0)
    #expect(reads < 600)
  }

  /// Below a document with a colon in its id, of which one is a time.
  private static let colons: [String: Fields] = [
    "C/plain": [:], "C/c:o": [:], "C/c:o/S/s1": [:], "C/2026-01-31T10:00:00Z": [:],
    "C/2026-01-31T10:00:00Z/T/t": [:], "C/plain/S/s2": [:], "D/d": ["n": .integer(1)],
  ]

  @Test(arguments: Backend.present)
  func `ids with colons end no inspection, and what is below them is found`(
    backend: Backend
  ) async throws {
    let (findings, _, _) = try await inspected(Self.colons, InspectionRequest(), on: backend)
    #expect(findings.stop == nil && findings.isComplete)
    #expect(findings.collections.map(\.name).sorted() == ["C", "D", "S", "T"])
    #expect(findings.unlisted.isEmpty || findings.unlisted.allSatisfy { $0.contains(":") })
  }

  @Test(arguments: [true, false])
  func `documents whose collections cannot be listed are left out and named`(
    countsAll: Bool
  ) async throws {
    try await Backend.embedded.run("colons\(countsAll)") { client in
      try await client.put(Self.colons)
      let database = ProbedDatabase(client, countsAll: countsAll, losesColons: true)
      let findings = try await inspected(database, InspectionRequest())
      #expect(findings.unlisted == ["C/2026-01-31T10:00:00Z", "C/c:o"])
      #expect(findings.collections.first?.parentCount == 1)
      // Counts of all collections together prove that T is there.
      let names = findings.collections.map(\.name).sorted()
      #expect(names == (countsAll ? ["C", "D", "S", "T"] : ["C", "D", "S"]))
      #expect(findings.isComplete == countsAll)
      // Named with it, it is an error that says what to do.
      let error = await #expect(throws: FirestoreError.self) {
        _ = try await inspected(database, InspectionRequest(["C/c:o/S"]))
      }
      #expect(error?.reason == .colonInId)
      #expect(error?.description.contains("--group ID") == true)
      let group = try await inspected(database, InspectionRequest(["S"], isGroup: true))
      #expect(group.collections.map(\.count) == [2])
    }
  }

  @Test(arguments: Backend.present)
  func `subcollections of few, of missing and of deep documents are found`(
    backend: Backend
  ) async throws {
    var documents: [String: Fields] = [:]
    for number in 0..<400 { documents["Orders/o\(1_000 + number)"] = [:] }
    documents["Orders/o1234/Rare/r"] = [:]
    // A document that does not exist, between others that do.
    documents["Orders/o1234x/OfMissing/m"] = [:]
    documents["Orders/o1300/A/a/B/b/C/c/D/d"] = [:]
    // Of the same name as the collection that it is in.
    documents["Orders/o1301/Orders/inner"] = [:]
    let (findings, reads, _) = try await inspected(documents, InspectionRequest(), on: backend)
    #expect(findings.stop == nil && findings.notFound == 0 && findings.tooDeep.isEmpty)
    let groups = findings.collections.dropFirst()
    #expect(Set(groups.map(\.name)) == ["Rare", "OfMissing", "D", "Orders"])
    #expect(groups.first { $0.name == "D" }?.places == ["Orders/*/A/*/B/*/C/*/D"])
    #expect(findings.collections.first?.documentsBelow == 4)
    #expect(reads < 1_000)
    let (less, _, _) = try await inspected(
      documents, InspectionRequest(depth: 4), on: backend)
    #expect(less.tooDeep == ["D": ["Orders/*/A/*/B/*/C/*/D"]])
    #expect(less.notFound == 0)
  }

  @Test func `what was not looked at is unknown`() async throws {
    for request in [try InspectionRequest(parentCount: 0), try InspectionRequest(depth: 1)] {
      let (findings, _, _) = try await inspected(["Orders/o/Notes/n": [:]], request)
      #expect(findings.notFound == nil)
    }
  }

  @Test func `a server that counts no collections together is asked for missing documents`()
    async throws
  {
    let documents: [String: Fields] = [
      "Orders/o1": [:], "Orders/o2": [:], "Orders/ghost/Notes/n": [:],
    ]
    try await withServer { _, client in
      try await client.put(documents)
      let findings = try await inspected(
        ProbedDatabase(client, countsAll: false), try InspectionRequest())
      #expect(findings.collections.map(\.name) == ["Orders", "Notes"])
      #expect(findings.notFound == nil && findings.stop == nil)
    }
  }

  @Test(arguments: [999, 1_000, 1_001, 2_001])
  func `a count that needs more than its share of the reads is made again`(documents: Int)
    async throws
  {
    let many = Dictionary(uniqueKeysWithValues: (0..<documents).map { ("C/\($0)", Fields()) })
    // A sixteenth of these is one read, which counts a thousand.
    let (findings, _, _) = try await inspected(
      many, InspectionRequest(sampleSize: 1, depth: 1), maxReads: 31)
    #expect(findings.collections.map(\.count) == [documents])
  }

  @Test func `documents that no search finds are told, and the search ends`() async throws {
    try await withServer { _, client in
      try await client.put(
        Dictionary(uniqueKeysWithValues: (0..<100).map { ("Orders/o\($0)", Fields()) }))
      let before = client.traffic.billedReadCount
      let findings = try await inspected(
        ProbedDatabase(client, invisible: 5), try InspectionRequest())
      #expect(findings.notFound == 5 && !findings.isComplete)
      #expect(client.traffic.billedReadCount - before < 1_000)
    }
  }

  @Test(arguments: [["t", "t"], ["a", "b", "c", "a"]])
  func `page tokens in a circle end an inspection`(tokens: [String]) async throws {
    try await withServer { _, client in
      try await client.put(["Orders/o": Fields()])
      let database = ProbedDatabase(client, tokens: tokens)
      let error = await #expect(throws: FirestoreError.self) {
        try await inspected(database, try InspectionRequest())
      }
      #expect(error?.description.contains("the server repeats a page token") == true)
      #expect(database.pageCount == tokens.count)
    }
  }

  @Test func `a collection that grew since it was counted is searched to its end`() async throws {
    try await withServer { _, client in
      var documents = Dictionary(
        uniqueKeysWithValues: (0..<100).map { ("Orders/o\($0)", Fields()) })
      documents["Orders/zz/Rare/r"] = Fields()
      try await client.put(documents)
      let context = try TestWorkspace(jobs: [:]).context(
        at: ManualClock(start: .morning), services: ScriptedServices(client).services())
      for total in [31, 60, 101] {
        let found = try await AdHocReads.perform(for: "inspect", maxReads: 5_000, context) {
          reads in
          let search = try SubcollectionSearch(
            below: CollectionSource(collectionId: "Orders"), reads)
          return (try await search.find(of: total, besides: []), "Searched.")
        }
        #expect(total < 101 || found.contains { $0.hasSuffix("Orders/zz/Rare/r") })
      }
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `collections are asked side by side, eight at most`() async throws {
    try await withServer { _, client in
      try await client.put(
        Dictionary(uniqueKeysWithValues: (0..<22).map { ("C\($0)/d", Fields()) }))
      let database = ProbedDatabase(client, holdsCounts: true)
      let findings = try await inspected(database, try InspectionRequest(depth: 1))
      #expect(findings.collections.compactMap(\.count) == Array(repeating: 1, count: 22))
      #expect(database.most == 8)
    }
  }
}
