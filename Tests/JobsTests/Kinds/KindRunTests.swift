import Feeds
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

@testable import App
@testable import Jobs
@testable import Workspace

/// What the work of each kind does, from its job file to the database.
struct KindRunTests {
  private func run(
    _ workspace: TestWorkspace, services: Services? = nil, at now: Instant = .morning
  ) async throws -> JobReport {
    try #require(try await workspace.run(.all, at: now, services: services).first)
  }

  private func refresh(
    _ workspace: TestWorkspace, _ filter: () -> UserFilter?
  ) async throws -> (check: LimitCheck?, report: JobReport) {
    let owner = LockOwner.thisProcess(command: "firetally test", since: .morning)
    return try await RateLimitedRefresh(
      try workspace.context(at: ManualClock(start: .morning)), session: try workspace.session()
    ).run(
      lock: LockRequest(owner, wait: .zero, isPatient: true), allowed: { _ in }, filter)
  }

  @Test func `settings come from the document, and Remote Config under it`() async throws {
    let workspace = try TestWorkspace(
      jobs: ["settings": "kind: sync-settings\n"],
      configuration:
        "app: {name: Chat, bundle_id: com.example.app}\nremote_config: {enabled: true}\n")
    workspace.firestore.put([
      "AppSettings/com.example.app": ["freeRefreshLimit": .integer(7)]
    ])
    let report = try await run(workspace)
    #expect(report.run.outcome == .ok)
    let settings = try WorkspaceSettings.inForce(
      in: workspace.store, config: try workspace.folder.config())
    #expect(settings.value(.refreshLimit) == 7)
    #expect(report.summary == "1 setting, 1 changed.")
  }

  @Test func `a settings document that is missing is reported, unless it may be`() async throws {
    for (more, outcome) in [("", Run.Outcome.partial), ("allow_empty: true\n", .ok)] {
      let workspace = try TestWorkspace(jobs: ["settings": "kind: sync-settings\n\(more)"])
      let report = try await run(workspace)
      #expect(report.run.outcome == outcome)
      let text = report.summary + report.run.warnings.joined()
      #expect(text.contains("The document AppSettings/com.example.app does not exist"))
    }
  }

