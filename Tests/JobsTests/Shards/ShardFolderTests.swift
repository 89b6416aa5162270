import Firestore
import Fixtures
import Foundation
import JobsTesting
import Model
import Store
import StoreTesting
import Sync
import SyncTesting
import Testing

@testable import Jobs

/// The files of shards: what is taken for finished, and what a gathering refuses.
@Suite struct ShardFolderTests {
  private let stage: ShardStage
  private let firestore = MemoryFirestore()

  init() throws {
    firestore.put(ShardStage.orders(0..<40))
    stage = try ShardStage(firestore)
  }

  private func path(_ name: String) -> String { stage.folder.path(of: name) }

  private func change(_ name: String, _ body: (inout Data) -> Void) throws {
    let url = URL(filePath: path(name))
    var data = try Data(contentsOf: url)
    body(&data)
    try data.write(to: url)
  }

  private func changeManifest(_ from: String, _ to: String) throws {
    try change("shard-0002.json") { data in
      data = Data(String(decoding: data, as: UTF8.self).replacing(from, with: to).utf8)
    }
  }

  /// What can be wrong with the second of four shards, and the status that it means.
  enum Flaw: String, CaseIterable, Sendable {
    case missing, noFile, cut, longer, damaged, foreign, otherShard, newerFormat, otherSchema
    case noJSON, doubled

    var category: JobsError.Category {
      switch self {
      case .missing, .noFile, .cut: .tryLater
      default: .badData
      }
    }
  }

  private func apply(_ flaw: Flaw, _ plan: StoredShardPlan) async throws {
    switch flaw {
    case .missing: try FileManager.default.removeItem(atPath: path("shard-0002.json"))
    case .noFile: try FileManager.default.removeItem(atPath: path("shard-0002.sqlite"))
    case .cut: try change("shard-0002.sqlite") { $0.removeLast() }
    case .longer: try change("shard-0002.sqlite") { $0.append(0) }
    case .damaged: try change("shard-0002.sqlite") { $0[$0.count - 1] ^= 1 }
    case .foreign: try changeManifest(plan.digest, String(plan.digest.reversed()))
    case .otherShard:
      for ending in ["json", "sqlite"] {
        let (from, to) = (path("shard-0003.\(ending)"), path("shard-0002.\(ending)"))
        try FileManager.default.removeItem(atPath: to)
        try FileManager.default.copyItem(atPath: from, toPath: to)
      }
    case .newerFormat: try changeManifest(#""format" : 1"#, #""format" : 2"#)
    case .otherSchema: try changeManifest(#""schema" : "#, #""schema" : 1"#)
    case .noJSON: try change("shard-0002.json") { $0 = Data("{".utf8) }
    case .doubled:
      let other = path("other")
      try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: false)
      for ending in ["json", "sqlite"] {
        try FileManager.default.copyItem(
          atPath: path("shard-0002.\(ending)"), toPath: "\(other)/shard-0002.\(ending)")
      }
    }
  }

  @Test(arguments: Flaw.allCases)
  func `a gathering refuses what is not whole, and changes nothing`(flaw: Flaw) async throws {
    let plan = try await stage.plan("orders", shards: 4)
    try await stage.runAll(plan)
    let before = try DataDump.text(of: stage.workspace.store)
    try await apply(flaw, plan)
    let folders = [stage.folder.path] + (flaw == .doubled ? [path("other")] : [])
    do {
      _ = try CheckedShards(plan, in: folders)
      Issue.record("\(flaw) was accepted")
    } catch let error as JobsError {
      #expect(error.category == flaw.category, "\(error)")
    }
    #expect(try DataDump.text(of: stage.workspace.store) == before)
  }

  @Test func `a shard of users has no secondary index`() async throws {
    firestore.put(["Users/u1234": .user("u1234", seenAgo: 60)])
    let plan = try await stage.plan("everyone", shards: 1)
    try await stage.run(1, of: plan)
    let names = try SQLiteFile.text(
      path("shard-0001.sqlite"),
      "SELECT name FROM sqlite_schema WHERE type = 'index' AND name LIKE 'index_OnlineUsers%'")
    #expect(names.isEmpty)
  }

  @Test func `a finished shard is not read again; one that lost its file is`() async throws {
    let plan = try await stage.plan("orders", shards: 2)
    let first = try await stage.run(2, of: plan)
    firestore.forgetCalls()
    #expect(try await stage.run(2, of: plan) == first)
    #expect(firestore.calls.isEmpty)
    try FileManager.default.removeItem(atPath: path("shard-0002.sqlite"))
    #expect(try await stage.run(2, of: plan).rows == first.rows)
    #expect(!firestore.calls.isEmpty)
  }

  @Test func `a shard that died before its manifest makes no request again`() async throws {
    let plan = try await stage.plan("orders", shards: 2)
    let first = try await stage.run(2, of: plan)
    try FileManager.default.removeItem(atPath: path("shard-0002.json"))
    firestore.forgetCalls()
    #expect(try await stage.run(2, of: plan).progress == first.progress)
    #expect(firestore.calls.isEmpty)
    // A file of another plan is not taken over.
    try FileManager.default.removeItem(atPath: path("shard-0002.json"))
    let other = try await stage.plan("orders", shards: 3, named: "other.json")
    #expect(try await stage.run(2, of: other).progress.documents < first.progress.documents)
    #expect(!firestore.calls.isEmpty)
  }

  @Test func `two attempts at once leave one valid file`() async throws {
    let plan = try await stage.plan("orders", shards: 2)
    let folder = stage.shards
    let (one, two) = (try folder.attempt(1, of: plan), try folder.attempt(1, of: plan))
    #expect(one.path != two.path)
    let manifests = [
      try await stage.perform(one, 1, of: plan), try await stage.perform(two, 1, of: plan),
    ]
    #expect(manifests[0] == manifests[1])
    try await stage.run(2, of: plan)
    _ = try CheckedShards(plan, in: [folder.path])
    #expect(
      !(try stage.folder.names().contains { $0.hasPrefix(".shard-0001.\(plan.digest.prefix(8))") }))
  }

