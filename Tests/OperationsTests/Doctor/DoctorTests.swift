import Firestore
import Fixtures
import Foundation
import HTTP
import JobsTesting
import Model
import Store
import Testing

@testable import Operations
@testable import Workspace

/// How checks are made, and those of files, time zones, database, lock, output and libraries.
struct DoctorTests {
  private struct Odd: Error, CustomStringConvertible {
    var description: String { "something odd" }
  }

  private struct OddCheck: DoctorCheck {
    static let name = "odd"
    func findings(in context: DoctorContext) throws -> [DoctorFinding] { throw Odd() }
  }

  private struct NetworkCheck: DoctorCheck {
    static let name = "network"
    static let needsNetwork = true
    func findings(in context: DoctorContext) -> [DoctorFinding] { ok("reached") }
  }

  @Test func `an unexpected error fails its own line, and the next checks are made`() async throws {
    let context = try DoctorStage().context()
    let found = try await Doctor.examine(context, [OddCheck.self, NetworkCheck.self])
    #expect(found.map(DoctorStage.line) == ["fail: something odd", "ok: reached"])
    #expect(found.map(\.check) == ["odd", "network"])
  }

  @Test func `offline nothing that needs the network is looked at`() async throws {
    let stage = try DoctorStage()
    stage.isOffline = true
    #expect(try await stage.lines(of: NetworkCheck.self).isEmpty)
  }

  @Test func `with a wrong configuration the other checks are made, or named as not made`()
    async throws
  {
    let stage = try DoctorStage(configuration: "app: {name: 7}\ncolour: red\n")
    let found = try await Doctor.examine(try stage.context())
    let lines = found.filter { $0.check == "configuration" }.map(DoctorStage.line)
    #expect(lines.count > 1 && lines.allSatisfy { $0.hasPrefix("fail: firetally.yml:") })
    let rest = try #require(found.last)
    #expect(rest.check == "not-checked" && rest.verdict == .warn)
    #expect(rest.message.contains("since firetally.yml is wrong: credentials, secrets, clock"))
    let made = Set(found.map(\.check))
    #expect(made.isSuperset(of: ["time-zone", "database", "lock", "output", "libraries"]))
  }

  @Test func `every check has its own name, and the order is that of the manual`() throws {
    let names = Doctor.checks.map { $0.name }
    #expect(Set(names).count == names.count)
    let page = try SourceTree.text(of: "docs/doctor.md")
    let rows = page.split(separator: "\n").compactMap { line in
      line.firstMatch(of: /^\| `([a-z-]+)` \|/).map { String($0.output.1) }
    }
    #expect(Array(rows.prefix(names.count)) == names)
  }

