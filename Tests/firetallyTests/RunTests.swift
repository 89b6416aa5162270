import Emulator
import Firestore
import Foundation
import Model
import Store
import StoreTesting
import Testing

@Suite struct RunTests {
  @Test
  func `a first run stores what the server serves, minus the skipped with reasons`() async throws {
    let workspace = try await TemporaryWorkspace()
    let result = try await workspace.run("run", "online-users")
    #expect(result.output.isEmpty)
    let run = try #require(try workspace.store().read { try $0.lastRuns() }["online-users"])
    #expect(run.trigger == .firstLoad)
    #expect(run.counts.fetched == 60)
    #expect(run.counts.inserted == 60 - run.counts.skippedTotal)
    #expect(run.counts.skippedTotal > 0)
    #expect(try workspace.userIds().count == run.counts.inserted)
    // One more asks whether the field has numbers, too: docs/loads.md#two-types.
    #expect(run.counts.billedReads == 61)
    #expect(result.status == (run.outcome == .partial ? 3 : 0))
  }

  @Test func `a run leaves no log beside the database, its metrics read included`() async throws {
    let workspace = try await TemporaryWorkspace()
    try workspace.add("metrics: {json: output/status.json}")
    for _ in 1...3 {
      let result = try await workspace.start(["run", "settle"]).wait()
      #expect(result.status == 0, "\(result.errors)")
      let names = try FileManager.default.contentsOfDirectory(
        atPath: workspace.folder.path + "/data")
      #expect(names.filter { $0.hasPrefix("firetally.sqlite") } == ["firetally.sqlite"])
    }
  }