  @Test func `a killed attempt goes on from its cursor, with the right counts`() async throws {
    let plan = try await stage.plan("orders", shards: 1)
    let whole = try await stage.run(1, of: plan, in: ShardFolder(path("whole")))
    let failing = FaultyDatabase(firestore)
    for call in 1... {
      failing.fail(atCall: 2, as: .transport)
      do {
        try await stage.run(
          1, of: plan, services: ScriptedServices(failing).services())
        break
      } catch is FirestoreError {
        #expect(call < 20)
      }
    }
    let manifest = try #require(try stage.shards.finished(1, of: plan))
    #expect(manifest.progress == whole.progress)
    #expect(manifest.rows == whole.rows)
  }

  @Test func `a snapshot that is too old has a status of its own, and leaves no attempt`()
    async throws
  {
    let plan = try await stage.plan("orders", shards: 2)
    let failing = FaultyDatabase(firestore)
    failing.fail(atCall: 1, as: .tooOld)
    let gone = JobsError.shards(.snapshotTooOld(readTime: plan.plan.readTime))
    await #expect(throws: gone) {
      try await stage.run(1, of: plan, services: ScriptedServices(failing).services())
    }
    #expect(gone.category == .inputGone)
    firestore.forgetCalls()
    // One microsecond before the end the server is asked, at the end it is not.
    await #expect(throws: gone) { try await stage.run(2, of: plan, at: plan.plan.expires) }
    #expect(firestore.calls.isEmpty)
    #expect(try stage.folder.names() == ["plan.json"])
    try await stage.run(2, of: plan, at: plan.plan.expires - .microseconds(1))
  }

  @Test func `another declaration, and a newer load, are refused`() async throws {
    let plan = try await stage.plan("orders", shards: 2)
    try await stage.runAll(plan)
    firestore.put(ShardStage.orders(40..<41))
    try await stage.workspace.run(.named(["orders"]))
    // A run without a snapshot behind it changes nothing about that.
    try stage.workspace.store.write { writer in
      _ = try writer.begin(
        Run(
          job: "orders", kind: "sync-collection", trigger: .manual, startedAt: .morning,
          outcome: .fresh))
    }
    await #expect {
      try await stage.gather(plan)
    } throws: { error in
      guard case JobsError.shards(.newerLoad) = error else { return false }
      return true
    }
    let next = try await stage.plan("orders", shards: 2, named: "next.json")
    try stage.workspace.write(
      "kind: sync-collection\ncollection: Orders\ncolumns: {total: total REAL}\n",
      to: "jobs/orders.yml")
    await #expect(throws: JobsError.shards(.otherDeclaration(job: "orders"))) {
      try await stage.run(1, of: next, in: ShardFolder(path("next")))
    }
  }

  @Test(arguments: [
    "kind: sync-collection\ncollection: Orders\norder_by: total\n",
    "kind: sync-collection\ncollection: Orders\nmax_documents: 5\n",
    "kind: sync-collection\ncollection: Orders\nwhere: [{field: total, op: '>', value: 3}]\n",
    "kind: sync-users\n", "kind: sync-users\nmax_documents: all\n", "kind: settle\n",
  ])
  func `jobs that names cannot cut are refused`(text: String) async throws {
    try stage.workspace.write(text, to: "jobs/orders.yml")
    await #expect {
      try await stage.plan("orders", shards: 2)
    } throws: { error in
      guard case JobsError.shards(.unsuitableJob) = error else { return false }
      return true
    }
  }

  @Test func `a plan beyond the read budget is not made`() async throws {
    let text = try #require(ShardStage.jobs["orders"])
    // 40 documents, and no empty page behind the last one.
    for (budget, isAllowed) in [(39, false), (40, true), (41, true)] {
      try stage.workspace.write("\(text)\nmax_reads: \(budget)\n", to: "jobs/orders.yml")
      let planned = try? await stage.plan("orders", shards: 1)
      #expect((planned != nil) == isAllowed, "\(budget)")
    }
  }
}
