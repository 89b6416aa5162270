import Fixtures
import Foundation
import Model
import Store
import StoreTesting
import Testing
import Workspace

@testable import firetally

/// `backup`, `verify` and `restore`, from the command line to the disk.
@Suite struct BackupCommandTests {
  private let name = "firetally-2026-01-31T080000Z.sqlite.gz"

  private func json(_ text: String) throws -> [[String: Any]] {
    try text.split(separator: "\n").map { line in
      try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
    }
  }

  private func workspaceWithUsers() async throws -> TemporaryWorkspace {
    let workspace = try await TemporaryWorkspace(users: 30)
    // The sample has users with flaws, which are left out.
    #expect(try await workspace.run("run", "settings", "online-users").status == 3)
    return workspace
  }

  @Test func `a backup prints its path, is listed, verified and restored`() async throws {
    let workspace = try await workspaceWithUsers()
    let users = try workspace.userIds()
    let path = workspace.folder.path + "/data/backups/" + name
    let backup = try await workspace.run("backup")
    #expect(backup.status == 0 && backup.output == path + "\n" && backup.errors.isEmpty)
    let list = try await workspace.run("backup", "list", at: .morning + .seconds(7_200))
    #expect(list.output.contains("2 h") && list.output.contains(" command ") && list.status == 0)
    for word in ["latest", name, path] {
      let verify = try await workspace.run("verify", word)
      #expect(verify.status == 0 && verify.output.contains("sound. Schema \(Store.schemaVersion)"))
    }
    let older = path.replacing("2026-01-31", with: "2026-01-30")
    for suffix in ["", ".json"] {
      try FileManager.default.copyItem(atPath: path + suffix, toPath: older + suffix)
    }
    let cut = try FileHandle(forWritingTo: URL(filePath: path))
    let bytes = try cut.seekToEnd()
    try cut.truncate(atOffset: bytes - 1)
    let damaged = try await workspace.run("verify", "latest")
    #expect(damaged.status == 65 && damaged.errors.contains(name))
    let passedOver = try await workspace.run("restore", "latest")
    #expect(passedOver.errors.contains("The newer backup \(path) does not have the size"))
    for suffix in ["", ".json"] {
      try FileManager.default.removeItem(atPath: path + suffix)
    }
    let refused = try await workspace.run("restore", "latest")
    #expect(refused.status == 64 && refused.errors.contains("--yes"))
    let restored = try await workspace.run("restore", "latest", "--yes")
    #expect(restored.status == 0, "\(restored.errors)")
    #expect(restored.output.contains("before-restore-2026-01-31T080000Z"))
    #expect(try workspace.userIds() == users)
    #expect(try await workspace.run("run", "--all").status == 0)
  }

