import Firestore
import Fixtures
import JobsTesting
import Model
import SyncTesting
import Testing

@testable import Jobs

/// Runs of incremental jobs whose field did not move with every change.
@Suite struct SilentChangesRunTests {
  private let firestore = MemoryFirestore()

  private static let jobs = [
    "orders": """
    kind: sync-collection
    collection: Orders
    columns: {total: total INTEGER}
    incremental: {field: changed}
    deletes: sweep
    """,
    "everyone": """
    kind: sync-users
    collection: Users
    max_documents: all
    incremental: {field: last_time_seen}
    deletes: sweep
    """,
  ]

  private static let hourAgo = Value.timestamp(
    Timestamp(microseconds: Instant.morning.microseconds - 3_600_000_000))

  private func put(total: Value, name: String) {
    firestore.put([
      "Orders/o1": ["total": total, "changed": Self.hourAgo],
      "Users/anna": .user("anna", seenAgo: 3_600, ["User_name": .string(name)]),
    ])
  }

  @Test func `a run counts the documents that a list of names showed to have changed, and says so`()
    async throws
  {
    put(total: .integer(1), name: "Anna")
    let stage = try ShardStage(firestore, jobs: Self.jobs)
    firestore.put([
      "Orders/o2": [
        "total": .integer(5),
        "changed": .timestamp(Timestamp(microseconds: Instant.morning.microseconds)),
      ],
      "Users/berta": .user("berta", seenAgo: 0),
    ])
    for job in ["orders", "everyone"] { try await stage.workspace.run(.named([job])) }
    put(total: .integer(2), name: "Anne")
    for (job, field) in [("orders", "changed"), ("everyone", "last_time_seen")] {
      for isAgain in [false, true] {
        let options = RunOptions(isForced: true)
        let report = try #require(
          try await stage.workspace.run(.named([job]), options: options).first)
        #expect(report.run.outcome == .ok)
        #expect(report.run.counts.updated == (isAgain ? 0 : 1), "\(job): \(report.summary)")
        let warning =
          "1 document had changed without a new \(field), so incremental loads missed that. "
          + "The list of names showed it, and they were fetched. Name a field that every change "
          + "moves, or remove 'incremental'."
        #expect(report.run.warnings == (isAgain ? [] : [warning]))
      }
    }
  }

  @Test(arguments: [
    (Value.string(""), "empty-name", Run.Outcome.ok),
    (.integer(7), "bad-field:User_name", .partial),
  ])
  func `a document that changed so that it is no user is counted as in any load`(
    name: Value, reason: String, outcome: Run.Outcome
  ) async throws {
    put(total: .integer(1), name: "Anna")
    firestore.put(["Users/berta": .user("berta", seenAgo: 0)])
    let stage = try ShardStage(firestore, jobs: Self.jobs)
    try await stage.workspace.run(.named(["everyone"]))
    firestore.put(["Users/anna": .user("anna", seenAgo: 3_600, ["User_name": name])])
    let report = try #require(
      try await stage.workspace.run(.named(["everyone"]), options: RunOptions(isForced: true)).first
    )
    #expect(report.run.counts.skipped == [reason: 1], "\(report.run.counts)")
    #expect(report.run.outcome == outcome)
  }

  @Test func `a value that does not fit makes the run partial, as in any load`() async throws {
    put(total: .integer(1), name: "Anna")
    let stage = try ShardStage(firestore, jobs: Self.jobs)
    let now = Timestamp(microseconds: Instant.morning.microseconds)
    firestore.put(["Orders/o2": ["changed": .timestamp(now)]])
    try await stage.workspace.run(.named(["orders"]))
    put(total: .string("much"), name: "Anna")
    let report = try #require(try await stage.workspace.run(.named(["orders"])).first)
    #expect(report.run.outcome == .partial)
    let warnings = report.run.warnings
    #expect(warnings.contains { $0.contains("total (string) 1") }, "\(warnings)")
  }
}
