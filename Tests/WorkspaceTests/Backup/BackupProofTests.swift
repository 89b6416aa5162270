import Fixtures
import Foundation
import JobsTesting
import Model
import Platform
import Store
import StoreTesting
import Testing

@testable import Jobs
@testable import Operations
@testable import Workspace

/// Backups that are proven, that hold the workspace's files, and that are encrypted.
@Suite struct BackupProofTests {
  private static let configuration = "app: {name: Chat, bundle_id: com.example.app}\n"

  private func workspace(_ more: String = "") throws -> TestWorkspace {
    let workspace = try TestWorkspace(
      jobs: ["maintain": "kind: maintain\n"], configuration: Self.configuration + more)
    try workspace.store.write { try $0.setMark("here", named: "word") }
    return workspace
  }

  private func backups(_ workspace: TestWorkspace) throws -> [BackupEntry] {
    try BackupFolder(workspace.folder.backupsFolder).entries()
  }

  private func prove(
    _ workspace: TestWorkspace, filled: Set<String> = []
  ) throws -> BackupProof {
    let cipher = BackupCipher(try workspace.folder.config(), in: workspace.folder)
    return try BackupProver(workspace: workspace.folder, cipher: cipher, now: .morning)
      .prove(try #require(try backups(workspace).first).path, against: filled)
  }

  /// The draft of a file that a process left when it died.
  private func leftDraft(of path: String) throws -> String {
    // No process has it: beyond the largest that Linux gives.
    let draft = AtomicFile.temporaryPath(for: path, writer: DraftWriter(process: 4_194_305))
    _ = try AtomicFile.create([0], at: draft)
    return draft
  }

  private func last(_ workspace: TestWorkspace) throws -> BackupProof? {
    try workspace.store.read { try BackupProof.last($0) }
  }

  private func keptFiles(of workspace: TestWorkspace) throws -> [BackupFile] {
    try WorkspaceFiles.read(
      in: workspace.folder, workspace.folder.config(), ofJobs: workspace.folder.jobs().files)
  }

  @Test func `maintain restores a backup once a week to prove it, and leaves nothing of that`()
    async throws
  {
    let workspace = try workspace()
    let first = try await workspace.run(.all)
    #expect(first[0].summary.contains("Its restore was tested: "))
    #expect(first[0].summary.hasSuffix(" and 2 files."))
    let names = try FileContents.names(in: workspace.folder.dataFolder)
    #expect(names.filter { $0.hasPrefix(".") } == [])
    for (day, isProven) in [(1, false), (6, false), (7, true), (8, false)] {
      let now = Instant.morning + .seconds(day * 86_400)
      let report = try await workspace.run(.all, at: now)[0]
      #expect(report.run.outcome == .ok)
      #expect(report.summary.contains("restore was tested") == isProven, "\(day)")
      #expect(try last(workspace)?.at == (day < 7 ? .morning : .morning + .seconds(604_800)))
    }
    // The proof of a plain backup says nothing of an encrypted one.
    try workspace.write(Self.configuration + "backup: {encrypt: gzip}\n", to: "firetally.yml")
    for (day, isProven) in [(9, true), (10, false)] {
      let report = try await workspace.run(.all, at: .morning + .seconds(day * 86_400))[0]
      #expect(report.summary.contains("no restore was tested") == isProven, "\(day)")
    }
  }

  @Test func `a backup that cannot be restored fails the job, and is proven again the next time`()
    async throws
  {
    let workspace = try workspace("backup: {encrypt: gzip, decrypt: 'echo no key >&2; exit 3'}\n")
    try FileManager.default.moveItem(
      atPath: workspace.folder.path("jobs/maintain.yml"),
      toPath: workspace.folder.path("jobs/nightly.yml"))
    let report = try await workspace.run(.all)[0]
    #expect(report.run.outcome == .failed)
    #expect(
      report.run.error?.contains(
        "it was not decrypted: the command of backup.decrypt or --decrypt ended with status 3: no "
          + "key. ")
        == true)
    #expect(report.run.error?.contains("`firetally run nightly` makes and tests") == true)
    #expect(try last(workspace)?.problem?.contains("no key") == true)
    #expect(try last(workspace)?.problem?.contains("exit 3") == false)
    #expect(try backups(workspace).count == 1)
    try workspace.write(
      Self.configuration + "backup: {encrypt: gzip, decrypt: gzip -d}\n", to: "firetally.yml")
    let mended = try await workspace.run(.all, at: .morning + .seconds(86_400))[0]
    #expect(mended.run.outcome == .ok && mended.summary.contains("Its restore was tested: "))
    #expect(try last(workspace)?.problem == nil)
  }

