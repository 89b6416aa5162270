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
@testable import Workspace

/// The files of shards: what is taken for finished, and what a gathering refuses.
@Suite struct ShardFilesTests {
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

  private func rename(_ from: String, _ to: String) throws {
    try FileManager.default.moveItem(atPath: path(from), toPath: path(to))
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

    var category: WorkspaceError.Category {
      switch self {
      case .missing, .noFile, .cut, .longer: .tryLater
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
      _ = try plan.shards(in: folders)
      Issue.record("\(flaw) was accepted")
    } catch let error as WorkspaceError {
      #expect(error.category == flaw.category, "\(error)")
      // Shards are run and exported as well.
      #expect(!"\(error)".contains("gathered"))
      let isTold = ["then run", ": use ", ": give ", ": run and ", ": leave "].contains {
        "\(error)".contains($0)
      }
      #expect(isTold || flaw.category == .tryLater, "\(error)")
    }
    #expect(try DataDump.text(of: stage.workspace.store) == before)
  }

  @Test func `a shard of more users than one commit takes has no secondary index`() async throws {
    let ids = (10_001...10_000 + Pull.documentsPerCommit + 8).map { "u\($0)" }
    firestore.put(
      Dictionary(uniqueKeysWithValues: ids.map { ("Users/\($0)", .user($0, seenAgo: 60)) }))
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

  @Test func `an attempt that begins as another ends takes its shard`() async throws {
    let plan = try await stage.plan("orders", shards: 2)
    #expect(try plan.files(ofShard: 1, in: stage.folder.path).finished() == nil)
    let first = try await stage.run(1, of: plan)
    firestore.forgetCalls()
    let late = try plan.files(ofShard: 1, in: stage.folder.path).attempt()
    #expect(try await late.perform(try stage.context(late.store)) == first)
    #expect(firestore.calls.isEmpty)
    let names = try FileManager.default.contentsOfDirectory(atPath: stage.folder.path)
    #expect(!names.contains { $0.hasPrefix(".shard") })
    #expect(try plan.files(ofShard: 1, in: stage.folder.path).finished() == first)
  }

  @Test(arguments: [(5, nil), (6, " and 1 more. Run them"), (4, nil)])
  func `five missing shards are named, others counted`(missing: Int, end: String?) async throws {
    let plan = try await stage.plan("orders", shards: 7)
    for number in 1...7 - missing { try await stage.run(number, of: plan) }
    let error = #expect(throws: WorkspaceError.self) {
      try plan.shards(in: [stage.folder.path])
    }
    let text = try #require(error).description
    #expect(text.contains(" more. ") == (end != nil))
    #expect(end.map(text.contains) ?? true)
  }

  @Test(arguments: [1, 4_096, 20_000])
  func `a shard that was cut is read anew, and so is one whose attempt was cut`(bytes: Int)
    async throws
  {
    let plan = try await stage.plan("orders", shards: 2)
    let first = try await stage.run(2, of: plan)
    try change("shard-0002.sqlite") { $0.removeLast(bytes) }
    firestore.forgetCalls()
    let again = try await stage.run(2, of: plan)
    #expect(again.rows == first.rows && again.progress == first.progress)
    #expect(!firestore.calls.isEmpty)
    // An attempt that lost pages is of no use, either.
    try rename("shard-0002.sqlite", ".shard-0002.sqlite")
    try change(".shard-0002.sqlite") { $0.removeLast(max(bytes, 4_096)) }
    #expect(try await stage.run(2, of: plan).rows == first.rows)
    try await stage.run(1, of: plan)
    _ = try plan.shards(in: [stage.folder.path])
  }

  @Test func `a damaged shard of the right size is told with what to do, which helps`()
    async throws
  {
    let plan = try await stage.plan("orders", shards: 2)
    try await stage.runAll(plan)
    try await apply(.damaged, plan)
    #expect {
      try plan.shards(in: [stage.folder.path])
    } throws: { error in
      "\(error)".hasSuffix(
        "shard-0002.sqlite does not have the SHA-256 of its manifest: remove both, then run the "
          + "shard again.")
    }
    for ending in ["sqlite", "json"] {
      try FileManager.default.removeItem(atPath: path("shard-0002.\(ending)"))
    }
    try await stage.run(2, of: plan)
    _ = try plan.shards(in: [stage.folder.path])
  }

