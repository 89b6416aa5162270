import Firestore
import Fixtures
import JobsTesting
import Model
import Store
import StoreTesting
import SyncTesting
import Testing

@testable import Jobs

/// Shards store what one process stores, to the byte.
@Suite struct ShardEqualityTests {
  /// Users with duplicated ids far apart, some that are skipped, and a field that comes late.
  private static func users(_ count: Int, change: Int64 = 0) -> [String: [String: Value]?] {
    var users: [String: [String: Value]?] = [:]
    for number in 0..<count {
      let id = "u\(100 + number)"
      users["Users/\(id)"] = .user(id, seenAgo: Int64(number) * 60 + change)
    }
    users["Users/a-first"] = .user("u\(100 + count - 1)", seenAgo: 5 + change)
    users["Users/z-last"] = .user("u100", seenAgo: 6 + change)
    users["Users/u105"] = .user("u104", seenAgo: 7 + change)
    users["Users/u111"] = .user("u1", seenAgo: 7, ["User_name": .string("")])
    users["Users/u112"] = .user("u112", seenAgo: 7, ["User_name": .integer(3)])
    return users
  }

  private static func stages(
    _ documents: [String: [String: Value]?]
  ) throws -> (one: ShardStage, many: ShardStage, firestore: MemoryFirestore) {
    let firestore = MemoryFirestore()
    firestore.put(documents)
    return (try ShardStage(firestore), try ShardStage(firestore), firestore)
  }

  private static func expectEqual(_ one: ShardStage, _ many: ShardStage) throws {
    let wanted = try DataDump.text(of: one.workspace.store)
    let found = try DataDump.text(of: many.workspace.store)
    let differences = found.split(separator: "\n").difference(from: wanted.split(separator: "\n"))
    #expect(differences.isEmpty, "\(differences.prefix(6))")
  }

  @Test(arguments: [
    ("orders", 1), ("orders", 4), ("everyone", 1), ("everyone", 3), ("everyone", 8),
  ])
  func `a first load is equal, with child tables, duplicates, skips and drift`(
    job: String, shards: Int
  ) async throws {
    let (one, many, _) = try Self.stages(
      ShardStage.orders(0..<60).merging(Self.users(60)) { $1 })
    let single = try await one.workspace.run(.named([job]))
    let plan = try await many.plan(job, shards: shards)
    try await many.runAll(plan)
    let report = try await many.gather(plan)
    try Self.expectEqual(one, many)
    let counts = report.run.counts
    let wanted = single[0].run.counts
    #expect(counts.fetched == wanted.fetched && counts.skipped == wanted.skipped)
    #expect(counts.inserted == wanted.inserted && counts.updated == wanted.updated)
    #expect(counts.unchanged == wanted.unchanged)
    #expect(report.run.outcome == single[0].run.outcome)
    #expect(report.run.readTime == single[0].run.readTime)
  }

  @Test(arguments: ["orders", "everyone"])
  func `a later load is equal: changed, new and deleted documents`(job: String) async throws {
    let (one, many, firestore) = try Self.stages(
      ShardStage.orders(0..<60).merging(Self.users(60)) { $1 })
    for stage in [one, many] { try await stage.workspace.run(.named([job])) }
    firestore.put(ShardStage.orders(10..<25, change: 7).merging(ShardStage.orders(60..<70)) { $1 })
    firestore.put(Self.users(30, change: 9))
    let gone = (1_040..<1_050).map { "Orders/o\($0)" } + (140..<145).map { "Users/u\($0)" }
    firestore.put(Dictionary(uniqueKeysWithValues: gone.map { ($0, nil) }))
    let later = Instant.morning + .seconds(3_600)
    let single = try await one.workspace.run(
      .named([job]), at: later, options: RunOptions(isForced: true))
    let plan = try await many.plan(job, shards: 5, at: later)
    try await many.runAll(plan, at: later)
    let report = try await many.gather(plan, at: later)
    try Self.expectEqual(one, many)
    #expect(report.run.counts.deleted == single[0].run.counts.deleted)
    #expect(report.run.counts.updated == single[0].run.counts.updated)
    #expect(report.run.counts.unchanged == single[0].run.counts.unchanged)
    let again = try await many.gather(plan, at: later)
    #expect(again.run.outcome == .fresh)
    try Self.expectEqual(one, many)
  }

  @Test func `more shards than documents leave empty ones, and nothing at all is fine`()
    async throws
  {
    let (one, many, firestore) = try Self.stages(ShardStage.orders(0..<2))
    try await one.workspace.run(.named(["orders"]))
    let plan = try await many.plan("orders", shards: 6)
    #expect(plan.plan.shards.map(\.isEmpty) == [false, false, true, true, true, true])
    firestore.forgetCalls()
    for number in 3...6 { try await many.run(number, of: plan) }
    #expect(firestore.calls.isEmpty)
    try await many.runAll(plan)
    try await many.gather(plan)
    try Self.expectEqual(one, many)
  }

