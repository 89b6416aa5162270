import Firestore
import Fixtures
import Foundation
import JobsTesting
import Model
import StoreTesting
import SyncTesting
import Testing

@testable import Jobs
@testable import Workspace
@testable import Store

/// Earlier versions of rows.
@Suite struct HistoryTests {
  private static let job = """
    kind: sync-collection
    collection: Orders
    columns: {n: n INTEGER, city: city TEXT}
    document: true
    deletes: sweep
    max_delete: 100%
    history: true
    """

  private let firestore = MemoryFirestore()

  private func workspace(_ job: String = job) throws -> TestWorkspace {
    try TestWorkspace(jobs: ["orders": job], firestore: firestore)
  }

  @discardableResult
  private func run(_ workspace: TestWorkspace, after seconds: Int64 = 0) async throws -> Run {
    let reports = try await workspace.run(.named(["orders"]), at: .morning + .seconds(seconds))
    let run = try #require(reports.first).run
    #expect(run.outcome == .ok, "\(run.error ?? "")")
    return run
  }

  private func rows(_ workspace: TestWorkspace, _ sql: String) throws -> [String] {
    try workspace.store.read { try $0.reader.values(sql) }
  }

  private func orders(_ workspace: TestWorkspace, asOf time: Instant) throws -> [String] {
    try workspace.store.read { reader in
      try reader.withVersions(asOf: time) {
        try reader.values("SELECT document_id || ' ' || n FROM Orders ORDER BY 1")
      }
    }
  }

  private func put(_ numbers: [String: Int64?], city: String = "x") {
    firestore.put(
      Dictionary(
        uniqueKeysWithValues: numbers.map { id, number in
          ("Orders/\(id)", number.map { ["n": .integer($0), "city": .string(city)] })
        }))
  }

  private static let versions = """
    SELECT document_id || ' ' || n || ' ' || (valid_to - valid_from) || ' ' || ifnull(changed, 'gone')
    FROM Orders_history ORDER BY valid_to, document_id
    """

  @Test func `a version is what a row was, with its times and what changed`() async throws {
    let workspace = try workspace()
    put(["a": 1, "b": 1])
    let first = try await run(workspace)
    #expect(try rows(workspace, Self.versions) == [])
    put(["a": 2])
    put(["b": 1], city: "y")
    let second = try await run(workspace, after: 60)
    #expect(
      try rows(workspace, Self.versions)
        == [#"a 1 1 ["n","document"]"#, #"b 1 2 ["city","document"]"#])
    #expect(
      try rows(
        workspace, "SELECT CAST((seen_to - seen_from) / 1000000 AS TEXT) FROM Orders_history")
        == ["60", "60"])
    put(["a": nil])
    let third = try await run(workspace, after: 120)
    #expect(try rows(workspace, Self.versions).last == "a 2 2 gone")
    #expect(try orders(workspace, asOf: try #require(first.readTime)) == ["a 1", "b 1"])
    #expect(try orders(workspace, asOf: try #require(second.readTime)) == ["a 2", "b 1"])
    #expect(try orders(workspace, asOf: try #require(third.readTime)) == ["b 1"])
    #expect(try orders(workspace, asOf: .morning - .seconds(1)) == [])
    // The table itself is as it is now.
    #expect(try rows(workspace, "SELECT document_id FROM Orders") == ["b"])
  }

  @Test func `a document that is written without a change keeps one version more`() async throws {
    let workspace = try workspace()
    put(["a": 1])
    let first = try await run(workspace)
    for seconds in 1...4 as ClosedRange<Int64> {
      put(["a": 1])
      try await run(workspace, after: seconds * 60)
    }
    #expect(try rows(workspace, Self.versions) == ["a 1 4 []"])
    #expect(try orders(workspace, asOf: try #require(first.readTime)) == ["a 1"])
  }

