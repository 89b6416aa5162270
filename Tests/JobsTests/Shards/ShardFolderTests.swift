import Firestore
import Fixtures
import Foundation
import JobsTesting
import Model
import Store
import StoreTesting
import Sync
import SyncTesting
import Synchronization
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
    case noJSON, doubled, otherFile

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
    case .otherFile: try changeManifest("shard-0002.sqlite", "../shard-0002.sqlite")
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
      // Shards are run and exported as well.
      #expect(!"\(error)".contains("gathered"))
      let isTold = ["then run", ": use ", ": give ", ": run and ", ": leave "].contains {
        "\(error)".contains($0)
      }
      #expect(isTold || flaw.category == .tryLater, "\(error)")
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
    // Before its manifest, an attempt that lost pages is of no use, either.
    try FileManager.default.removeItem(atPath: path("shard-0002.json"))
    try change("shard-0002.sqlite") { $0.removeLast(max(bytes, 4_096)) }
    #expect(try await stage.run(2, of: plan).rows == first.rows)
    try await stage.run(1, of: plan)
    _ = try CheckedShards(plan, in: [stage.folder.path])
  }

  @Test func `a damaged shard of the right size is told with what to do, which helps`()
    async throws
  {
    let plan = try await stage.plan("orders", shards: 2)
    try await stage.runAll(plan)
    try await apply(.damaged, plan)
    #expect {
      try CheckedShards(plan, in: [stage.folder.path])
    } throws: { error in
      "\(error)".hasSuffix(
        "shard-0002.sqlite does not have the SHA-256 of its manifest: remove both, then run the "
          + "shard again.")
    }
    for ending in ["sqlite", "json"] {
      try FileManager.default.removeItem(atPath: path("shard-0002.\(ending)"))
    }
    try await stage.run(2, of: plan)
    _ = try CheckedShards(plan, in: [stage.folder.path])
  }

  @Test func `an old manifest never lies beside a new file`() async throws {
    let plan = try await stage.plan("orders", shards: 2)
    try await stage.run(1, of: plan)
    try FileManager.default.removeItem(atPath: path("shard-0001.sqlite"))
    let attempt = try stage.shards.attempt(1, of: plan)
    try attempt.store.sealShard()
    // What an attempt that dies between its two files leaves.
    try stage.shards.name(attempt, 1)
    #expect(try stage.folder.names().filter { $0.hasPrefix("shard-0001") } == ["shard-0001.sqlite"])
    attempt.lock.release()
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
    try await stage.gather(plan)
    #expect(try stage.folder.names().filter { $0.hasPrefix(".") } == [])
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
    let everyone = stage.workspace.folder.path("jobs/everyone.yml")
    try FileManager.default.removeItem(atPath: everyone)
    try stage.workspace.write(text, to: "jobs/orders.yml")
    await #expect {
      try await stage.plan("orders", shards: 2)
    } throws: { error in
      guard case JobsError.shards(.unsuitableJob) = error else { return false }
      return true
    }
  }

  @Test func `a broken job file is told by its own problem`() async throws {
    let plan = try await stage.plan("orders", shards: 2)
    try stage.workspace.write("kind: sync-collection\nnonsense: 1\n", to: "jobs/orders.yml")
    let isBroken = { (error: any Error) in
      guard case JobsError.jobFiles = error else { return false }
      return "\(error)".contains("nonsense")
    }
    await #expect(performing: { try await stage.run(1, of: plan) }, throws: isBroken)
    await #expect(performing: { try await stage.plan("orders", shards: 2) }, throws: isBroken)
    await #expect {
      try await stage.plan("order", shards: 2)
    } throws: { error in
      guard case JobsError.unknownJob(_, "orders", ["everyone", "orders"]) = error else {
        return false
      }
      return true
    }
  }

  @Test func `the reads of planning are recorded, told before and limited by the day's budget`()
    async throws
  {
    let context = try stage.workspace.context(at: ManualClock(start: .morning))
    func bound(_ shards: Int, counts: Bool) throws -> String {
      try ShardPlanner(
        .init(job: "orders", shards: shards, isRecoverable: false, counts: counts), context
      ).bound
    }
    #expect(try bound(1, counts: false) == "Planning costs at most 1 billed read.")
    #expect(
      try bound(1, counts: true)
        == "Planning costs at most 2 billed reads and one for each 1000 documents.")
    #expect(
      try bound(4, counts: true)
        == "Planning costs at most 102 billed reads and one for each 83 documents.")
    try await stage.plan("orders", shards: 4)
    let run = try #require(try stage.workspace.store.read { try $0.lastRuns() }["shard plan"])
    // The time, and a count for each shard.
    #expect(run.counts.billedReads == 5 && run.outcome == .ok)
    for (left, isAllowed) in [(44, false), (45, true)] {
      let stage = try ShardStage(firestore)
      try stage.workspace.write(
        "app: {name: Chat, bundle_id: com.example.app}\ncost: {max_reads_per_day: \(left)}\n",
        to: "firetally.yml")
      let planned = try? await stage.plan("orders", shards: 4)
      #expect((planned != nil) == isAllowed, "\(left)")
      await #expect(throws: JobsError.shards(.uncounted(job: "orders"))) {
        try await stage.plan("orders", shards: 4, counts: false)
      }
    }
    // Planning itself stops at the budget.
    let stage = try ShardStage(firestore)
    try stage.workspace.write(
      "app: {name: Chat, bundle_id: com.example.app}\ncost: {max_reads_per_day: 3}\n",
      to: "firetally.yml")
    await #expect {
      try await stage.plan("orders", shards: 4)
    } throws: { error in
      guard case JobsError.oneOffBudget(_, spent: 3) = error else { return false }
      return true
    }
  }

  @Test func `a plan says that it looks for cuts that no server offers, and how far it is`()
    async throws
  {
    // A server that does not cut.
    let services = ScriptedServices(FaultyDatabase(firestore)).services()
    firestore.put(ShardStage.orders(40..<340))
    let events = Mutex<[WorkObserver.Event]>([])
    let sentences = Mutex<[String]>([])
    let context = JobContext(
      workspace: try stage.workspace.context(at: ManualClock(start: .morning)).workspace,
      services: services, clock: ManualClock(start: .morning).jobClock,
      observer: WorkObserver { event in events.withLock { $0.append(event) } })
    let planner = try ShardPlanner(
      .init(job: "orders", shards: 3, isRecoverable: false, counts: true), context)
    _ = try await OneOffReads.perform(for: "shard plan", maxReads: nil, context) { reads in
      (
        try await planner.plan(reads) { sentence in sentences.withLock { $0.append(sentence) } },
        "Planned."
      )
    }
    #expect(sentences.withLock(\.count) == 1)
    #expect(
      sentences.withLock { $0[0] }.hasPrefix(
        "The server offers 0 of 2 cuts, so that even ones are looked for"))
    let seen = events.withLock(\.self)
    #expect(seen.first == .began(title: "looking for cuts", unit: "requests", total: nil))
    #expect(seen.contains(.began(title: "counting", unit: "shards", total: 3)))
    #expect(seen.last == .ended)
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