  @Test func `with --json every line is an object with all its members`() async throws {
    let workspace = try await workspaceWithUsers()
    let backup = try #require(try json(try await workspace.run("backup", "--json").output).first)
    #expect(backup["message_type"] as? String == "backup")
    #expect(backup["file"] as? String == name && backup["reason"] as? String == "command")
    #expect(backup["project"] as? String == "demo")
    #expect((backup["sha256"] as? String)?.count == 64)
    try workspace.write("old", to: "data/backups/firetally-2026-01-30T080000Z.sqlite")
    let list = try json(try await workspace.run("backup", "list", "--json").output)
    #expect(list.map { $0["manifest"] as? String } == ["matches", "none"])
    #expect(list[1]["schema"] is NSNull && list[1]["reason"] is NSNull)
    let check = try #require(
      try json(try await workspace.run("verify", "latest", "--json").output).first)
    #expect(check["sound"] as? Bool == true && check["has_manifest"] as? Bool == true)
    let restore = try #require(
      try json(try await workspace.run("restore", "latest", "--yes", "--json").output).first)
    #expect(restore["pending_items"] as? Int == 0 && restore["kept"] is String)
    let again = try #require(
      try json(
        try await workspace.run(
          "restore", "latest", "--into", workspace.folder.path + "/new", "--json"
        ).output
      ).first)
    #expect(again["kept"] is NSNull)
  }

  @Test
  func `another folder is written, listed and restored from, and into another workspace`()
    async throws
  {
    let workspace = try await workspaceWithUsers()
    let elsewhere = try TemporaryFolder()
    let folder = elsewhere.path(of: "usb")
    #expect(try await workspace.run("backup", "--to", folder).output == "\(folder)/\(name)\n")
    #expect(try await workspace.run("backup", "list").output.isEmpty)
    #expect(try await workspace.run("backup", "list", "--from", folder).output.contains(name))
    let new = elsewhere.path(of: "new")
    let before = try FileManager.default.contentsOfDirectory(
      atPath: workspace.folder.path + "/data")
    // No workspace is needed for either.
    let program = BuiltProgram()
    let verify = try await program.run("verify", "latest", "--from", folder, "-C", "/nonexistent")
    #expect(verify.status == 0)
    let restored = try await program.run(
      "restore", "\(folder)/\(name)", "--into", new, "-C", "/nonexistent")
    #expect(restored.status == 0, "\(restored.errors)")
    #expect(
      restored.output.contains(
        "Missing files that the backup had: cron.example, firetally.yml, jobs/"))
    let store = try Store.open(path: new + "/data/firetally.sqlite", mode: .readOnly)
    #expect(
      try store.read { try $0.users(limit: 100).users.map(\.userId).sorted() }
        == workspace.userIds())
    #expect(
      Set(try FileManager.default.contentsOfDirectory(atPath: workspace.folder.path + "/data"))
        .subtracting(["firetally.sqlite-wal", "firetally.sqlite-shm"])
        == Set(before).subtracting(["firetally.sqlite-wal", "firetally.sqlite-shm"]))
  }

  private static let letters = "tr A-Za-z N-ZA-Mn-za-m"

  @Test func `--decrypt opens what this machine has no key for`() async throws {
    let workspace = try await workspaceWithUsers()
    try workspace.add("backup: {encrypt: '\(Self.letters)'}")
    #expect(try await workspace.run("backup").status == 0)
    let blind = try await workspace.run("verify", "latest")
    #expect(blind.status == 0 && blind.output.contains("Nothing here can decrypt it"))
    let seen = try await workspace.run("verify", "latest", "--decrypt", Self.letters)
    #expect(seen.status == 0 && seen.output.contains("sound. Schema \(Store.schemaVersion)"))
    let wrong = try await workspace.run("verify", "latest", "--decrypt", "echo No. >&2; exit 3")
    #expect(wrong.status == 65 && wrong.errors.contains("ended with status 3: No. Nothing was"))
    #expect(wrong.errors.contains("Check --decrypt") && !wrong.errors.contains("damaged"))
    let refused = try await workspace.run("restore", "latest", "--yes")
    #expect(refused.status == 78 && refused.errors.contains("--decrypt COMMAND"))
    let bare = workspace.folder.path + "/bare"
    #expect(try await workspace.run("restore", "latest", "--into", bare).status == 78)
    #expect(!FileManager.default.fileExists(atPath: bare))
    let restored = try await workspace.run(
      "restore", "latest", "--yes", "--decrypt", Self.letters)
    #expect(restored.status == 0, "\(restored.errors)")
  }

  @Test(arguments: [true, false])
  func `the key of the workspace opens the list beside a backup that is not encrypted`(
    isOfTarget: Bool
  ) async throws {
    let workspace = try await workspaceWithUsers()
    #expect(try await workspace.run("backup").status == 0)
    try workspace.add("backup: {encrypt: '\(Self.letters)', decrypt: '\(Self.letters)'}")
    let gone = try #require(try workspace.userIds().first)
    #expect(try await workspace.run("users", "erase", gone, "--yes").status == 0)
    let temporary = try TemporaryFolder()
    let target = temporary.path(of: "new")
    if isOfTarget {
      try FileManager.default.createDirectory(
        atPath: target, withIntermediateDirectories: false)
      try FileManager.default.copyItem(
        atPath: workspace.folder.path + "/firetally.yml", toPath: target + "/firetally.yml")
    }
    let restored = try await workspace.program.run(
      "restore", "latest", "--from", workspace.folder.path + "/data/backups", "--into", target,
      "-C", isOfTarget ? "/nonexistent" : workspace.folder.path)
    #expect(restored.status == 0, "\(restored.errors)")
    #expect(restored.output.contains("1 person of the backup had been erased since"))
  }

  @Test func `a database of an older release is not backed up in a later shape`() async throws {
    let workspace = try await TemporaryWorkspace(users: 1)
    try Workspace(root: workspace.folder.path).makeFolders()
    try ReleasedDatabase.make(at: workspace.folder.path + "/data/firetally.sqlite")
    let refused = try await workspace.run("backup")
    #expect(refused.status == 78 && refused.errors.contains("keeps a copy of the old one"))
    #expect(try await workspace.run("backup", "list").output.isEmpty)
    #expect(try await workspace.run("run", "maintain").status == 0)
    #expect(try await workspace.run("backup").status == 0)
    let list = try await workspace.run("backup", "list")
    #expect(list.output.contains("-before-\(Store.schemaVersion).sqlite.gz"))
  }

  @Test func `a damaged backup ends with 65, says how, and changes nothing`() async throws {
    let workspace = try await workspaceWithUsers()
    _ = try await workspace.run("backup")
    let path = workspace.folder.path + "/data/backups/" + name
    var bytes = try Data(contentsOf: URL(filePath: path))
    bytes[bytes.count / 2] ^= 4
    try bytes.write(to: URL(filePath: path))
    let verify = try await workspace.run("verify", "latest")
    #expect(verify.status == 65 && verify.errors.contains("SHA-256"))
    let line = try json(try await workspace.run("verify", "latest", "--json").output)
    #expect(line.first?["sound"] as? Bool == false)
    let restore = try await workspace.run("restore", "latest", "--yes")
    #expect(restore.status == 65 && restore.errors.contains("Nothing was changed."))
    #expect(try workspace.userIds().count > 20)
  }

  @Test func `without any backup, and with a wrong name, the status is 64`() async throws {
    let workspace = try await TemporaryWorkspace(users: 1)
    for word in ["latest", "none.gz"] {
      for command in ["verify", "restore"] {
        let result = try await workspace.run(command, word)
        #expect(result.status == 64 && result.errors.contains("backup"), "\(command) \(word)")
      }
    }
  }

  @Test func `a workspace that is in use is not restored into`() async throws {
    let workspace = try await workspaceWithUsers()
    _ = try await workspace.run("backup")
    let lock = try await WorkspaceLock.acquire(
      Workspace(root: workspace.folder.path),
      for: .thisProcess(command: "other", since: .morning), wait: .zero, sleep: { _ in })
    let result = try await workspace.run("restore", "latest", "--yes", "--lock-wait", "0")
    #expect(result.status == 75 && result.errors.contains("Another process holds"))
    lock.release()
    #expect(try await workspace.run("restore", "latest", "--yes").status == 0)
  }

  @Test func `a backup of another project is refused with 78`() async throws {
    let workspace = try await workspaceWithUsers()
    _ = try await workspace.run("backup")
    let result = try await workspace.run(
      "restore", "latest", "--yes", "--project", "another")
    #expect(result.status == 78 && result.errors.contains("'demo'"))
  }

  @Test
  func `a database of a newer program is refused with the version that wrote it`() async throws {
    let workspace = try await workspaceWithUsers()
    let path = workspace.folder.path + "/data/firetally.sqlite"
    // The header's user_version; see https://www.sqlite.org/fileformat.html.
    _ = try await workspace.run("run", "maintain")
    let file = try FileHandle(forUpdating: URL(filePath: path))
    try file.seek(toOffset: 63)
    try file.write(contentsOf: Data([UInt8(Store.schemaVersion + 1)]))
    try file.close()
    let result = try await workspace.run("run", "settings")
    #expect(result.status == 78)
    #expect(
      result.errors.contains(
        "written by a newer build of firetally \(ProgramVersion.current) than this one"))
    #expect(result.errors.contains("firetally backup list"))
  }

  @Test(arguments: [
    ["-C", "DIR", "backup"], ["backup", "-C", "DIR"], ["-C", "DIR", "backup", "create"],
    ["-C", "DIR", "backup", "--json"],
  ])
  func `a group with a command of its own takes options before and after it`(arguments: [String])
    async throws
  {
    let workspace = try await workspaceWithUsers()
    let words = arguments.map { $0 == "DIR" ? workspace.folder.path : $0 }
    let result = try await workspace.program.run(words)
    #expect(result.status == 0 && result.output.contains(".sqlite.gz"), "\(result.errors)")
  }

  @Test func `typing errors lead to the right word`() async throws {
    for (words, hint) in [
      (["backup", "lst"], "Did you mean 'backup list'?"), (["backup", "--too", "x"], "'--to'"),
      (["verfy", "x"], "Did you mean 'verify'?"),
    ] {
      let result = try await BuiltProgram().run(words)
      #expect(result.status == 64 && result.errors.contains(hint), "\(words): \(result.errors)")
    }
  }

  @Test(arguments: [["backup", "create"], ["backup", "list"], ["verify"], ["restore"]])
  func `every example of the help is a command line that the parser takes`(command: [String])
    async throws
  {
    let help = try await BuiltProgram().run(command + ["--help"]).output
    let section = try #require(help.components(separatedBy: "EXAMPLES:\n").dropFirst().first)
    let lines = section.split(separator: "\n").prefix { !$0.hasPrefix("USAGE") }
      .map { $0.trimmingCharacters(in: .whitespaces) }.filter { $0.hasPrefix("firetally ") }
    #expect(lines.count >= 3)
    for line in lines {
      let words = line.prefix { $0 != "|" }.split(separator: " ").dropFirst().map(String.init)
      #expect(throws: Never.self, "\(line)") { try Firetally.command(in: words) }
    }
  }
}