  /// The seeds of random changes, 1,000 in all.
  @Test(arguments: FuzzCases.seeds(4, orMany: 40), [false, true])
  func `tables as of each load are what Firestore held then`(
    seed: UInt64, keepsDeleted: Bool
  ) async throws {
    var random = SeededGenerator(seed: seed)
    let workspace = try workspace(Self.job + (keepsDeleted ? "\nkeep_deleted: true" : ""))
    var model: [String: Int64] = [:]
    var states: [(time: Instant, orders: [String])] = []
    for step in 0..<125 as Range<Int64> {
      let id = "d\(random.integer(0...9))"
      let number: Int64? = random.integer(0...3) == 0 ? nil : Int64(random.integer(0...3))
      model[id] = number
      put([id: number])
      guard random.integer(0...3) == 0 else { continue }
      let run = try await run(workspace, after: step * 60)
      states.append(
        (try #require(run.readTime), model.map { "\($0) \($1)" }.sorted()))
    }
    for (time, expected) in states {
      #expect(try orders(workspace, asOf: time) == expected, "seed \(seed), \(time)")
    }
  }

  @Test func `versions older than history_keep are removed, exactly that old ones stay`()
    async throws
  {
    let workspace = try workspace(Self.job + "\nhistory_keep: 1h")
    put(["a": 1])
    try await run(workspace)
    put(["a": 2])
    try await run(workspace, after: 60)
    put(["a": 3])
    try await run(workspace, after: 3_660)
    #expect(try rows(workspace, "SELECT CAST(n AS TEXT) FROM Orders_history") == ["1", "2"])
    try await run(workspace, after: 3_661)
    #expect(try rows(workspace, "SELECT CAST(n AS TEXT) FROM Orders_history") == ["2"])
  }

  @Test func `versions follow changed declarations, and end with the key`() async throws {
    let workspace = try workspace()
    put(["a": 1])
    try await run(workspace)
    put(["a": 2])
    try await run(workspace, after: 60)
    try workspace.write(
      Self.job.replacing("city: city TEXT", with: "town: city TEXT"), to: "jobs/orders.yml")
    try await run(workspace, after: 120)
    #expect(try rows(workspace, Self.versions).count == 1)
    put(["a": 3], city: "z")
    try await run(workspace, after: 180)
    #expect(
      try rows(
        workspace, "SELECT ifnull(city_removed, '-') || ifnull(town, '-') FROM Orders_history")
        == ["x-", "-x"] || rows(workspace, "SELECT count(*) || '' FROM Orders_history") == ["2"])
    try workspace.write(
      Self.job.replacing("history: true", with: ""), to: "jobs/orders.yml")
    put(["a": 4])
    try await run(workspace, after: 240)
    #expect(try rows(workspace, "SELECT count(*) || '' FROM Orders_history") == ["2"])
  }

  /// Runs with the job changed, after a change of the one document.
  private func change(
    _ workspace: TestWorkspace, to job: String, n number: Int64, at seconds: Int64
  ) async throws {
    try workspace.write(job, to: "jobs/orders.yml")
    put(["a": number])
    try await run(workspace, after: seconds)
  }

  @Test func `a history that ended goes on with the columns of today`() async throws {
    let workspace = try workspace()
    try await change(workspace, to: Self.job, n: 1, at: 0)
    try await change(workspace, to: Self.job, n: 2, at: 60)
    let other = Self.job.replacing("n: n INTEGER", with: "n: n REAL, b: n INTEGER")
    try await change(
      workspace, to: other.replacing("history: true", with: ""), n: 3, at: 120)
    try await change(workspace, to: other, n: 4, at: 180)
    try await change(workspace, to: other, n: 5, at: 240)
    #expect(
      try rows(
        workspace,
        """
        SELECT ifnull(n_removed, '-') || ' ' || ifnull(n, '-') || ' ' || ifnull(b, '-')
        FROM Orders_history ORDER BY rowid
        """) == ["1 - -", "- 3.0 3", "- 4.0 4"])
    try workspace.store.erasing { _ = try $0.erasePerson(id: "somebody") }
  }

  @Test func `a history follows a table that keeps no deleted rows any more`() async throws {
    let keeping = Self.job + "\nkeep_deleted: true"
    let workspace = try workspace(keeping)
    try await change(workspace, to: keeping, n: 1, at: 0)
    try await change(workspace, to: Self.job, n: 2, at: 60)
    try await change(workspace, to: keeping, n: 3, at: 120)
    #expect(
      try rows(workspace, "SELECT CAST(n AS TEXT) FROM Orders_history ORDER BY rowid")
        == ["1", "2"])
  }

  @Test func `a history keeps what the table itself has dropped`() async throws {
    let workspace = try workspace()
    let without = Self.job.replacing(", city: city TEXT", with: "")
    try await change(workspace, to: Self.job, n: 1, at: 0)
    try await change(workspace, to: without, n: 2, at: 60)
    try workspace.store.write { _ = try $0.run("ALTER TABLE Orders DROP COLUMN city_removed") }
    try await change(workspace, to: Self.job, n: 3, at: 120)
    try await change(workspace, to: without, n: 4, at: 180)
    let names = try rows(workspace, "SELECT name FROM pragma_table_info('Orders_history')")
    #expect(names.filter { $0.hasPrefix("city") } == ["city_removed", "city_removed_2"])
    #expect(try rows(workspace, "SELECT CAST(n AS TEXT) FROM Orders_history") == ["1", "2", "3"])
  }

  @Test func `an erased person is in no version`() async throws {
    let workspace = try workspace()
    put(["a": 1], city: "uid-of-somebody")
    put(["b": 1])
    try await run(workspace)
    put(["a": 2])
    put(["b": 2])
    try await run(workspace, after: 60)
    #expect(try rows(workspace, "SELECT count(*) || '' FROM Orders_history") == ["2"])
    try workspace.store.erasing { _ = try $0.erasePerson(id: "uid-of-somebody") }
    #expect(try rows(workspace, "SELECT document_id FROM Orders_history") == ["b"])
    #expect(try workspace.store.scrub())
    for file in ["", "-wal"] {
      let bytes = try Data(contentsOf: URL(filePath: workspace.folder.databasePath + file))
      #expect(bytes.range(of: Data("uid-of-somebody".utf8)) == nil, "\(file)")
    }
  }

  @Test func `what else has the name, or a column, is refused`() async throws {
    let workspace = try workspace()
    try workspace.store.write { _ = try $0.run("CREATE TABLE Orders_history (x)") }
    put(["a": 1])
    let reports = try await workspace.run(.named(["orders"]))
    #expect(reports.first?.run.error?.hasPrefix("The table 'Orders_history' holds") == true)
    let wrong = Self.job.replacing("n: n INTEGER", with: "changed: n INTEGER")
    #expect(throws: ConfigurationError.self) {
      try JobFiles.jobs(in: [SourceFile(path: "jobs/a.yml", text: wrong)])
    }
  }
}
