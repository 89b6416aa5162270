import Firestore
import Fixtures
import JobsTesting
import Model
import Store
import StoreTesting
import SyncTesting
import Testing

@testable import Jobs
@testable import Workspace

/// Two plans of one whole minute, the second of a job with one more column.
@Suite struct SecondPlanTests {
  private let stage: ShardStage
  /// The first job: without the documents, from which a new column would be filled at once.
  private let declared: String
  private let firestore: MemoryFirestore
  private let first: StoredShardPlan
  private let second: StoredShardPlan
  private let folder: String

  /// The first plan is gathered; the shards of the second are finished.
  init() async throws {
    let orders = ShardStage.orders(20..<50).mapValues { fields in
      fields?["late"] == nil ? fields : fields?.merging(["late": .string("x")]) { $1 }
    }
    firestore = MemoryFirestore(atStart: orders)
    // Behind the minute, in none of the plans.
    firestore.put(ShardStage.orders(50..<51))
    declared = try #require(ShardStage.jobs["orders"]).replacing("document: true\n", with: "")
    stage = try ShardStage(firestore, jobs: ["orders": declared])
    first = try await stage.plan("orders", shards: 2, isRecoverable: true)
    try await stage.runAll(first)
    let report = try await stage.gather(first)
    #expect(report.run.outcome == .ok, "\(report)")
    let text = declared.replacing(
      "{total: total INTEGER}", with: "{total: total INTEGER, late: late TEXT}")
    try stage.workspace.write(text, to: "jobs/orders.yml")
    let soon = Instant.morning + .seconds(30)
    second = try await stage.plan(
      "orders", shards: 3, at: soon, isRecoverable: true, named: "second.json")
    folder = stage.folder.path(of: "second")
    for number in 1...3 { try await stage.run(number, of: second, at: soon, in: folder) }
  }

  private var path: String { stage.workspace.store.path }

  /// How many rows have the text of the column that only the second plan has.
  private func lateRows() throws -> [Int64] {
    try SQLiteFile.integers(path, "SELECT count(*) FROM Orders WHERE late = 'x'")
  }

  @Test func `each is gathered once, as the job is now`() async throws {
    #expect(first.plan.readTime == .morning && second.plan.readTime == .morning)
    let report = try await stage.gather(second, in: folder)
    #expect(report.run.outcome == .ok, "\(report)")
    #expect(try lateRows() == [19])
    #expect(try SQLiteFile.integers(path, "SELECT count(*) FROM Orders") == [30])
    #expect(try await stage.gather(second, in: folder).run.outcome == .fresh)
    try stage.workspace.write(declared, to: "jobs/orders.yml")
    #expect(try await stage.gather(first).run.outcome == .fresh)
  }

  @Test(arguments: [
    // Between shards, and before the run's record.
    "INSERT ON marks WHEN NEW.name = 'gather of orders' AND NEW.value ->> 'gathered' = 2",
    "UPDATE ON sync_runs WHEN NEW.outcome = 'ok'",
  ])
  func `a second gathering that died is no done one`(at statement: String) async throws {
    try SQLiteFile.execute(
      path, "CREATE TRIGGER death BEFORE \(statement) BEGIN SELECT RAISE(ABORT, 'dead'); END")
    do {
      #expect(try await stage.gather(second, in: folder).run.outcome == .failed)
    } catch is StoreError {
      // Its row stays as that of a killed one.
    }
    try SQLiteFile.execute(path, "DROP TRIGGER death")
    let report = try await stage.gather(second, in: folder)
    #expect(report.run.outcome == .ok && report.run.readTime == .morning)
    let counts = report.run.counts
    #expect(counts.billedReads >= 30 && counts.fetched == 30, "\(counts)")
    #expect(try lateRows() == [19])
    #expect(try await stage.gather(second, in: folder).run.outcome == .fresh)
  }

  @Test func `one that was never gathered is refused after a newer load`() async throws {
    let later = Instant.morning + .seconds(60)
    try await stage.workspace.run(
      .named(["orders"]), at: later, options: RunOptions(isForced: true))
    await #expect {
      try await stage.gather(second, at: later, in: folder)
    } throws: { error in
      WorkspaceError.isShards(error, .badData, "Nothing was gathered: 'orders' was loaded at")
    }
  }
}