  @Test func `within 30 minutes a run makes no user request, after them it does`() async throws {
    let workspace = try await TemporaryWorkspace()
    let morning = TemporaryWorkspace.morning
    _ = try await workspace.run("run", "--all")
    let first = workspace.userRequests
    #expect(first > 0)
    _ = try await workspace.run("run", "--all", at: morning + .seconds(1_800))
    #expect(workspace.userRequests == first)
    #expect(
      try workspace.store().read { try $0.lastRuns() }["online-users"]?.outcome == .fresh)
    _ = try await workspace.run("run", "--all", at: morning + .seconds(1_801))
    #expect(workspace.userRequests > first)
    let run = try workspace.store().read { try $0.lastRuns() }["online-users"]
    #expect(run?.trigger == .stale)
  }

  @Test func `--force fetches what is fresh`() async throws {
    let workspace = try await TemporaryWorkspace()
    _ = try await workspace.run("run", "online-users")
    let first = workspace.userRequests
    _ = try await workspace.run("run", "online-users", "--force")
    #expect(workspace.userRequests == 2 * first)
    let run = try #require(try workspace.store().read { try $0.lastRuns() }["online-users"])
    #expect(run.trigger == .forced)
    #expect(run.counts.unchanged == run.counts.fetched - run.counts.skippedTotal)
  }

  @Test func `--dry-run says what would be done and does none of it`() async throws {
    let workspace = try await TemporaryWorkspace()
    let result = try await workspace.run("run", "--all", "--dry-run")
    #expect(result.status == 0)
    #expect(result.output.contains("online-users: There are no users yet. Would fetch up to 250"))
    #expect(workspace.server.requests.isEmpty)
    let data = workspace.folder.appending(path: "data").path
    #expect(try FileManager.default.contentsOfDirectory(atPath: data) == ["rejects"])
    let due = try await workspace.run("run", "--due", "--dry-run")
    #expect(due.output == result.output)
    _ = try await workspace.run("run", "--due")
    let later = try await workspace.run("run", "--due", "--dry-run")
    #expect((later.status, later.output) == (0, ""))
  }

  @Test func `a run's line has the whole name of its job`() async throws {
    let workspace = try await TemporaryWorkspace()
    let name = "check-and-copy-the-database-every-night-before-the-reports-begin"
    try workspace.write("kind: maintain\n", to: "jobs/\(name).yml")
    let result = try await workspace.run("run", name, "report", "--verbose")
    #expect(result.output.contains("\(name) ok  "))
    #expect(result.output.contains("report             ok  "))
  }

  @Test func `--json prints one object a job`() async throws {
    let workspace = try await TemporaryWorkspace()
    let result = try await workspace.run("run", "--all", "--json")
    let lines = try result.output.split(separator: "\n").map {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
    }
    #expect(lines.count == 8)
    #expect(lines.allSatisfy { $0?["message_type"] as? String == "run" })
  }

  @Test
  func `a job that a failed need kept from running stays due, and runs the next time`() async throws
  {
    let workspace = try await TemporaryWorkspace()
    let morning = TemporaryWorkspace.morning
    workspace.server.inject(.status(.permissionDenied), times: nil, matching: "AppSettings")
    #expect(try await workspace.run("run", "--due").status == 77)
    let blocked = try #require(try workspace.store().read { try $0.lastRuns() }["online-users"])
    #expect(blocked.outcome == .blocked && blocked.refusedBy == .need)
    workspace.server.clearFaults()
    _ = try await workspace.run("run", "--due", at: morning + .seconds(60))
    let runs = try workspace.store().read { try $0.lastRuns() }
    #expect(runs["online-users"]?.outcome == .partial || runs["online-users"]?.outcome == .ok)
    let again = try await workspace.run("run", "--due", "--dry-run", at: morning + .seconds(61))
    #expect(!again.output.contains("online-users"))
  }

  @Test func `a refresh that its limit refused is no run of the job`() async throws {
    let workspace = try await TemporaryWorkspace()
    let morning = TemporaryWorkspace.morning
    for (seconds, statuses) in [(0, [0, 3]), (1, [0, 3]), (601, [75])]
      as [(Int, [Int32])]
    {
      let result = try await workspace.run("refresh", at: morning + .seconds(seconds))
      #expect(statuses.contains(result.status), "\(result.errors)")
    }
    let blocked = try #require(try workspace.store().read { try $0.lastRuns() }["online-users"])
    #expect(blocked.refusedBy == .limit)
    let due = try await workspace.run("run", "--due", "--dry-run", at: morning + .seconds(602))
    #expect(due.output.contains("online-users: "))
  }

  @Test func `--due runs what its schedule has brought since, and nothing twice`() async throws {
    let workspace = try await TemporaryWorkspace()
    _ = try await workspace.run("run", "--due")
    let before = try workspace.store().read { try $0.lastRuns() }
    #expect(before["online-users"] != nil)
    _ = try await workspace.run("run", "--due")
    let after = try workspace.store().read { try $0.lastRuns() }
    #expect(after.mapValues(\.id) == before.mapValues(\.id))
  }

  @Test
  func `what was due when another process ran it is not run again by the one that waited`()
    async throws
  {
    let workspace = try await TemporaryWorkspace()
    workspace.server.inject(.delay(.seconds(2)), matching: "AppSettings")
    let first = try workspace.start(["run", "--due"])
    while workspace.server.requests.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
    let second = try workspace.start(["run", "--due", "--lock-wait", "60", "--json"])
    #expect([0, 3].contains(try await first.wait().status))
    let requests = workspace.server.requests.count
    let waited = try await second.wait()
    #expect((waited.status, waited.output) == (0, ""))
    #expect(workspace.server.requests.count == requests)
  }

  @Test func `a slash at the end of the server's address does not matter`() async throws {
    let workspace = try await TemporaryWorkspace()
    try workspace.write(
      """
      app: {name: Chat, bundle_id: com.peppty.ChatApp}
      firestore: {project: demo, token_command: echo t, base_url: "http://\(workspace.server.address)/"}
      """, to: "firetally.yml")
    let result = try await BuiltProgram().run("run", "settings", "-C", workspace.folder.path)
    #expect(result.status == 0, "\(result.errors)")
    #expect(workspace.server.requests.allSatisfy { $0.path.hasPrefix("/v1/") })
    #expect(!workspace.server.requests.isEmpty)
  }

  @Test func `a failing job stops only the jobs that need it`() async throws {
    let workspace = try await TemporaryWorkspace()
    workspace.server.inject(
      .status(.permissionDenied), times: nil, matching: "AppSettings")
    let result = try await workspace.run("run", "--all")
    #expect(result.status == 77)
    #expect(result.errors.contains("settings: "))
    let runs = try workspace.store().read { try $0.lastRuns() }
    #expect(runs["settings"]?.outcome == .failed)
    #expect(runs["online-users"]?.outcome == .blocked)
    #expect(workspace.userRequests == 0)
    #expect(runs["maintain"]?.outcome == .ok)
  }

  @Test func `a run that failed still says what it asked the server for`() async throws {
    let workspace = try await TemporaryWorkspace()
    workspace.server.inject(.status(.permissionDenied), times: nil, matching: "AppSettings")
    _ = try await workspace.run("run", "settings")
    let run = try #require(try workspace.store().read { try $0.lastRuns() }["settings"])
    #expect(run.outcome == .failed)
    // The first request is for the database's edition.
    #expect(run.counts.requests == 2)
  }

  @Test
  func `an interrupted run says so, ends with 130, and its failure hook hears of it`() async throws
  {
    let workspace = try await TemporaryWorkspace()
    workspace.server.inject(.delay(.seconds(60)), times: nil, matching: "AppSettings")
    try workspace.write(
      "kind: sync-settings\nhooks: {on_failure: {command: echo $FIRETALLY_OUTCOME > heard}}\n",
      to: "jobs/settings.yml")
    let running = try workspace.start(["run", "settings"])
    while workspace.server.requests.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
    running.process.interrupt()
    let result = try await running.wait()
    #expect(result.status == 130)
    #expect(
      result.errors.contains("Z error: settings: Interrupted. Run it again to continue.\n"))
    let heard = workspace.folder.appendingPathComponent("heard")
    #expect(try String(contentsOf: heard, encoding: .utf8) == "interrupted\n")
    let run = try #require(try workspace.store().read { try $0.lastRuns() }["settings"])
    #expect(run.outcome == .interrupted)
    #expect(run.endedAt != nil)
  }

  @Test
  func `maintain keeps the last backup of as many days as it is told, the newest`() async throws {
    let workspace = try await TemporaryWorkspace()
    try workspace.write("kind: maintain\nkeep_backups: 2\n", to: "jobs/maintain.yml")
    let folder = workspace.folder.appendingPathComponent("data/backups").path
    for stamp in ["29T08", "30T08", "30T20", "31T08", "31T09", "31T10"] {
      let now = try #require(Instant(iso8601: "2026-01-\(stamp):00:00Z"))
      #expect(try await workspace.run("run", "maintain", at: now).status == 0)
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    #expect(
      names.filter { !$0.hasSuffix(".json") }
        == ["30T20", "31T10"].map { "firetally-2026-01-\($0)0000Z.sqlite.gz" })
    #expect(names.count == 4)
  }

  @Test func `the pages are written, complete and without anything beside them`() async throws {
    let workspace = try await TemporaryWorkspace()
    _ = try await workspace.run("run", "--all")
    let output = workspace.folder.appendingPathComponent("output").path
    let names = try FileManager.default.contentsOfDirectory(atPath: output)
    for page in ["index", "usage", "limits", "ratings", "users", "runs"] {
      #expect(names.contains("\(page).html"))
      #expect(names.contains("\(page).txt"))
    }
    #expect(
      names.allSatisfy {
        ["history", "tables"].contains($0) != $0.contains(".") && !$0.contains("tmp")
      })
  }
}
