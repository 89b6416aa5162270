import ArgumentParser
import Foundation
import Jobs
import Reports
import Store
import Workspace

struct RestoreCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Replace the database by a backup, and restore missing files.",
    discussion: """
      Verifies the backup first, takes the workspace's lock, and keeps the present database under \
      another name. A crash leaves the old database or the new one. Missing files of the \
      workspace, such as firetally.yml and jobs/, come from the backup: --into an empty folder \
      makes a workspace that runs. Items of the backup's outbox may have been delivered since: the \
      server is asked for each before it is sent.

      Exit status: 0 success; 65 the backup is damaged or was not decrypted, 75 the workspace is \
      in use, 78 a newer firetally made the backup.
      """,
    examples: [
      "firetally restore latest --yes", "firetally restore latest --from /mnt/usb/firetally --yes",
      "firetally restore latest --from /mnt/usb/firetally --into /srv/chathub",
    ])

  @OptionGroup var global: GlobalOptions
  @OptionGroup var source: BackupSource
  @OptionGroup var backup: BackupToRead

  @Option(
    help: ArgumentHelp(
      "Restore into this workspace instead. A missing folder is made.",
      valueName: "dir"))
  var into: String?

  @Flag(help: "Replace the present database without a question.")
  var yes = false

  @OptionGroup var turn: LockOptions

  func validate() throws {
    try checkFolder(into, "--into", default: "this workspace")
  }

  func run() async throws {
    let invocation = Invocation(global)
    let target = try target(invocation)
    let path = try source.file(backup.file, invocation)
    let cipher = try backup.cipher(into: target, invocation)
    // The check comes first, so that no folders are created for a restore that must fail.
    try cipher.check(path)
    let project = try project(of: target, invocation)
    try target.makeFolders()
    let lock = try await invocation.lockRequest(turn).acquire(target, clock: invocation.clock)
    defer { lock.release() }
    try confirm(target, path, invocation)
    let outcome = try await Restore(
      into: target, at: invocation.now, cipher: cipher, sleep: invocation.clock.sleep
    ).perform(path, project: project)
    try print(outcome, target, invocation.output)
  }

  private func target(_ invocation: Invocation) throws -> Workspace {
    if let into { return Workspace(root: into, variables: invocation.environment) }
    do {
      return try Workspace.find(at: global.workspace, variables: invocation.environment)
    } catch WorkspaceError.notAWorkspace(let path, _) {
      throw CommandError(
        .configuration,
        "\(path) is not a workspace: it has no firetally.yml. To restore into this folder, name it "
          + "with --into: `firetally restore \(backup.file) --into \(path)`.")
    }
  }

  /// Returns the project of the target; nil for a folder without a configuration.
  private func project(of target: Workspace, _ invocation: Invocation) throws -> String? {
    if let project = global.project { return project }
    guard FileManager.default.fileExists(atPath: target.configurationPath) else { return nil }
    let configured = try target.config().firestore.project
    return [invocation.environment["GOOGLE_CLOUD_PROJECT"], configured].compactMap(\.self)
      .first { !$0.isEmpty }
  }

  private func confirm(_ target: Workspace, _ backup: String, _ invocation: Invocation) throws {
    try invocation.confirm(
      "The database \(target.databasePath) will be replaced by \(backup), and kept under another "
        + "name.",
      yes: yes || !FileManager.default.fileExists(atPath: target.databasePath),
      elseRefuse: CommandError(
        .usage,
        "The database \(target.databasePath) would be replaced. Give --yes to do it; the present "
          + "one is kept under another name."))
  }

  private func print(_ outcome: Restore.Outcome, _ target: Workspace, _ output: Output) throws {
    guard !output.isJSON else {
      return try output.print(
        json: [
          "message_type": "restore", "backup": outcome.check.path,
          "database": target.databasePath, "kept": outcome.kept,
          "knows_erasures": outcome.knowsErasures, "erased_again": outcome.erasedAgain,
          "pending_items": outcome.pendingItems, "written_files": outcome.writtenFiles,
          "schema": outcome.check.inspection?.schema,
        ])
    }
    output.remark("Restored \(target.databasePath) from \(outcome.check.path).", always: true)
    if let kept = outcome.kept {
      output.remark("The old database is kept as \(kept).", always: true)
    }
    if !outcome.writtenFiles.isEmpty {
      output.remark(
        "Missing files that the backup had: \(outcome.writtenFiles.joined(separator: ", ")).",
        always: true)
    }
    if outcome.pendingItems > 0 {
      let items = NumberWords.counted(outcome.pendingItems, "outbox item", "outbox items")
      output.print(
        "\(items) may have been delivered since. The server is asked for each before it is sent.")
    }
    if outcome.erasedAgain > 0 {
      let people = NumberWords.counted(outcome.erasedAgain, "person", "people")
      let were = outcome.erasedAgain == 1 ? "was" : "were"
      output.print("\(people) of the backup had been erased since, and \(were) erased again.")
    }
    if !outcome.knowsErasures {
      output.print(
        "Firetally cannot tell who was erased after this backup. If anybody was, erase them again: "
          + "`firetally users erase ID`.")
    }
    if !FileManager.default.fileExists(atPath: target.configurationPath) {
      output.print("Copy firetally.yml and jobs/ into \(target.root) before you run jobs there.")
    }
  }
}
