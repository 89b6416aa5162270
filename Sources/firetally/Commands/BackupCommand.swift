import ArgumentParser
import Foundation
import Jobs
import Model
import Store

struct BackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Back up the database, and list backups.",
    discussion: """
      Without another word it makes a backup, as `firetally backup create` does.

      EXAMPLES:
        firetally backup
        firetally backup --to /mnt/usb/firetally
        firetally backup list
      """,
    subcommands: [Create.self, List.self],
    defaultSubcommand: Create.self)

  struct Create: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "create",
      abstract: "Back up the database while jobs run.",
      discussion: """
        Writes a gzip file and a manifest with its SHA-256, and prints the file's path. This is \
        what `firetally backup` does without another word. Jobs of kind maintain make the same \
        backups and remove old ones.

        EXAMPLES:
          firetally backup
          firetally backup --to /mnt/usb/firetally
          firetally backup --json | jq -r .sha256
        """)

    @OptionGroup var global: GlobalOptions

    @Option(
      help: ArgumentHelp(
        "The folder to write to. Default: data/backups in the workspace.", valueName: "dir"))
    var to: String?

    func validate() throws {
      guard to != "" else {
        throw ValidationError("--to needs a folder; leave it out for data/backups.")
      }
    }

    func run() throws {
      let invocation = Invocation(global)
      let opened = try invocation.openWorkspace()
      let folder = BackupFolder(to ?? opened.workspace.backupsFolder)
      let maker = BackupMaker(
        in: folder, for: .command, at: invocation.now,
        observer: invocation.progressLine.observer(invocation.log, price: nil))
      let manifest = try maker.backUp(try opened.readableStore())
      let path = "\(folder.path)/\(manifest.file)"
      guard !invocation.output.isJSON else {
        return try invocation.output.show(
          json: BackupLine("backup", path: path, of: manifest))
      }
      invocation.output.show(path)
      invocation.output.remark(
        "\(ByteText.text(manifest.bytes)), \(ByteText.text(manifest.databaseBytes)) uncompressed; "
          + "schema \(manifest.schema); \(manifest.counts.values.reduce(0, +)) rows.")
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List backups, newest first.",
      discussion: """
        MANIFEST is `ok` when the file has the size that its manifest says, `size differs` or \
        `unreadable` when something is wrong, and `none` for copies that earlier versions made. \
        `firetally verify` reads a backup to its end.

        EXAMPLES:
          firetally backup list
          firetally backup list --from /mnt/usb/firetally
          firetally backup list --json | jq -r 'select(.manifest == "matches") | .path'
        """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var source: BackupSource

    func run() throws {
      let invocation = Invocation(global)
      let folder = try source.folder(invocation)
      let entries = try folder.entries()
      guard !invocation.output.isJSON else {
        for entry in entries { try invocation.output.show(json: JSONOutput(entry)) }
        return
      }
      guard !entries.isEmpty else {
        return invocation.output.remark("There is no backup in \(folder.path).")
      }
      var table = TextTable(
        ["FILE", "MADE", "AGE", "SIZE", "SCHEMA", "MADE BY", "MANIFEST"],
        rightAligned: [2, 3, 4])
      for entry in entries {
        table.add([
          entry.name, entry.createdAt.iso8601,
          AgeText.text(invocation.now - entry.createdAt), ByteText.text(entry.bytes),
          entry.schema.map(String.init) ?? "?", entry.reason?.rawValue ?? "-",
          entry.manifest.text,
        ])
      }
      invocation.output.show(table.text)
    }

    private struct JSONOutput: Encodable {
      let message_type = "backup_entry"
      let path: String
      let createdAt: Instant
      let bytes: Int64
      @Nullable var schema: Int?
      @Nullable var reason: String?
      let manifest: String

      init(_ entry: BackupEntry) {
        (path, createdAt, bytes) = (entry.path, entry.createdAt, entry.bytes)
        (schema, reason) = (entry.schema, entry.reason?.rawValue)
        manifest = entry.manifest.rawValue
      }
    }
  }
}

/// Where backups are looked for.
struct BackupSource: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The folder of backups. Default: data/backups in the workspace.", valueName: "dir"))
  var from: String?

  func validate() throws {
    guard from != "" else {
      throw ValidationError("--from needs a folder; leave it out for data/backups.")
    }
  }

  func folder(_ invocation: Invocation) throws -> BackupFolder {
    if let from { return BackupFolder(from) }
    return BackupFolder(
      try Workspace.find(at: invocation.options.workspace).backupsFolder)
  }

  /// The file that a word means; a path needs no workspace.
  ///
  /// What `latest` passes over because its size is wrong is told.
  func file(_ word: String, _ invocation: Invocation) throws -> String {
    if from == nil, word != "latest", FileManager.default.fileExists(atPath: word) { return word }
    let folder = try folder(invocation)
    if word == "latest" {
      for entry in try folder.brokenSinceLatest() {
        invocation.log.warn(
          "The newer backup \(entry.path) does not have the size that its manifest says, so it is "
            + "passed over. Look at it with `firetally verify`.")
      }
    }
    return try folder.file(named: word, at: invocation.now)
  }

  /// The backup that a check means: `latest` is the newest, whole or not.
  func fileToVerify(_ word: String, _ invocation: Invocation) throws -> String {
    guard word == "latest", let newest = try folder(invocation).entries().first else {
      return try file(word, invocation)
    }
    return newest.path
  }
}

/// A backup as JSON: the members of its manifest, its path, and what the line is.
struct BackupLine: Encodable {
  private enum CodingKeys: CodingKey {
    case message_type, path, project
  }

  private let type: String
  private let path: String
  private let manifest: BackupManifest

  init(_ type: String, path: String, of manifest: BackupManifest) {
    (self.type, self.path, self.manifest) = (type, path, manifest)
  }

  func encode(to encoder: any Encoder) throws {
    try manifest.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(type, forKey: .message_type)
    try container.encode(path, forKey: .path)
    try container.encode(manifest.project, forKey: .project)
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

/// A member that is null, not missing, without a value.
@propertyWrapper
struct Nullable<Value: Encodable>: Encodable {
  var wrappedValue: Value?

  init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let wrappedValue {
      try container.encode(wrappedValue)
    } else {
      try container.encodeNil()
    }
  }
}

/// Sizes as a person reads them.
enum ByteText {
  /// `512 B`, `1.5 kB`, `23 MB`: powers of 1000, two digits below ten.
  static func text(_ bytes: Int64) -> String {
    var size = Double(bytes)
    for unit in ["B", "kB", "MB", "GB"] {
      if size < 999.5 { return "\(number(size, isWhole: unit == "B")) \(unit)" }
      size /= 1_000
    }
    return "\(number(size, isWhole: false)) TB"
  }

  private static func number(_ size: Double, isWhole: Bool) -> String {
    let tenths = Int((size * 10).rounded())
    return isWhole || tenths >= 100 ? "\(Int(size.rounded()))" : "\(tenths / 10).\(tenths % 10)"
  }
}

/// Ages as a person reads them.
enum AgeText {
  /// `40 s`, `5 min`, `3 h`, `12 d`: rounded down; an age below zero is `0 s`.
  static func text(_ age: Duration) -> String {
    let seconds = max(0, age.components.seconds)
    for (size, unit) in [(86_400, "d"), (3_600, "h"), (60, "min")] as [(Int64, String)]
    where seconds >= size {
      return "\(seconds / size) \(unit)"
    }
    return "\(seconds) s"
  }
}