  /// The configuration `allow_empty` and the outcome that it means.
  @Test(arguments: [("orders", false), ("orders", true), ("everyone", false)])
  func `a gathering of nothing is partial unless that is allowed, and fresh the second time`(
    job: String, isAllowed: Bool
  ) async throws {
    let (one, many, firestore) = try Self.stages([:])
    for stage in [one, many] where isAllowed {
      let text = try #require(ShardStage.jobs[job])
      try stage.workspace.write("\(text)\nallow_empty: true\n", to: "jobs/\(job).yml")
    }
    let single = try await one.workspace.run(.named([job]))
    let plan = try await many.plan(job, shards: 2)
    try await many.runAll(plan)
    firestore.forgetCalls()
    let report = try await many.gather(plan)
    #expect(report.run.outcome == (isAllowed ? .ok : .partial))
    #expect(report.run.outcome == single[0].run.outcome)
    let collection = job == "orders" ? "Orders" : "Users"
    let sentence = "Nothing was stored: the collection \(collection) is empty."
    #expect(report.run.warnings.contains(sentence) == !isAllowed)
    #expect(firestore.calls.isEmpty)
    try Self.expectEqual(one, many)
    #expect(try await many.gather(plan).run.outcome == .fresh)
  }

  @Test func `a gathering that died before its record is recorded by the next, with its reads`()
    async throws
  {
    let (one, many, firestore) = try Self.stages(ShardStage.orders(0..<20))
    try await one.workspace.run(.named(["orders"]))
    let plan = try await many.plan("orders", shards: 3)
    try await many.runAll(plan)
    let first = try await many.gather(plan)
    try many.workspace.store.write { writer in
      // As a killed one leaves it.
      var run = first.run
      (run.outcome, run.readTime, run.counts) = (.interrupted, nil, RunCounts())
      try writer.finish(run)
    }
    let again = try await many.gather(plan)
    #expect(again.run.outcome == .ok && again.run.counts.billedReads >= 20)
    #expect(again.run.counts == first.run.counts && again.run.readTime == first.run.readTime)
    try Self.expectEqual(one, many)
    #expect(try await many.gather(plan).run.outcome == .fresh)
    // What is done stays so, whatever was loaded since.
    firestore.put(ShardStage.orders(20..<21))
    try await many.workspace.run(.named(["orders"]))
    #expect(try await many.gather(plan).run.outcome == .fresh)
  }

  @Test func `a second plan of the same minute is gathered, as the job is now`() async throws {
    let (_, many, _) = try Self.stages(ShardStage.orders(0..<20))
    let plan = try await many.plan("orders", shards: 2)
    try await many.runAll(plan)
    try await many.gather(plan)
    let text = try #require(ShardStage.jobs["orders"])
      .replacing("{total: total INTEGER}", with: "{total: total INTEGER, late: late TEXT}")
    try many.workspace.write(text, to: "jobs/orders.yml")
    let second = try await many.plan("orders", shards: 3, named: "second.json")
    #expect(second.plan.readTime == plan.plan.readTime)
    let folder = many.folder.path(of: "second")
    for number in 1...3 { try await many.run(number, of: second, in: folder) }
    let report = try await many.gather(second, in: folder)
    #expect(report.run.outcome == .ok)
    let columns = "SELECT count(*) FROM pragma_table_info('Orders') WHERE name = 'late'"
    #expect(try SQLiteFile.text(many.workspace.store.path, columns) == ["1"])
    #expect(try await many.gather(second, in: folder).run.outcome == .fresh)
  }

  @Test func `erased people stay erased, although shards know nothing of them`() async throws {
    let (one, many, _) = try Self.stages(Self.users(40))
    let first = try await many.plan("everyone", shards: 2)
    try await many.runAll(first)
    for stage in [one, many] {
      let key = String(repeating: "0f", count: 16)
      var id = "u120"
      let hash = try #require(KeyedHash(hexadecimal: key))
      let hashed = id.withUTF8 { hash.of(UnsafeRawBufferPointer($0)) }
      try stage.workspace.store.write { writer in
        try writer.setErasureKey(key)
        try writer.noteErased(hash: Int64(bitPattern: hashed), at: .morning)
      }
    }
    try await one.workspace.run(.named(["everyone"]))
    let report = try await many.gather(first)
    #expect(report.run.counts.skipped["erased"] == 1)
    try Self.expectEqual(one, many)
  }

  @Test func `plain users are marked alike, and the loads after are equal`() async throws {
    var users = Self.users(40).filter { $0.key.hasPrefix("Users/u") }
    users["Users/u105"] = .user("u105", seenAgo: 7)
    let (one, many, firestore) = try Self.stages(users)
    let mark = "SELECT value FROM marks WHERE name = 'rows of OnlineUsers tell all of'"
    try await one.workspace.run(.named(["everyone"]))
    let plan = try await many.plan("everyone", shards: 3)
    try await many.runAll(plan)
    try await many.gather(plan)
    try Self.expectEqual(one, many)
    firestore.put(["Users/u101": .user("u101", seenAgo: 3)])
    for stage in [one, many] {
      let counts = try await stage.workspace.run(
        .named(["everyone"]), at: .morning + .seconds(3_600), options: RunOptions(isForced: true)
      )[0].run.counts
      #expect(counts.updated == 1 && counts.unchanged == 37)
      #expect(try SQLiteFile.text(stage.workspace.store.path, mark) == ["Users"])
    }
    try Self.expectEqual(one, many)
  }
}