  @Test func `what is cancelled ends the examination`() async throws {
    let context = try DoctorStage().context()
    let task = Task { try await Doctor.examine(context, [OddCheck.self]) }
    task.cancel()
    _ = await task.result
    let outcome = await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await Doctor.examine(context, [NetworkCheck.self])
    }.result
    #expect(throws: CancellationError.self) { try outcome.get() }
  }

  @Test(
    arguments: [
      ("name: ChatHub, bundle_id: a.b", "shop", "app.name (ChatHub)"),
      ("name: C, bundle_id: com.peppty.ChatApp", "shop", "app.bundle_id (com.peppty.ChatApp)"),
      (
        "name: ChatHub, bundle_id: com.peppty.ChatApp", "shop",
        "app.name (ChatHub) and app.bundle_id (com.peppty.ChatApp)"
      ),
      ("name: C, bundle_id: a.b", "shop", nil),
      ("name: ChatHub, bundle_id: com.peppty.ChatApp", "demo", nil),
    ] as [(String, String, String?)])
  func `the example's app in a workspace of another project is a warning, until it has settings`(
    app: String, project: String, left: String?
  ) async throws {
    let stage = try DoctorStage(
      configuration: "app: {\(app)}\nfirestore: {project: \(project)}\n")
    let warning = left.map {
      "warn: firetally.yml has the example's \($0). Write your app's own: settings and feedback are "
        + "looked for by them."
    }
    let lines = try await stage.lines(of: ConfigurationCheck.self)
    #expect(lines == ["ok: firetally.yml is right.", warning].compactMap(\.self))
    _ = try stage.workspace.store.write { writer in
      try writer.record(
        fetched: [
          FetchedSetting(
            wireName: "freeRefreshLimit", rawValue: "3", source: .appSettings,
            fetchedAt: .morning)
        ], from: .appSettings, at: .morning)
    }
    #expect(try await stage.lines(of: ConfigurationCheck.self) == ["ok: firetally.yml is right."])
  }

  @Test(arguments: [("ios", 0), ("android", 3)])
  func `names of events that Google Analytics would drop are told`(
    platform: String, dropped: Int
  ) async throws {
    let app = "app: {name: C, bundle_id: a.b, platform: \(platform)}\n"
    let analytics =
      "analytics: {firebase_app_id: '1:2:ios:3', app_instance_id: "
      + "0123456789abcdef0123456789abcdef, api_secret_env: S}\n"
    let stage = try DoctorStage(configuration: app + analytics)
    let lines = try await stage.lines(of: ConfigurationCheck.self)
    #expect(lines.count == (dropped == 0 ? 1 : 2), "\(lines)")
    let told = lines.last?.matches(of: /android_[a-z]+_subscription_button_tapped/).count
    #expect(told == dropped)
    let without = try DoctorStage(configuration: app)
    #expect(try await without.lines(of: ConfigurationCheck.self).count == 1)
  }

  @Test func `each problem of a job file is a line`() async throws {
    let stage = try DoctorStage(jobs: [
      "settle": "kind: settle\n", "maintain": "kind: maintain\nkeep_backups: x\ncolour: red\n",
    ])
    let lines = try await stage.lines(of: JobFilesCheck.self)
    #expect(lines.count == 3)
    #expect(lines.prefix(2).allSatisfy { $0.hasPrefix("fail: jobs/maintain.yml:") })
    #expect(lines.last == "ok: 1 other job file is right.")
    let none = try await DoctorStage().lines(of: JobFilesCheck.self)
    #expect(none.map { $0.prefix(5) } == ["warn:"])
  }

  @Test func `time zone data is there, or is not`() async throws {
    let stage = try DoctorStage(
      configuration: "app: {name: C, bundle_id: a.b}\ntime_zone: Europe/Berlin\n")
    #expect(
      try await stage.lines(of: TimeZoneCheck.self) == [
        "ok: Time zone data was found; in Europe/Berlin it is 2026-01-31 09:00:00 +01:00."
      ])
    stage.knowsTimeZones = false
    let lines = try await stage.lines(of: TimeZoneCheck.self)
    #expect(lines.count == 1 && lines[0].hasPrefix("fail: There is no time zone data"))
  }

  @Test func `a sound database is told with its schema, others with what is wrong`() async throws {
    let stage = try DoctorStage()
    let sound = try await stage.lines(of: DatabaseCheck.self)
    #expect(sound.count == 1 && sound[0].hasPrefix("ok: "))
    #expect(sound[0].contains("is sound (quick_check), has schema version "))
    stage.database = .success(nil)
    #expect(
      try await stage.lines(of: DatabaseCheck.self)
        == ["warn: There is no database yet. `firetally run --all` makes it."])
    let path = stage.workspace.folder.databasePath
    stage.database = .failure(StoreError.notADatabase(path: path))
    #expect(try await stage.findings(of: DatabaseCheck.self).map(\.verdict) == [.fail])
  }

  @Test func `a database of an older release is read as a copy, and the next job advised`()
    async throws
  {
    let stage = try DoctorStage()
    stage.olderSchema = 23
    let lines = try await stage.lines(of: DatabaseCheck.self)
    #expect(lines.count == 1 && lines[0].hasPrefix("warn: "))
    #expect(lines[0].contains(" has schema 23, of an older firetally, and "))
    #expect(lines[0].contains("A copy with schema \(Store.schemaVersion) is sound"))
    #expect(lines[0].hasSuffix("`firetally run maintain` does this and asks no server."))
  }

  @Test func `a database with a broken page fails`() async throws {
    let stage = try DoctorStage()
    try stage.workspace.store.close()
    let path = stage.workspace.folder.databasePath
    let url = URL(filePath: path)
    var bytes = try Data(contentsOf: url)
    // The cells of the second page, behind its header.
    for index in 16_384 + 8..<16_384 + 200 { bytes[index] = 0xFF }
    try bytes.write(to: url)
    stage.database = .success(try Store.open(path: path, mode: .readOnly))
    let found = try await stage.findings(of: DatabaseCheck.self)
    #expect(found.map(\.verdict) == [.fail])
    #expect(found[0].message.contains("is damaged"))
  }

  private struct CorruptCheck: DoctorCheck {
    static let name = "corrupt"
    func findings(in context: DoctorContext) throws -> [DoctorFinding] {
      throw StoreError.corrupt(path: "x.sqlite", reason: "malformed")
    }
  }

  @Test func `a damaged database is told by its own check, others are named as not made`()
    async throws
  {
    let found = try await Doctor.examine(
      try DoctorStage().context(), [CorruptCheck.self, NetworkCheck.self])
    #expect(
      found.map(DoctorStage.line) == [
        "ok: reached",
        "warn: Not checked, since the database cannot be read: corrupt. "
          + "Correct that, and run `firetally doctor` again.",
      ])
  }

  @Test func `a database that everybody can read is a warning`() async throws {
    let stage = try DoctorStage()
    let path = stage.workspace.folder.databasePath
    for (mode, verdicts) in [
      (0o600, [DoctorFinding.Verdict.ok]), (0o640, [.ok]), (0o644, [.ok, .warn]),
    ] {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
      #expect(try await stage.findings(of: DatabaseCheck.self).map(\.verdict) == verdicts)
    }
  }

  @Test func `the lock is free, held in time, or held for too long`() async throws {
    let stage = try DoctorStage()
    #expect(try await stage.lines(of: LockCheck.self) == ["ok: The lock is free."])
    let held = try await WorkspaceLock.acquire(
      stage.workspace.folder, for: .thisProcess(command: "firetally run a", since: .morning),
      wait: .zero, sleep: { _ in })
    defer { held.release() }
    try held.begin(job: "a", timeout: .seconds(60), at: .morning)
    let inTime = try await stage.lines(of: LockCheck.self)
    #expect(inTime[0].hasPrefix("ok: the job a of pid ") && inTime[0].contains("firetally run a"))
    stage.clock.advance(by: .seconds(60))
    #expect(try await stage.findings(of: LockCheck.self).map(\.verdict) == [.ok])
    stage.clock.advance(by: .milliseconds(1))
    let late = try await stage.lines(of: LockCheck.self)
    #expect(late[0].hasPrefix("warn: ") && late[0].contains("its timeout of 1m"))
  }

  @Test func `a workspace on another machine's disk is a warning`() async throws {
    let stage = try DoctorStage()
    stage.disk.isRemote = true
    #expect(try await stage.findings(of: LockCheck.self).map(\.verdict) == [.ok, .warn])
    let mounts = """
      /dev/sda1 / ext4 rw 0 0
      nas:/x /srv nfs4 rw 0 0
      /dev/sdb1 /srv/local ext4 rw 0 0
      nas:/y /mnt/two\\040words cifs rw 0 0
      """
    for (path, isRemote) in [
      ("/", false), ("/srv", true), ("/srv/a", true), ("/srvx", false), ("/srv/local/a", false),
      ("/mnt/two words/a", true),
    ] {
      #expect(DoctorMachine.isRemote(path, mounts: mounts) == isRemote, "\(path)")
    }
    #expect(!DoctorMachine.isRemote("/srv", mounts: ""))
  }

  @Test func `folders that cannot be written are named`() async throws {
    let stage = try DoctorStage(jobs: ["report": "kind: report\noutput: /proc/nowhere/at/all\n"])
    let lines = try await stage.lines(of: OutputCheck.self)
    #expect(lines.count == 1)
    #expect(lines[0].hasPrefix("fail: Cannot make the folder /proc/nowhere/at/all"))
    let good = try await DoctorStage().lines(of: OutputCheck.self)
    #expect(good.count == 1 && good[0].hasPrefix("ok: "))
  }

  @Test func `the libraries are named with their versions`() async throws {
    let lines = try await DoctorStage().lines(of: LibrariesCheck.self)
    #expect(lines.count == 1)
    #expect(
      lines[0].firstMatch(of: /^ok: SQLite 3\.\d+\.\d+, libxml2 2\.\d+\.\d+, libcurl\/\d+\.\d+/)
        != nil, "\(lines)")
  }
}