  @Test(arguments: [
    ("exit 3", ""), ("echo no key >&2; exit 3", ": no key"),
    ("echo No key. >&2; exit 3", ": No key"),
  ])
  func `of a command that fails the key is named, with what it said and where to run it`(
    command: String, said: String
  ) async throws {
    let workspace = try workspace("backup: {encrypt: '\(command)', decrypt: '\(command)'}\n")
    let folder = workspace.folder
    func failed(_ place: String) -> String {
      "the command of \(place) ended with status 3\(said). Run it by hand in \(folder.root) to see "
        + "why."
    }
    let report = try await workspace.run(.all)[0]
    #expect(
      report.run.error
        == "The backup for \(folder.backupsFolder) was not encrypted: \(failed("backup.encrypt"))")
    #expect(try FileContents.names(in: folder.backupsFolder).isEmpty)
    let list = "data/backups/erasures-2026-01-31T080000Z.json"
    try workspace.write("", to: list + ".enc")
    let backup = try BackupMaker(
      folder: BackupFolder(folder.backupsFolder), reason: .command, now: .morning
    ).backUp(workspace.store)
    let cipher = BackupCipher(try folder.config(), in: folder)
    func expectRefusal(_ sentence: String) async {
      await #expect {
        try await Restore(into: folder, at: .morning, cipher: cipher, sleep: { _ in })
          .perform("\(folder.backupsFolder)/\(backup.file)")
      } throws: { "\($0)" == sentence }
    }
    await expectRefusal(
      "\(folder.path(list)).enc was not decrypted: \(failed("backup.decrypt or --decrypt"))")
    try FileManager.default.moveItem(
      atPath: folder.path(list + ".enc"), toPath: folder.path(list))
    await expectRefusal(
      "\(folder.path(list)) holds no list of erased people. Nothing was changed. Copy it again, or "
        + "move it away to restore without it.")
  }

  @Test func `older backups stay until the new one is proven`() async throws {
    let workspace = try workspace()
    try workspace.write("kind: maintain\nkeep: {daily: 1}\n", to: "jobs/maintain.yml")
    func run(day: Int, decrypt: String) async throws -> Run.Outcome? {
      try workspace.write(
        Self.configuration + "backup: {encrypt: gzip, decrypt: \(decrypt)}\n", to: "firetally.yml")
      return try await workspace.run(.all, at: .morning + .seconds(day * 86_400))[0].run.outcome
    }
    for (day, decrypt, outcome, left) in [
      (0, "gzip -d", Run.Outcome.ok, 1), (8, "exit 3", .failed, 2), (9, "gzip -d", .ok, 1),
    ] {
      #expect(try await run(day: day, decrypt: decrypt) == outcome, "\(day)")
      #expect(try backups(workspace).count == left, "\(day)")
    }
  }

  @Test func `a proof says what is wrong with a backup`() throws {
    let workspace = try workspace()
    let (folder, store) = (BackupFolder(workspace.folder.backupsFolder), workspace.store)
    let file = BackupFile(path: "firetally.yml", bytes: [])
    func make(_ files: [BackupFile], at now: Instant) throws {
      _ = try BackupMaker(folder: folder, reason: .command, now: now, files: files).backUp(store)
    }
    try make([file], at: .morning)
    let sound = try prove(workspace, filled: ["marks", "grdb_migrations"])
    #expect(sound.problem == nil && sound.files == 1 && sound.isWhole)
    #expect(
      sound.rows
        == (try backups(workspace).first.map { entry in
          try BackupManifest.read(beside: entry.path)?.counts.values.reduce(0, +)
        } ?? nil))
    #expect(
      try prove(workspace, filled: ["marks", "events"]).problem
        == "its table events is empty, and the database's is not")
    let draft = try leftDraft(of: workspace.folder.databasePath)
    try make([], at: .morning + .seconds(1))
    #expect(try prove(workspace).problem == "it lacks firetally.yml")
    #expect(access(draft, F_OK) != 0)
    try make([file, BackupFile(path: "../a", bytes: [])], at: .morning + .seconds(2))
    #expect(try prove(workspace).problem == "its file '../a' leads out of the workspace")
    let path = try #require(try backups(workspace).first?.path)
    try Data([0x1F, 0x8B]).write(to: URL(filePath: path))
    #expect(try prove(workspace).problem?.contains("bytes, and its manifest says") == true)
  }

  @Test func `of a backup that cannot be opened nobody says what it lacks`() throws {
    let workspace = try workspace()
    let copy = workspace.folder.path("data/newer.sqlite")
    try SQLiteFile.execute(workspace.folder.databasePath, "VACUUM INTO '\(copy)'")
    try SQLiteFile.execute(copy, "PRAGMA user_version = \(Store.schemaVersion + 1)")
    let proof = try BackupProver(workspace: workspace.folder, cipher: .none, now: .morning)
      .prove(copy, against: [])
    #expect(proof.problem?.hasPrefix("it cannot be opened: ") == true)
    #expect(proof.problem?.contains("lacks") == false, "\(proof.problem ?? "")")
  }

  @Test(arguments: [(300, true), (301, false)])
  func `a proof dated in the future counts nowhere`(seconds: Int, counts: Bool) {
    let proof = BackupProof(at: .morning + .seconds(seconds), file: "f", rows: 1, files: 1)
    #expect((BackupStatus([], proof: proof, at: .morning).proof != nil) == counts)
  }

  @Test(
    arguments: [
      (.busy(path: "/d"), true), (.cannotOpen(path: "/d", reason: "r"), true),
      (.diskFailed(path: "/d", reason: "r"), true), (.diskFull(path: "/d"), true),
      (.readOnly(path: "/d"), true), (.tooManyFiles(path: "/d"), true),
      (.corrupt(path: "/d", reason: "r"), false), (.notADatabase(path: "/d"), false),
      (.unreleasedSchema(path: "/d", version: 26), false),
      (.newerSchema(path: "/d", version: 99, supported: 30), false),
      (.failed(path: "/d", reason: "r", code: 1), false),
    ] as [(StoreError, Bool)])
  func `a full or failing machine is no problem of the backup`(
    error: StoreError, isOfMachine: Bool
  ) throws {
    if isOfMachine {
      #expect(throws: error) { try BackupProver.problem(of: error) }
    } else {
      #expect(try BackupProver.problem(of: error) == "it cannot be opened: \(error)")
    }
  }

  @Test func `where the disk has no room for a proof, the last proven backup stays`() async throws {
    let workspace = try workspace()
    for day in 0...2 {
      try await workspace.run(.all, at: .morning + .seconds(day * 86_400))
    }
    let names = try backups(workspace).map(\.name)
    let folder = BackupFolder(workspace.folder.backupsFolder)
    try folder.prune(
      keeping: RetentionPolicy(daily: 1, weekly: 0, monthly: 0), and: last(workspace)?.file,
      timeZone: "UTC", at: .morning + .seconds(3 * 86_400))
    #expect(try backups(workspace).map(\.name) == [names[0], names[2]])
  }

  @Test func `an encrypted backup is named so, is no gzip file, and comes back`() async throws {
    let workspace = try workspace(
      "backup: {encrypt: 'tr A-Za-z N-ZA-Mn-za-m', decrypt: 'tr A-Za-z N-ZA-Mn-za-m'}\n")
    try workspace.write("00000000000000010000000000000002\n", to: "data/contacts.key")
    #expect(try await workspace.run(.all)[0].run.outcome == .ok)
    let entry = try #require(try backups(workspace).first)
    #expect(entry.name == "firetally-2026-01-31T080000Z.sqlite.gz.enc" && entry.isWhole)
    let cipher = BackupCipher(try workspace.folder.config(), in: workspace.folder)
    let blind = try BackupCheck(entry.path, expandingIn: workspace.folder.dataFolder)
    #expect(blind.problems.isEmpty && blind.inspection == nil)
    let target = Workspace(root: workspace.folder.path("new"))
    try target.makeFolders()
    let restore = Restore(into: target, at: .morning, cipher: cipher, sleep: { _ in })
    let outcome = try await restore.perform(entry.path)
    #expect(
      outcome.writtenFiles == ["data/contacts.key", "firetally.yml", "jobs/maintain.yml"])
    let refused = Restore(into: target, at: .morning, sleep: { _ in })
    await #expect(throws: WorkspaceError.encryptedBackup(entry.path)) {
      try await refused.perform(entry.path)
    }
  }

  @Test func `while it is made, nothing but the encrypted draft is in the folder of backups`()
    throws
  {
    let workspace = try workspace(
      "backup: {encrypt: 'ls -A data/backups >>seen; cat', decrypt: cat}\n")
    let folder = workspace.folder
    let draft = try leftDraft(of: folder.databasePath)
    _ = try BackupMaker(
      folder: BackupFolder(folder.backupsFolder), reason: .command, now: .morning,
      cipher: BackupCipher(try folder.config(), in: folder)
    ).backUp(workspace.store)
    #expect(access(draft, F_OK) != 0)
    try workspace.store.merge([.numbered(4_711)])
    _ = try PersonErasure(folder, try folder.jobs(), workspace.store, id: "user-4711")
      .perform(at: .morning)
    let seen = String(
      decoding: try FileContents.bytes(of: folder.path("seen"), limit: 9_999), as: UTF8.self
    ).split(separator: "\n").filter { $0.hasPrefix(".") }
    #expect(seen.count == 2 && seen.allSatisfy { $0.contains(".enc.") }, "\(seen)")
    #expect(try FileContents.names(in: folder.dataFolder).filter { $0.hasPrefix(".") } == [])
  }

  @Test(arguments: [
    ("", false), ("backup: {contacts_key: true}\n", true),
    ("backup: {encrypt: gzip}\n", true), ("backup: {encrypt: gzip, contacts_key: false}\n", false),
  ])
  func `the key of contacts is in encrypted backups, or by choice, that of masks in all`(
    more: String, isKept: Bool
  ) throws {
    let workspace = try workspace(more)
    for key in ["contacts", "masks"] { try workspace.write("key\n", to: "data/\(key).key") }
    let files = try keptFiles(of: workspace).map(\.path)
    #expect(files.contains("data/contacts.key") == isKept && files.contains("data/masks.key"))
  }

  @Test func `a restore writes the files that are missing, and leaves those that are there`()
    async throws
  {
    let workspace = try workspace()
    try workspace.write("-- page: own\nSELECT 1\n", to: "reports/own.sql")
    try workspace.write("{}", to: "schema/job.json")
    try workspace.write("body {}", to: "brand/style.css")
    try workspace.write("# none\n", to: "cron.example")
    try workspace.write("kind: report\nstyle_sheet: brand/style.css\n", to: "jobs/report.yml")
    let manifest = try BackupMaker(
      folder: BackupFolder(workspace.folder.backupsFolder), reason: .command, now: .morning,
      files: keptFiles(of: workspace)
    ).backUp(workspace.store)
    let target = Workspace(root: workspace.folder.path("new"))
    try target.makeFolders()
    _ = try AtomicFile.create(Array("mine".utf8), at: target.path("jobs/report.yml"))
    symlink("/nowhere", target.path("cron.example"))
    let draft = try leftDraft(of: target.path("firetally.yml"))
    let outcome = try await Restore(into: target, at: .morning, sleep: { _ in })
      .perform("\(workspace.folder.backupsFolder)/\(manifest.file)")
    #expect(
      outcome.writtenFiles == [
        "brand/style.css", "firetally.yml", "jobs/maintain.yml", "reports/own.sql",
        "schema/job.json",
      ])
    #expect(access(draft, F_OK) != 0)
    #expect(
      try FileContents.bytes(of: target.path("jobs/report.yml"), limit: 9) == Array("mine".utf8))
    let store = try Store.open(path: target.databasePath, mode: .readOnly)
    #expect(try store.read { try !$0.filledTables().contains("firetally_files") })
    #expect(try store.read { try $0.mark(named: "word") } == "here")
  }

  @Test(arguments: [
    ("css/brand.css", ["css/brand.css"]), ("css/...css", ["css/...css"]), ("./brand.css", []),
    ("css//brand.css", []), ("css/../brand.css", []), ("../ROOT/brand.css", []),
  ])
  func `a style sheet is kept when its path leads straight into the workspace`(
    path: String, kept: [String]
  ) throws {
    let workspace = try workspace()
    for path in ["brand.css", "css/brand.css", "css/...css"] {
      try workspace.write("body {}", to: path)
    }
    let path = path.replacing("ROOT", with: URL(filePath: workspace.folder.root).lastPathComponent)
    try workspace.write("kind: report\nstyle_sheet: \(path)\n", to: "jobs/report.yml")
    #expect(try keptFiles(of: workspace).map(\.path).filter { $0.hasSuffix("css") } == kept)
  }

  @Test(arguments: [(0, true), (1 << 20, true), ((1 << 20) + 1, false)])
  func `files of up to 1 MiB are kept`(bytes: Int, isKept: Bool) throws {
    let workspace = try workspace()
    try workspace.write(String(repeating: "-", count: bytes), to: "reports/own.sql")
    let file = try keptFiles(of: workspace).first { $0.path == "reports/own.sql" }
    #expect(file?.bytes.count == (isKept ? bytes : nil))
  }

  @Test(arguments: ["../out", "/etc/out", "jobs/../../out", "jobs//out", "jobs/./out", ""])
  func `a file that leads out of the workspace is refused, and nothing changes`(
    path: String
  ) async throws {
    let workspace = try workspace()
    let manifest = try BackupMaker(
      folder: BackupFolder(workspace.folder.backupsFolder), reason: .command, now: .morning,
      files: [BackupFile(path: "a", bytes: []), BackupFile(path: path, bytes: [])]
    ).backUp(workspace.store)
    let target = Workspace(root: workspace.folder.path("new"))
    try target.makeFolders()
    await #expect(throws: WorkspaceError.self) {
      try await Restore(into: target, at: .morning, sleep: { _ in })
        .perform("\(workspace.folder.backupsFolder)/\(manifest.file)")
    }
    #expect(access(target.databasePath, F_OK) != 0)
    #expect(access(target.path("a"), F_OK) != 0)
  }

  @Test(arguments: ["", "backup: {encrypt: gzip, decrypt: gzip -d}\n"])
  func `who is erased after a backup is erased again by the list beside it, without a database`(
    more: String
  ) async throws {
    let workspace = try workspace(more)
    try workspace.store.merge([.numbered(4_711)])
    try await workspace.run(.all)
    let entry = try #require(try backups(workspace).first)
    for (second, id) in [(1, "user-4711"), (2, "user-4711")] {
      _ = try PersonErasure(
        workspace.folder, try workspace.folder.jobs(), workspace.store, id: id
      ).perform(at: .morning + .seconds(second))
    }
    let target = Workspace(root: workspace.folder.path("new"))
    try target.makeFolders()
    let cipher = BackupCipher(try workspace.folder.config(), in: workspace.folder)
    let outcome = try await Restore(
      into: target, at: .morning, cipher: cipher, sleep: { _ in }
    ).perform(entry.path)
    #expect(outcome.knowsErasures && outcome.erasedAgain == 1)
    let store = try Store.open(path: target.databasePath, mode: .readOnly)
    #expect(try store.read { try $0.userExists(id: "user-4711") } == false)
    #expect(
      try FileContents.names(in: workspace.folder.backupsFolder)
        .filter(ErasureList.isName).count == 2)
    try await workspace.run(.all, at: .morning + .seconds(86_400))
    #expect(
      try FileContents.names(in: workspace.folder.backupsFolder)
        .filter(ErasureList.isName).count == 1)
  }
}
