import Fixtures
import JobsTesting
import Model
import Store
import StoreTesting
import Testing

@testable import Jobs
@testable import Operations
@testable import Workspace

/// The kind `import-purchases`; docs/jobs/import-purchases.md.
struct ImportPurchasesTests {
  private static let job = "kind: import-purchases\nfiles: [inbox/*]\n"

  /// An event of RevenueCat as a line.
  private static func line(_ transaction: String, user: String = "u1", price: String = "9.99")
    -> String
  {
    """
    {"event":{"type":"RENEWAL","id":"e\(transaction)","app_user_id":"\(user)",\
    "transaction_id":"\(transaction)","original_transaction_id":"t0","product_id":"p",\
    "purchased_at_ms":1770000000000,"expiration_at_ms":1772600000000,\
    "event_timestamp_ms":1770000001000,"environment":"PRODUCTION","currency":"USD",\
    "price_in_purchased_currency":\(price),"store":"APP_STORE","commission_percentage":0.3}}

    """
  }

  private static func texts(_ workspace: TestWorkspace, _ sql: String) throws -> [String] {
    try SQLiteFile.text(workspace.folder.databasePath, sql)
  }

  private static func transactions(_ workspace: TestWorkspace) throws -> [String] {
    try texts(workspace, "SELECT transaction_id FROM purchases ORDER BY 1")
  }

  private static func run(_ workspace: TestWorkspace) async throws -> JobReport {
    try #require(try await workspace.run(.all).first)
  }

  @Test func `a file is read once, and again when it has changed`() async throws {
    let workspace = try TestWorkspace(jobs: ["purchases": Self.job])
    try workspace.write(Self.line("t1") + Self.line("t2"), to: "inbox/a.jsonl")
    var report = try await Self.run(workspace)
    #expect(
      report.run.outcome == .ok && report.run.counts.inserted == 2 && report.run.counts.fetched == 2
    )
    #expect(report.summary == "2 new purchase events in 1 file, 0 updated, 0 known.")
    report = try await Self.run(workspace)
    #expect(report.run.outcome == .fresh && report.summary == "No new files.")
    try workspace.write(Self.line("t1") + Self.line("t3") + Self.line("t2"), to: "inbox/a.jsonl")
    report = try await Self.run(workspace)
    #expect(report.run.counts.inserted == 1 && report.run.counts.unchanged == 2)
    #expect(try Self.transactions(workspace) == ["t1", "t2", "t3"])
  }

  @Test func `nothing of a file with a bad line is stored, and other files are read`() async throws
  {
    let workspace = try TestWorkspace(jobs: ["purchases": Self.job])
    try workspace.write(Self.line("t1") + "{\"event\":{}}\n", to: "inbox/a.jsonl")
    try workspace.write(Self.line("t2"), to: "inbox/b.jsonl")
    let report = try await Self.run(workspace)
    #expect(report.run.outcome == .failed)
    #expect(
      report.run.error?.contains("inbox/a.jsonl could not be read: line 2: it has no type") == true)
    #expect(try Self.transactions(workspace) == ["t2"])
    try workspace.write(Self.line("t1"), to: "inbox/a.jsonl")
    #expect(try await Self.run(workspace).run.outcome == .ok)
    #expect(try Self.transactions(workspace) == ["t1", "t2"])
  }

  @Test func `erased people do not come back`() async throws {
    let workspace = try TestWorkspace(jobs: ["purchases": Self.job])
    try workspace.write(Self.line("t1") + Self.line("t2", user: "u2"), to: "inbox/a.jsonl")
    _ = try await Self.run(workspace)
    let erasure = PersonErasure(
      workspace.folder, try workspace.folder.jobs(), workspace.store, id: "u1")
    #expect(try erasure.find().rows.places.map(\.place) == ["purchases"])
    _ = try erasure.perform(at: .morning)
    #expect(try Self.transactions(workspace) == ["t2"])
    try workspace.write(Self.line("t3") + Self.line("t4", user: "u2"), to: "inbox/b.jsonl")
    let report = try await Self.run(workspace)
    #expect(report.run.counts.skipped == [ErasedPeople.countedAs: 1])
    #expect(try Self.transactions(workspace) == ["t2", "t4"])
  }

  @Test func `documents that sync-collection copied are read as they come`() async throws {
    let workspace = try TestWorkspace(
      jobs: ["purchases": "kind: import-purchases\ntables: [revenuecat_events]\n"])
    var report = try await Self.run(workspace)
    #expect(report.run.outcome == .partial)
    #expect(report.run.warnings[0].contains("The table revenuecat_events is missing"))
    try SQLiteFile.execute(
      workspace.folder.databasePath,
      """
      CREATE TABLE revenuecat_events (document_path TEXT, synced_at INTEGER, type TEXT, id TEXT,
        app_user_id TEXT, aliases TEXT, transaction_id TEXT, product_id TEXT,
        purchased_at_ms INTEGER, event_timestamp_ms INTEGER, store TEXT, currency TEXT,
        price_in_purchased_currency REAL, is_trial_conversion INTEGER)
      """)
    func add(_ number: Int, written: Int, type: String = "RENEWAL") throws {
      try SQLiteFile.execute(
        workspace.folder.databasePath,
        """
        INSERT INTO revenuecat_events VALUES ('c/\(number)', \(written), '\(type)', 'e\(number)',
          '$RCAnonymousID:9', '["$RCAnonymousID:9","u1"]', 't\(number)', 'p', 1770000000000,
          1770000001000, 'APP_STORE', 'USD', 4.99, 1)
        """)
    }
    try add(1, written: 10)
    try add(2, written: 10, type: "TEST")
    report = try await Self.run(workspace)
    #expect(report.run.outcome == .ok && report.run.counts.inserted == 1)
    #expect(report.run.counts.skipped == ["no-money": 1])
    #expect(
      try Self.texts(
        workspace,
        "SELECT person || ' ' || kind || ' ' || price || ' ' || source || ' ' || at FROM purchases")
        == ["u1 trial_conversion 499 firestore 1770000000000000"])
    // Rows of the same moment may have come since.
    try add(3, written: 10)
    try add(4, written: 300_000_011, type: "")
    report = try await Self.run(workspace)
    #expect(report.run.outcome == .partial && report.run.counts.inserted == 1)
    #expect(
      report.run.warnings == ["revenuecat_events: a document cannot be read: it has no type."])
    report = try await Self.run(workspace)
    #expect(report.run.counts.fetched == 1 && report.run.counts.inserted == 0)
  }

  @Test func `a job without files and tables is refused`() throws {
    let file = SourceFile(path: "jobs/p.yml", text: "kind: import-purchases\n")
    let error = #expect(throws: ConfigurationError.self) { try JobFiles.jobs(in: [file]) }
    #expect(error?.problems.count == 1)
  }

  @Test func `a plan names the new files and changes nothing`() throws {
    let workspace = try TestWorkspace(jobs: ["purchases": Self.job])
    try workspace.write(Self.line("t1"), to: "inbox/a.jsonl")
    let context = try workspace.context(at: ManualClock(start: .morning))
    var options = ImportPurchasesOptions.defaults
    options.files = ["inbox/*"]
    let work = ImportPurchasesWork(options: options, context: context)
    #expect(try work.plan().hasPrefix("Would read ") && work.plan().hasSuffix("inbox/a.jsonl."))
    #expect(try Self.transactions(workspace).isEmpty)
  }
}