  @Test func `a new manifest never lies beside an old file`() async throws {
    let plan = try await stage.plan("orders", shards: 2)
    let manifest = try await stage.run(1, of: plan)
    try change("shard-0001.sqlite") { $0.removeLast() }
    let attempt = try plan.files(ofShard: 1, in: stage.folder.path).attempt()
    // The folder stands in the way of the manifest, as a disk that is full.
    try FileManager.default.removeItem(atPath: path("shard-0001.json"))
    try FileManager.default.createDirectory(
      atPath: path("shard-0001.json"), withIntermediateDirectories: false)
    #expect(throws: WorkspaceError.self) { try attempt.finish(manifest) }
    #expect(
      try stage.folder.names().filter { $0.hasSuffix("shard-0001.sqlite") } == [
        ".shard-0001.sqlite"
      ])
  }

  @Test func `a shard that died before it took its name makes no request again`() async throws {
    let plan = try await stage.plan("orders", shards: 2)
    let first = try await stage.run(2, of: plan)
    for keepsManifest in [true, false] {
      try rename("shard-0002.sqlite", ".shard-0002.sqlite")
      if !keepsManifest { try FileManager.default.removeItem(atPath: path("shard-0002.json")) }
      firestore.forgetCalls()
      #expect(try await stage.run(2, of: plan).progress == first.progress)
      #expect(firestore.calls.isEmpty)
    }
    try await stage.run(1, of: plan)
    _ = try plan.shards(in: [stage.folder.path])
    // An attempt of another plan is not taken over.
    try rename("shard-0002.sqlite", ".shard-0002.sqlite")
    try FileManager.default.removeItem(atPath: path("shard-0002.json"))
    let other = try await stage.plan("orders", shards: 3, named: "other.json")
    #expect(
      try await stage.run(2, of: other).progress.counts.fetched < first.progress.counts.fetched)
    #expect(!firestore.calls.isEmpty)
  }

  @Test func `a second attempt at once is told to come later, and nothing stays of the first`()
    async throws
  {
    let plan = try await stage.plan("orders", shards: 2)
    let files = plan.files(ofShard: 1, in: stage.folder.path)
    do {
      let attempt = try files.attempt()
      #expect {
        try files.attempt()
      } throws: { error in
        WorkspaceError.isShards(
          error, .tryLater, "Another process reads shard 1 into \(stage.folder.path)")
      }
      // Another shard is not in the way.
      try await stage.run(2, of: plan)
      try attempt.store.close()
    }
    try await stage.run(1, of: plan)
    try await stage.gather(plan)
    #expect(try stage.folder.names().filter { $0.hasPrefix(".") } == [])
  }

  @Test func `a killed attempt goes on from its cursor, with the right counts`() async throws {
    let plan = try await stage.plan("orders", shards: 1)
    let whole = try await stage.run(1, of: plan, in: path("whole"))
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
    let manifest = try #require(try plan.files(ofShard: 1, in: stage.folder.path).finished())
    #expect(manifest.progress == whole.progress)
    #expect(manifest.rows == whole.rows)
  }

  @Test func `a snapshot that is too old has a status of its own, and leaves no attempt`()
    async throws
  {
    let plan = try await stage.plan("orders", shards: 2)
    let failing = FaultyDatabase(firestore)
    failing.fail(atCall: 1, as: .tooOld)
    let isGone = { (error: any Error) in
      WorkspaceError.isShards(error, .inputGone, "snapshot of \(plan.plan.readTime) is too old")
    }
    await #expect(
      performing: {
        try await stage.run(1, of: plan, services: ScriptedServices(failing).services())
      }, throws: isGone)
    firestore.forgetCalls()
    // One microsecond before the end the server is asked, at the end it is not.
    await #expect(
      performing: { try await stage.run(2, of: plan, at: plan.plan.expires) }, throws: isGone)
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
      WorkspaceError.isShards(error, .badData, "Nothing was gathered: 'orders' was loaded at")
    }
    let next = try await stage.plan("orders", shards: 2, named: "next.json")
    try stage.workspace.write(
      "kind: sync-collection\ncollection: Orders\ncolumns: {total: total REAL}\n",
      to: "jobs/orders.yml")
    await #expect {
      try await stage.run(1, of: next, in: path("next"))
    } throws: { error in
      WorkspaceError.isShards(
        error, .badData, "The job 'orders' of this workspace would store other rows")
    }
  }

  @Test(arguments: [
    "kind: sync-collection\ncollection: Orders\norder_by: total\n",
    "kind: sync-collection\ncollection: Orders\nmax_documents: 5\n",
    "kind: sync-collection\ncollection: Orders\nwhere: [{field: total, op: '>', value: 3}]\n",
    "kind: sync-users\n", "kind: sync-users\nmax_documents: all\n", "kind: settle\n",
  ])
  func `jobs that names cannot cut are refused`(text: String) async throws {
    let stage = try ShardStage(firestore, jobs: ["orders": text])
    await #expect {
      try await stage.plan("orders", shards: 2)
    } throws: { error in
      WorkspaceError.isShards(error, .badData, "cannot be loaded in shards")
    }
  }

  @Test func `a broken job file is told by its own problem`() async throws {
    let plan = try await stage.plan("orders", shards: 2)
    try stage.workspace.write("kind: sync-collection\nnonsense: 1\n", to: "jobs/orders.yml")
    let isBroken = { (error: any Error) in
      guard case WorkspaceError.jobFiles = error else { return false }
      return "\(error)".contains("nonsense")
    }
    await #expect(performing: { try await stage.run(1, of: plan) }, throws: isBroken)
    await #expect(performing: { try await stage.plan("orders", shards: 2) }, throws: isBroken)
    await #expect {
      try await stage.plan("order", shards: 2)
    } throws: { error in
      guard case WorkspaceError.unknownJob(_, "orders", ["everyone", "orders"]) = error else {
        return false
      }
      return true
    }
  }
}
