import ArgumentParser
import Foundation
import Jobs
import Model
import Reports
import Store
import Workspace

struct BackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Back up the workspace, and list backups.",
    discussion: """
      `firetally backup` alone makes a backup, like `firetally backup create`.
      """,
    examples: [
      "firetally backup", "firetally backup --to /mnt/usb/firetally", "firetally backup list",
    ],
    subcommands: [Create.self, List.self],
    defaultSubcommand: Create.self)

  struct Create: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "create",
      abstract: "Back up the database and the files that configure it, while jobs run.",
      discussion: """
        Writes a gzip file and a manifest with its SHA-256, and prints the file's path. `firetally \
        backup` alone does the same. Jobs of kind maintain make the same backups, test a restore \
        once a week, and remove old ones.
        """,
      examples: [
        "firetally backup", "firetally backup --to /mnt/usb/firetally",
        "firetally backup --json | jq -r .sha256",
      ])

    @OptionGroup var global: GlobalOptions

    @Option(
      help: ArgumentHelp(
        "The folder to write to. Default: data/backups in the workspace.", valueName: "dir"))
    var to: String?

    func validate() throws {
      try checkFolder(to, "--to", default: "data/backups")
    }

    func run() throws {
      let (invocation, opened) = try global.openWorkspace()
      let folder = BackupFolder(to ?? opened.workspace.backupsFolder)
      let maker = try BackupMaker(
        in: folder, for: .command, at: invocation.now, of: opened.workspace, opened.config,
        jobFiles: opened.workspace.jobs().files,
        observer: invocation.progressLine.observer(invocation.log))
      // Not from a migrated copy, which the database's own release could not restore.
      let store = try Store.open(path: opened.workspace.databasePath, mode: .readOnly)
      let manifest = try maker.backUp(store)
      let path = "\(folder.path)/\(manifest.file)"
      try invocation.output.remark(
        path, always: true,
        json: JSONObject(
          manifest, ["message_type": "backup", "path": path, "project": manifest.project]))
      invocation.output.remark(
        "\(NumberWords.bytes(manifest.bytes)), \(NumberWords.bytes(manifest.databaseBytes)) "
          + "uncompressed; schema \(manifest.schema); \(manifest.counts.values.reduce(0, +)) rows.")
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List backups, newest first.",
      discussion: """
        MANIFEST is `ok` when the file has the size in its manifest, `size differs` or \
        `unreadable` when something is wrong, and `none` for copies of earlier versions. \
        `firetally verify` reads a backup to its end.
        """,
      examples: [
        "firetally backup list", "firetally backup list --from /mnt/usb/firetally",
        #"firetally backup list --json | jq -r 'select(.manifest == "matches") | .path'"#,
      ])

    @OptionGroup var global: GlobalOptions
    @OptionGroup var source: BackupSource

    func run() throws {
      let invocation = Invocation(global)
      let folder = try source.folder(invocation)
      let entries = try folder.entries()
      guard !entries.isEmpty else {
        return invocation.output.remark("There is no backup in \(folder.path).")
      }
      try invocation.output.print(
        entries, as: "backup_entry",
        Self.columns(at: invocation.now, in: source.timeZone(invocation)))
    }

    private static func columns(
      at now: Instant, in zone: TimeZone
    ) -> [OutputColumn<BackupEntry>] {
      [
        OutputColumn("FILE", "path", value: { $0.path }, cell: { $0.name }),
        .time("MADE", "createdAt", words: { ZonedTime($0, in: zone).description }) {
          $0.createdAt
        },
        OutputColumn("AGE", isNumber: true) {
          NumberWords.roughly(seconds: (now - $0.createdAt).fractionalSeconds)
        },
        OutputColumn(
          "SIZE", "bytes", isNumber: true, value: { $0.bytes },
          cell: { NumberWords.bytes($0.bytes) }),
        OutputColumn("SCHEMA", "schema", isNumber: true, none: "?") { $0.schema },
        OutputColumn("MADE BY", "reason") { $0.reason?.rawValue },
        OutputColumn(
          "MANIFEST", "manifest", value: { $0.manifest.rawValue }, cell: { $0.manifest.text }),
      ]
    }
  }
}

