import Fixtures
import Foundation
import Model
import Store
import StoreTesting
import Testing

@testable import Workspace

/// Held against `docs/backup.md#verify`.
struct BackupCheckTests {
  private let temporary: TemporaryFolder
  private let store: Store
  private let path: String

  init() throws {
    temporary = try TemporaryFolder()
    store = try NewDatabase.open(path: temporary.path(of: "firetally.sqlite"))
    try store.write { writer in
      for number in 0..<2_000 { try writer.setMark("\(number)", named: "name \(number)") }
    }
    let folder = BackupFolder(temporary.path(of: "backups"))
    let manifest = try BackupMaker(folder: folder, reason: .command, now: .morning).backUp(store)
    path = "\(folder.path)/\(manifest.file)"
  }

  private func check() throws -> BackupCheck {
    let check = try BackupCheck(path, expandingIn: temporary.path)
    let left = try temporary.names().filter { $0.hasSuffix(".tmp") }
    #expect(left.isEmpty)
    return check
  }

  private func changeManifest(_ change: (inout BackupManifest) -> Void) throws {
    var manifest = try #require(try BackupManifest.read(beside: path))
    change(&manifest)
    try Data(try StoredJSON.file(of: manifest)).write(to: URL(filePath: path + ".json"))
  }

  @Test(arguments: [
    (false, "was not decrypted: the command of "), (true, "is damaged: it was not decrypted: the "),
  ])
  func `a key that does not fit is told as that, and damage as damage`(
    isCut: Bool, words: String
  ) throws {
    let encrypted = path + BackupCipher.suffix
    for end in ["", BackupManifest.suffix] {
      try FileManager.default.copyItem(atPath: path + end, toPath: encrypted + end)
    }
    if isCut { truncate(encrypted, 1_000) }
    let check = try BackupCheck(
      encrypted, expandingIn: temporary.path,
      cipher: BackupCipher(decryption: "exit 3", in: temporary.path))
    #expect(check.refusal?.description.hasPrefix("The backup \(encrypted) \(words)") == true)
  }

  @Test func `a backup as it was made is sound`() throws {
    let check = try check()
    #expect(check.problems.isEmpty)
    #expect(check.inspection?.counts["marks"] == 2_001)
    #expect(check.manifest?.sha256 == check.digest.sha256)
  }

  @Test func `any bit that changes is found`() throws {
    let whole = try Data(contentsOf: URL(filePath: path))
    var generator = SystemRandomNumberGenerator()
    for position in [2, whole.count / 2, whole.count - 1]
      + (0..<20).map({ _ in Int.random(in: 0..<whole.count, using: &generator) })
    {
      var bytes = whole
      bytes[position] ^= 1 << 3
      try bytes.write(to: URL(filePath: path))
      let problems = try check().problems
      #expect(problems.contains("its SHA-256 is not that of its manifest"), "\(position)")
    }
  }

  @Test func `a backup that is cut short is found, with or without its manifest`() throws {
    truncate(path, 1_000)
    let problems = try check().problems
    #expect(problems.contains("it is cut short"))
    #expect(problems.contains { $0.hasPrefix("it has 1000 bytes, and its manifest says ") })
    try FileManager.default.removeItem(atPath: path + ".json")
    #expect(try check().problems == ["it is cut short"])
  }

  @Test func `rows and schema are held against the manifest`() throws {
    try changeManifest { $0.counts["marks"] = 7 }
    #expect(
      try check().problems == ["the table marks has 2001 rows, and its manifest says 7"])
    try changeManifest {
      $0.counts["marks"] = nil
      $0.counts["more"] = 1
      $0.schema = 3
    }
    #expect(
      try check().problems == [
        "it has schema \(Store.schemaVersion), and its manifest says 3",
        "the table marks has 2001 rows, and its manifest says nothing",
        "the table more has no rows, and its manifest says 1",
      ])
  }

  @Test func `a manifest of another project or a later format is a problem`() throws {
    try changeManifest { $0.project = "other" }
    #expect(try check().problems == ["it is not of the project that its manifest says"])
    try changeManifest { $0.format = BackupManifest.currentFormat + 1 }
    #expect(try check().problems == ["its manifest has format 2, and this firetally knows 1"])
  }

  @Test func `a manifest that cannot be read is a problem, a missing one is none`() throws {
    try temporary.write("{", to: "backups/\(path.split(separator: "/").last ?? "").json")
    #expect(try check().problems == ["its manifest \(path).json cannot be read"])
    try FileManager.default.removeItem(atPath: path + ".json")
    #expect(try check().problems.isEmpty)
    #expect(try check().manifest == nil)
  }

  @Test func `damage inside the database is found without a manifest`() throws {
    let plain = temporary.path(of: "firetally-2026-01-01T080000Z.sqlite")
    try store.backUp(to: plain)
    let whole = try BackupCheck(plain, expandingIn: temporary.path)
    #expect(whole.problems.isEmpty && whole.inspection?.schema == Store.schemaVersion)
    try SQLiteFile.execute(
      plain,
      """
      PRAGMA foreign_keys = OFF;
      INSERT INTO ratings (profile, user_id, gender, country, app_version, stars, at, tries,
        outbox_id) VALUES ('p', 'u', '', '', '', 2, 0, 0, 99)
      """)
    #expect(
      try BackupCheck(plain, expandingIn: temporary.path).problems
        == ["a row of ratings refers to a row of outbox that is missing"])
    let file = try FileHandle(forUpdating: URL(filePath: plain))
    try file.seek(toOffset: 16_384)
    try file.write(contentsOf: Data(repeating: 0xA5, count: 8 * 16_384))
    try file.close()
    #expect(!(try BackupCheck(plain, expandingIn: temporary.path).problems.isEmpty))
  }

  @Test func `what is no database of Firetally says so`() throws {
    try temporary.write("not a database, but long enough", to: "text")
    try SQLiteFile.execute(temporary.path(of: "other"), "CREATE TABLE a (b)")
    for (name, problem) in [
      ("text", "it holds no readable SQLite database"),
      ("other", "it holds a database of another program"),
    ] {
      let check = try BackupCheck(temporary.path(of: name), expandingIn: temporary.path)
      #expect(check.problems == [problem])
    }
  }

  @Test func `a database in use is no backup`() throws {
    let check = try BackupCheck(store.path, expandingIn: temporary.path)
    #expect(check.problems.contains { $0.contains("firetally.sqlite-wal") })
  }

  @Test func `a file that is missing is an error`() {
    #expect(throws: WorkspaceError.self) {
      try BackupCheck(temporary.path(of: "none"), expandingIn: temporary.path)
    }
  }
}