  @Test func `a collection becomes a table, and what is gone is removed`() async throws {
    let workspace = try TestWorkspace(jobs: [
      "orders": "kind: sync-collection\ncollection: Orders\ndeletes: drift\nmax_delete: 100%\n"
    ])
    workspace.firestore.put([
      "Orders/a": ["n": .integer(1)], "Orders/b": ["n": .integer(2)],
    ])
    #expect(
      try await run(workspace).summary
        == "2 fetched into Orders: 2 new, 0 changed, 0 unchanged.")
    workspace.firestore.put(["Orders/a": nil])
    let report = try await run(workspace)
    #expect(report.run.counts.deleted == 1 && report.run.outcome == .ok)
    #expect(
      report.summary == "1 fetched into Orders: 0 new, 0 changed, 1 unchanged, 1 removed.")
  }

  @Test func `a load that fails says in its row what it has fetched and stored`() async throws {
    let workspace = try TestWorkspace(jobs: [
      "orders": "kind: sync-collection\ncollection: Orders\npage_size: 2\n"
    ])
    for number in Int64(1)...6 {
      workspace.firestore.put(["Orders/\(number)": ["n": .integer(number)]])
    }
    let port = FaultyPort(workspace.firestore, failingCall: 3)
    let report = try await run(workspace, services: ScriptedServices(port).services())
    let sql = "SELECT count(*) FROM orders"
    let rows = try SQLiteFile.integers(workspace.folder.databasePath, sql).map { Int($0) }
    #expect(report.run.outcome == .failed && rows != [0])
    #expect([report.run.counts.fetched] == rows && [report.run.counts.inserted] == rows)
  }

  @Test func `an empty collection is reported, unless it may be`() async throws {
    for (more, outcome) in [("", Run.Outcome.partial), ("allow_empty: true\n", .ok)] {
      let workspace = try TestWorkspace(jobs: [
        "orders": "kind: sync-collection\ncollection: Orders\n\(more)"
      ])
      #expect(try await run(workspace).run.outcome == outcome)
    }
  }

  @Test func `the app's own feedback is mirrored`() async throws {
    let workspace = try TestWorkspace(jobs: ["feedback": "kind: sync-feedback\n"])
    let time = Instant.morning.microseconds / 1_000_000
    workspace.firestore.put([
      "Feedback/com.example.app/Rating_Feedback/\(time)": [
        "userId": .string("u1"), "feedback": .string("slow"), "timestamp": .integer(time),
        "rating": .integer(2),
      ]
    ])
    #expect(try await run(workspace).run.counts.inserted == 1)
    #expect(try await run(workspace).run.counts.inserted == 0)
  }

  @Test func `feedback leaves once, and without items nothing is due`() async throws {
    let workspace = try TestWorkspace(jobs: ["outbox": "kind: upload-outbox\n"])
    #expect(try await run(workspace).run.outcome == .fresh)
    let session = try workspace.session()
    try session.updateProfile { $0.userId = "u1" }
    _ = try session.submitRating(.two, feedback: "It is very slow today.", now: .morning)
    let report = try await run(workspace)
    #expect(report.run.counts.inserted == 1, "\(report)")
    #expect(try await run(workspace).run.outcome == .fresh)
    let stored = workspace.firestore.contents(of: "Feedback/com.example.app/Rating_Feedback")
    #expect(stored.count == 1)
  }

  @Test func `exports are read once, and lines that are no events are listed`() async throws {
    let workspace = try TestWorkspace(jobs: [
      "events": "kind: import-events\nfiles: [exports/*.ndjson]\n"
    ])
    #expect(try await run(workspace).run.outcome == .fresh)
    try workspace.write("no event\n", to: "exports/a.ndjson")
    let report = try await run(workspace)
    #expect(report.run.outcome == .partial)
    #expect(report.run.counts.skipped == ["no-event": 1])
    #expect(report.summary == "0 new events in 1 file, 0 known, 1 line rejected.")
    #expect(report.run.warnings.joined().contains("a.ndjson: 1 line is no event; see"))
    #expect(try await run(workspace).run.outcome == .fresh)
    let rejects = try FileContents.bytes(
      of: workspace.folder.path("data/rejects/events.txt"), limit: 1_000)
    #expect(!rejects.isEmpty)
  }

  @Test func `maintenance keeps a backup without its own run`() async throws {
    let workspace = try TestWorkspace(jobs: ["maintain": "kind: maintain\n"])
    #expect(try await run(workspace).run.outcome == .ok)
    let names = try FileManager.default.contentsOfDirectory(
      atPath: workspace.folder.backupsFolder)
    let name = "firetally-2026-01-31T080000Z.sqlite.gz"
    #expect(names.sorted() == [name, name + ".json"])
    let check = try BackupCheck(
      "\(workspace.folder.backupsFolder)/\(name)", expandingIn: workspace.folder.dataFolder)
    #expect(check.problems.isEmpty && check.manifest?.reason == .maintain)
    #expect(check.inspection?.counts["sync_runs"] == 0)
  }

  @Test func `a job that keeps no backups makes and removes none`() async throws {
    let workspace = try TestWorkspace(
      jobs: ["maintain": "kind: maintain\nkeep: {daily: 0}\n"])
    try FileManager.default.createDirectory(
      atPath: workspace.folder.backupsFolder, withIntermediateDirectories: false)
    let old = "firetally-2020-01-31T080000Z.sqlite"
    try workspace.store.backUp(to: "\(workspace.folder.backupsFolder)/\(old)")
    let report = try await run(workspace)
    #expect(report.run.outcome == .ok)
    #expect(report.summary == "0 corrupted users removed, database sound.")
    let names = try FileManager.default.contentsOfDirectory(
      atPath: workspace.folder.backupsFolder)
    #expect(names == [old])
  }

  @Test func `a damaged backup is told in every run, and is not removed`() async throws {
    let workspace = try TestWorkspace(jobs: ["maintain": "kind: maintain\nkeep: {daily: 1}\n"])
    #expect(try await run(workspace).alerts.isEmpty)
    let name = "firetally-2026-01-31T080000Z.sqlite.gz"
    truncate("\(workspace.folder.backupsFolder)/\(name)", 100)
    let report = try await run(workspace, at: .morning + .seconds(86_400))
    #expect(report.alerts.count == 1 && report.alerts[0].contains(name))
    let names = try FileManager.default.contentsOfDirectory(
      atPath: workspace.folder.backupsFolder)
    #expect(names.count == 4)
  }

  @Test func `the report is written, and without the lock`() async throws {
    let workspace = try TestWorkspace(jobs: ["report": "kind: report\nformats: [text]\n"])
    let report = try await run(workspace)
    #expect(report.run.outcome == .ok)
    let page = try FileContents.bytes(
      of: workspace.folder.path("output/index.txt"), limit: 1 << 20)
    #expect(String(decoding: page, as: UTF8.self).contains("Chat"))
  }

  @Test func `a load counts who is online, and one by a filter does not`() async throws {
    let workspace = try TestWorkspace(jobs: ["users": "kind: sync-users\nmax_documents: 2\n"])
    let now = Instant.morning.unixSeconds
    for (id, ago) in [("one", 10), ("two", 20), ("three", 30), ("four", 400)] as [(String, Int64)] {
      workspace.firestore.put([
        "Users/\(id)": ["User_name": .string(id), "last_time_seen": .integer(now - ago)]
      ])
    }
    _ = try await run(workspace)
    let expected = OnlineCount(at: .morning, online: 2, isSample: true, isMinimum: true)
    #expect(try workspace.store.read { try $0.newestOnlineCount(until: .morning) } == expected)
    _ = try await refresh(workspace) { UserFilter(country: "Peru") }
    let counts = "SELECT count(*) FROM online_counts"
    #expect(try SQLiteFile.integers(workspace.folder.databasePath, counts) == [1])
  }

  @Test func `a load under a limit counts a use only when it was allowed`() async throws {
    let workspace = try TestWorkspace(jobs: ["users": "kind: sync-users\n"])
    try workspace.fill(users: 30)
    var endings: [String] = []
    for _ in 1...3 {
      let (check, report) = try await refresh(workspace) { nil }
      let word = try #require(check).result.canProceed ? "done" : "blocked"
      endings.append("\(word) \(report.run.trigger.rawValue) \(report.run.refusedBy == .limit)")
    }
    #expect(
      endings == ["done manual false", "done manual false", "blocked manual true"])
  }

  @Test func `a load under a limit that is locked out counts nothing`() async throws {
    let workspace = try TestWorkspace(jobs: ["users": "kind: sync-users\n"])
    let lock = try await WorkspaceLock.acquire(
      workspace.folder, for: .thisProcess(command: "other", since: .morning), wait: .zero,
      sleep: { _ in })
    defer { lock.release() }
    let session = try workspace.session()
    let (check, report) = try await refresh(workspace) { nil }
    #expect(check == nil && report.run.outcome == .locked)
    #expect(try session.limitSnapshot().peek(.refresh, now: .morning).result.currentUsage == 0)
  }
}