struct BackupSource: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The folder of backups. Default: data/backups in the workspace.", valueName: "dir"))
  var from: String?

  func validate() throws {
    try checkFolder(from, "--from", default: "data/backups")
  }

  /// Returns the workspace's time zone, else UTC: a folder of backups needs no workspace.
  func timeZone(_ invocation: Invocation) -> TimeZone {
    do {
      return try invocation.openWorkspace().timeZone
    } catch {
      return .gmt
    }
  }

  func folder(_ invocation: Invocation) throws -> BackupFolder {
    if let from { return BackupFolder(from) }
    return BackupFolder(
      try Workspace.find(at: invocation.options.workspace).backupsFolder)
  }

  /// Returns the file that a word names; a path needs no workspace.
  ///
  /// It warns about newer backups that `latest` skips because their size is wrong.
  func file(_ word: String, _ invocation: Invocation) throws -> String {
    if from == nil, word != "latest", FileManager.default.fileExists(atPath: word) { return word }
    let folder = try folder(invocation)
    if word == "latest" {
      for entry in try folder.brokenSinceLatest() {
        invocation.log.warning(
          "The newer backup \(entry.path) does not have the size that its manifest says, so it is "
            + "passed over. Look at it with `firetally verify`.")
      }
    }
    return try folder.file(named: word, at: invocation.now)
  }

  /// Returns the backup to verify; `latest` is the newest one, even if it is faulty.
  func fileToVerify(_ word: String, _ invocation: Invocation) throws -> String {
    guard word == "latest", let newest = try folder(invocation).entries().first else {
      return try file(word, invocation)
    }
    return newest.path
  }
}

/// A backup to read, and the command that decrypts it.
struct BackupToRead: ParsableArguments {
  @Argument(
    help: "A backup's path, its name in the folder, or `latest`.",
    completion: NameCompletion.backups)
  var file: String

  @Option(
    help: ArgumentHelp(
      "The shell command that decrypts it. Default: backup.decrypt in firetally.yml.",
      valueName: "command"))
  var decrypt: String?

  /// Returns the first available command to decrypt with: that of the command line, else of
  /// `target` unless nil, else of the command's workspace.
  func cipher(into target: Workspace?, _ invocation: Invocation) throws -> BackupCipher {
    if let decrypt {
      return BackupCipher(
        decryption: decrypt, in: FileManager.default.currentDirectoryPath,
        environment: invocation.environment)
    }
    let own = Workspace(root: invocation.options.workspace, variables: invocation.environment)
    for workspace in [target, own].compactMap(\.self)
    where FileManager.default.fileExists(atPath: workspace.configurationPath) {
      let config = try workspace.config()
      if config.backup.decrypt != nil { return BackupCipher(config, in: workspace) }
    }
    return .none
  }
}

extension BackupEntry.Manifest {
  fileprivate var text: String {
    switch self {
    case .matches: "ok"
    case .differs: "size differs"
    case .unreadable, .none: rawValue
    }
  }
}

struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Read a backup to its end and check it.",
    discussion: """
      Checks size and SHA-256 against the manifest, gzip's checksum, SQLite's pages, indexes and \
      foreign keys, and the rows of every table. Changes nothing and needs no workspace when a \
      file is named. It expands the database in TMPDIR and removes it.

      Exit status: 0 the backup is sound; 65 it is damaged or was not decrypted, and \
      the message says how.
      """,
    examples: [
      "firetally verify latest", "firetally verify firetally-2026-01-31T080000Z.sqlite.gz",
      "firetally verify latest --from /mnt/usb/firetally",
    ])

  @OptionGroup var global: GlobalOptions
  @OptionGroup var source: BackupSource
  @OptionGroup var backup: BackupToRead

  func run() throws {
    let invocation = Invocation(global)
    let path = try source.fileToVerify(backup.file, invocation)
    let check = try BackupCheck(
      path, expandingIn: FileManager.default.temporaryDirectory.standardizedFileURL.path,
      cipher: BackupCipher.isEncrypted(path)
        ? try backup.cipher(into: nil, invocation) : .none)
    if invocation.output.isJSON {
      try invocation.output.print(
        json: [
          "message_type": "backup_check", "path": check.path, "sound": check.problems.isEmpty,
          "problems": check.problems, "bytes": check.digest.bytes, "sha256": check.digest.sha256,
          "has_manifest": check.manifest != nil, "schema": check.inspection?.schema,
          "counts": check.inspection?.counts,
        ])
    } else if check.problems.isEmpty {
      invocation.output.remark("\(path): sound. \(Self.summary(of: check))", always: true)
    }
    if let refusal = check.refusal { throw refusal }
  }

  private static func summary(of check: BackupCheck) -> String {
    guard let inspection = check.inspection else {
      return "Nothing here can decrypt it, so only its size and SHA-256 were checked."
    }
    let rows = inspection.counts.values.reduce(0, +)
    let content = "Schema \(inspection.schema), \(inspection.counts.count) tables, \(rows) rows"
    guard let manifest = check.manifest else {
      return content + ". It has no manifest, so only the database itself was checked."
    }
    return content + ", made \(manifest.createdAt.iso8601) by firetally \(manifest.firetally)."
  }
}
