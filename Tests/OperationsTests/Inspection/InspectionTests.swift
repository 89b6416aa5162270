import Emulator
import Firestore
import Fixtures
import Foundation
import JobsTesting
import Model
import Platform
import Store
import Sync
import SyncTesting
import Synchronization
import Testing

@testable import CollectionMapping
@testable import Jobs
@testable import Operations
@testable import Workspace

/// Inspections of databases that hold what real ones do.
@Suite struct InspectionTests {
  private typealias Fields = [String: Value]

  private static let shop: [String: Fields] = [
    "Orders/o1": ["total": .double(1), "items": .array([.map(["sku": .string("x")])])],
    "Orders/o2": ["total": .null], "Orders/o1/Notes/n1": ["text": .string("x")],
    "Orders/o1/Notes/n1/Pictures/p1": ["url": .string("x")],
    "Orders/o1/Notes/n1/Pictures/p1/Deep/d": [:],
    // The chat itself does not exist.
    "Chats/c1/Messages/m1": ["text": .string("hi")], "Chats/c2/Messages/m2": [:],
    "Rooms/r1": [:], "Rooms/r1/Messages/m3": ["text": .string("ho")],
    "ödd name!/ä": ["x": .integer(1)],
  ]

  @Test(arguments: Backend.present)
  func `collections are found on every level, also below documents that do not exist`(
    backend: Backend
  ) async throws {
    let (findings, _, _) = try await inspected(Self.shop, InspectionRequest(), on: backend)
    #expect(findings.stop == nil)
    let found = findings.collections
    #expect(
      found.map { "\($0.name)\($0.source.isGroup ? "*" : "")" } == [
        "Chats", "Orders", "Rooms", "ödd name!", "Messages*", "Notes*", "Pictures*", "Deep*",
      ])
    #expect(found.map(\.count) == [0, 2, 1, 1, 3, 1, 1, 1])
    #expect(found.map(\.documentsBelow) == [2, 3, 1, 0, nil, nil, nil, nil])
    #expect(findings.isComplete)
    let chats = try #require(found.first)
    #expect(
      chats.hasMissingParents && chats.subcollections == [.init(id: "Messages", documents: 2)])
    #expect(found[4].places == ["Chats/*/Messages", "Rooms/*/Messages"])
    #expect(found[6].places == ["Orders/*/Notes/*/Pictures"])
    #expect(
      found[1].profile.fields.map(\.path.description) == [
        "items", "items[]", "items[].sku", "total",
      ])
  }

  @Test(arguments: [(1, 4), (2, 6), (3, 7), (4, 8)])
  func `the depth bounds the levels`(depth: Int, collections: Int) async throws {
    let (findings, _, _) = try await inspected(Self.shop, InspectionRequest(depth: depth))
    #expect(findings.collections.count == collections)
  }

  @Test func `no parents, no subcollections`() async throws {
    let (findings, _, _) = try await inspected(Self.shop, InspectionRequest(parentCount: 0))
    #expect(findings.collections.count == 4)
  }

  @Test(arguments: Backend.present)
  func `301 collections are listed page by page`(backend: Backend) async throws {
    let many = Dictionary(uniqueKeysWithValues: (0..<301).map { ("c\($0)/d", Fields()) })
    let (findings, _, _) = try await inspected(many, InspectionRequest(depth: 1), on: backend)
    #expect(findings.collections.count == 301)
  }

  @Test(arguments: [(100, 100), (101, 100), (7, 7)])
  func `a sample has no document twice, and as many as it may`(
    documents: Int, sampled: Int
  ) async throws {
    let letters = Array("0AGWmz")
    let many = Dictionary(
      uniqueKeysWithValues: (0..<documents).map {
        ("C/\(letters[$0 % letters.count])\($0)", ["k\($0)": Value.integer(1)])
      })
    let (findings, _, _) = try await inspected(many, InspectionRequest(sampleSize: 100, depth: 1))
    let profile = try #require(findings.collections.first?.profile)
    #expect(profile.documentCount == sampled)
    #expect(profile.fields.map(\.present).reduce(0, +) == sampled)
  }

  @Test func `ids that all begin alike are sampled in full, too`() async throws {
    let many = Dictionary(uniqueKeysWithValues: (0..<150).map { ("C/170\($0)", Fields()) })
    let (findings, _, _) = try await inspected(many, InspectionRequest(depth: 1))
    #expect(findings.collections.first?.profile.documentCount == 100)
  }

  @Test func `a named collection is inspected alone, and a missing one is an error`() async throws {
    let (findings, _, _) = try await inspected(
      Self.shop, InspectionRequest(["Orders/o1/Notes", "Rooms"], depth: 1))
    #expect(findings.collections.map(\.name) == ["Orders/o1/Notes", "Rooms"])
    let error = await #expect(throws: WorkspaceError.self) {
      _ = try await inspected(Self.shop, InspectionRequest(["Oders"]))
    }
    #expect(
      error?.description == "There is no collection Oders; similar names: Orders.")
  }

  @Test func `a budget is never exceeded, and what was found before its end stays`() async throws {
    let (whole, needed, run) = try await inspected(Self.shop, InspectionRequest())
    #expect(whole.stop == nil && run?.outcome == .ok)
    for reads in 1..<needed {
      let (part, spent, _) = try await inspected(Self.shop, InspectionRequest(), maxReads: reads)
      // A request that may find less can do with less.
      #expect(part.stop?.category == .tryLater || part.isComplete, "\(reads)")
      #expect(part.stop != nil || reads > needed - 10, "\(reads)")
      #expect(part.collections.count <= whole.collections.count)
      #expect(spent <= reads)
    }
  }

  @Test func `an empty database has no collections`() async throws {
    let (findings, _, _) = try await inspected([:], InspectionRequest())
    #expect(findings.collections.isEmpty && findings.stop == nil)
  }

  @Test(arguments: [nil, "before"], [false, true])
  func `what a killed inspection has left of a draft goes with the next one`(
    before: String?, overwrites: Bool
  ) throws {
    let workspace = try TestWorkspace(jobs: before.map { ["orders": $0] } ?? [:])
    let dead = try Process.run(URL(filePath: "/bin/true"), arguments: [])
    dead.waitUntilExit()
    let writer = DraftWriter(process: dead.processIdentifier)
    try workspace.write("half", to: "jobs/.orders.yml.\(writer).2a.tmp")
    var collection = InspectedCollection(source: CollectionSource(collectionId: "Orders"), level: 1)
    collection.count = 1
    let catalog = JobFiles.catalog(of: [])
    var taken = TakenNames(catalog)
    let draft = JobDraft(collection, besides: &taken, price: .example, day: "2026-01-31")
    _ = try draft.write(to: workspace.folder, catalog, of: collection, overwrites: overwrites)
    let folder = workspace.folder.path("jobs")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["orders.yml"])
    let text = try String(contentsOfFile: "\(folder)/orders.yml", encoding: .utf8)
    #expect(text == (overwrites ? draft.text : before ?? draft.text))
  }

  @Test func `a drafted file is kept, then replaced when told, and a copied collection has none`()
    async throws
  {
    let workspace = try TestWorkspace(jobs: [
      "mine": "kind: sync-collection\ncollection: Rooms\n"
    ])
    let catalog = try workspace.folder.jobs()
    func write(_ id: String, overwrites: Bool = false) throws -> JobDraft.Outcome {
      var collection = InspectedCollection(source: CollectionSource(collectionId: id), level: 1)
      collection.count = 1
      var taken = TakenNames(catalog)
      let draft = JobDraft(
        collection, besides: &taken, price: .example, day: "2026-01-31")
      return try draft.write(
        to: workspace.folder, catalog, of: collection, overwrites: overwrites
      ).outcome
    }
    #expect(try write("Orders") == .written)
    #expect(try write("Orders") == .kept)
    #expect(try write("Orders", overwrites: true) == .replaced)
    #expect(try write("Rooms", overwrites: true) == .copied)
    #expect(try workspace.folder.jobs().error == nil)
    #expect(try workspace.folder.jobs().jobs.map(\.name) == ["mine", "orders"])
  }
}
