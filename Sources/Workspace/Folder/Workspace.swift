import Firestore
import Foundation
import Glibc
package import Model
import Platform
package import Store

/// A folder with `firetally.yml`, job files, reports and the database.
package struct Workspace: Hashable, Sendable {
  /// Absolute, or relative to the working directory of the program; without a final slash.
  package let root: String
  /// The variables that values in its files can use; `docs/configuration.md#variables`.
  package let variables: [String: String]
  /// Whether hooks run, so that their variables must be set: `docs/configuration.md#variables`.
  package var runsHooks = true

  package init(root: String, variables: [String: String] = [:]) {
    self.variables = variables
    let trimmed = root.count > 1 && root.hasSuffix("/") ? String(root.dropLast()) : root
    self.root = trimmed.isEmpty ? "." : trimmed
  }

  /// Returns the workspace in exactly this folder.
  ///
  /// A workspace in a parent folder is only named by the error: a command in the wrong folder
  /// should not change another workspace.
  ///
  /// - Throws: `WorkspaceError.notAWorkspace` when the folder has no `firetally.yml`, `.refused`
  ///   when the path is that of a file, and `.file` when this cannot be determined, for example
  ///   because the folder is not accessible.
  package static func find(
    at path: String, variables: [String: String] = [:]
  ) throws(WorkspaceError) -> Workspace {
    let workspace = Workspace(root: path, variables: variables)
    // Not access(2), which checks the real user.
    var status = stat()
    guard stat(workspace.configurationPath, &status) != 0 else { return workspace }
    switch errno {
    case ENOENT: throw .notAWorkspace(path: workspace.root, inside: workspace.outer)
    case ENOTDIR:
      throw .refused(
        .configuration,
        "\(workspace.root) is not a folder. Name the folder that holds "
          + "\(WorkspaceConfig.fileName) with -C.")
    default: throw .cannot("open", workspace.root)
    }
  }

  package var expansion: VariableExpansion.Variables {
    VariableExpansion.Variables(variables, leavesHooksOut: !runsHooks)
  }

  /// The nearest parent folder that is a workspace; nil for none.
  private var outer: String? {
    var path = absoluteRoot
    while let slash = path.lastIndex(of: "/"), slash > path.startIndex {
      path = String(path[..<slash])
      if access("\(path)/\(WorkspaceConfig.fileName)", F_OK) == 0 { return path }
    }
    return nil
  }

  /// The absolute path of the folder.
  package var absoluteRoot: String { URL(fileURLWithPath: root).standardizedFileURL.path }

  /// Whether a command in its files is a single word that the shell would not find.
  package func mayBeSecret(_ command: String) -> Bool {
    CommandText.mayBeSecret(command, in: root, path: variables["PATH"])
  }

  /// Returns the shell command that runs the program in this workspace from any folder.
  package func command(_ words: String) -> String {
    "firetally -C \(ShellWord.quoted(absoluteRoot)) \(words)"
  }

  package var configurationPath: String { path(WorkspaceConfig.fileName) }
  package var jobsFolder: String { path("jobs") }
  package var outputFolder: String { path("output") }
  package var dataFolder: String { path("data") }
  package var databasePath: String { path("data/firetally.sqlite") }
  package var rejectsFolder: String { path("data/rejects") }
  package var backupsFolder: String { path("data/backups") }
  package var unrecordedPath: String { path("data/unrecorded-run") }
  package var lockPath: String { path("data/firetally.lock") }

  /// Resolves a path of a configuration file: an absolute one unchanged, else inside the workspace.
  package func path(_ path: String) -> String {
    path.hasPrefix("/") ? path : "\(root)/\(path)"
  }

  /// The folder of the reader's own sections, relative to the workspace.
  package static let sectionsFolder = "reports"

  /// Creates the folders that commands write to, and those above the workspace; existing ones stay
  /// unchanged.
  package func makeFolders() throws(WorkspaceError) {
    try FileContents.makeParents(of: root)
    for folder in [root, jobsFolder, outputFolder, dataFolder, rejectsFolder] {
      try FileContents.makeFolder(folder)
    }
  }

  /// Reads `firetally.yml`.
  ///
  /// - Throws: `WorkspaceError.configuration` with all problems, or `.refused`.
  package func config() throws(WorkspaceError) -> WorkspaceConfig {
    let file: SourceFile
    do {
      file = try source(WorkspaceConfig.fileName)
    } catch WorkspaceError.file(let failure) {
      throw .refused(
        .configuration,
        failure.code == EISDIR
          ? "\(failure.path) is a folder; it must be a file. Move it away, or name another "
            + "workspace with -C." : failure.description)
    }
    do {
      return try WorkspaceConfig(parsing: file, variables: expansion)
    } catch {
      throw .configuration(error)
    }
  }

  /// Returns the names of the files in `jobs`, without hidden ones and those with another
  /// extension.
  ///
  /// - Throws: `WorkspaceError.file` when the folder cannot be listed.
  package func jobFileNames() throws(WorkspaceError) -> [String] {
    try FileContents.names(in: jobsFolder).filter { name in
      !name.hasPrefix(".") && (name.hasSuffix(".yml") || name.hasSuffix(".yaml"))
    }
  }

  package func source(_ relativePath: String) throws(WorkspaceError) -> SourceFile {
    SourceFile(
      path: relativePath,
      bytes: try FileContents.bytes(of: path(relativePath), limit: YAMLDocument.maxBytes + 1))
  }
}

extension Workspace {
  /// Opens the database for writing, and creates it if it is missing; see
  /// `docs/backup.md#upgrades`.
  ///
  /// A database with rows is backed up before its schema changes; `now` is in the backup's name. If
  /// the backup fails, the schema stays unchanged. `note` receives a sentence after a change.
  ///
  /// - Throws: `StoreError`, `WorkspaceError.file`.
  package func openStore(at now: Instant, note: (String) -> Void) throws -> Store {
    var changes: [(schema: Int, backup: BackupManifest)] = []
    let store = try Store.open(path: databasePath) { migration in
      let maker = BackupMaker(
        folder: BackupFolder(backupsFolder), reason: .migration, now: now,
        cipher: access(configurationPath, F_OK) == 0 ? BackupCipher(try config(), in: self) : .none)
      if let manifest = try maker.backUp(before: migration, of: databasePath) {
        changes.append((migration.schema, manifest))
      }
    }
    guard !changes.isEmpty else { return store }
    for change in changes {
      note(
        "The database was upgraded from schema \(change.schema) to \(Store.schemaVersion); a copy "
          + "of the old one is \(backupsFolder)/\(change.backup.file).")
    }
    do {
      // This removes only copies from before migrations, since each upgrade adds one.
      try BackupFolder(backupsFolder).prune(keeping: nil, timeZone: "UTC", at: now)
    } catch {
      note("An old copy stays: \(error)")
    }
    return store
  }
}
