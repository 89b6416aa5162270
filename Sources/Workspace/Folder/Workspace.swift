import Firestore
import Foundation
import Glibc
package import Model
package import Store

/// A folder with `firetally.yml`, job files, reports and the database.
package struct Workspace: Hashable, Sendable {
  /// Absolute, or relative to the folder the program was started in; without a slash at the end.
  package let root: String
  /// The variables that values of its files can name; `docs/configuration.md#variables`.
  package let variables: [String: String]
  /// Whether hooks are run, so that the variables in them must be set:
  /// `docs/configuration.md#variables`.
  package var runsHooks = true

  package init(root: String, variables: [String: String] = [:]) {
    self.variables = variables
    let trimmed = root.count > 1 && root.hasSuffix("/") ? String(root.dropLast()) : root
    self.root = trimmed.isEmpty ? "." : trimmed
  }

  /// The workspace in a folder itself; one above is named by the error, and not used: what runs in
  /// the wrong folder should not change another.
  ///
  /// - Throws: `JobsError.notAWorkspace` when the folder has no `firetally.yml`, `.refused` when
  ///   the path is that of a file, and `.file` when nobody can tell, as when this user may not look
  ///   into it.
  package static func find(
    at path: String, variables: [String: String] = [:]
  ) throws(JobsError) -> Workspace {
    let workspace = Workspace(root: path, variables: variables)
    // Not access(2), which asks for the real user.
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

  var expansion: VariableExpansion.Variables {
    VariableExpansion.Variables(variables, leavesHooksOut: !runsHooks)
  }

  /// What is wrong with its files only because hooks name variables that are not set here.
  ///
  /// - Throws: `JobsError` for files that cannot be read or are wrong otherwise.
  func unsetHookVariables() throws(JobsError) -> [ConfigurationProblem] {
    var strict = self
    strict.runsHooks = true
    var problems: [ConfigurationProblem] = []
    do {
      _ = try strict.config()
    } catch JobsError.configuration(let error) {
      problems += error.problems
    }
    problems += try strict.jobs().broken.flatMap(\.error.problems)
    return problems.filter(\.isUnsetVariable)
  }

  /// The nearest folder above that is a workspace; nil for none.
  private var outer: String? {
    var path = absoluteRoot
    while let slash = path.lastIndex(of: "/"), slash > path.startIndex {
      path = String(path[..<slash])
      if access("\(path)/\(WorkspaceConfig.fileName)", F_OK) == 0 { return path }
    }
    return nil
  }

  /// The folder as a reader elsewhere has to name it.
  package var absoluteRoot: String { URL(fileURLWithPath: root).standardizedFileURL.path }

  /// What runs a command of the program in this workspace from anywhere, as a shell takes it.
  func command(_ words: String) -> String {
    "firetally -C \(TemplateValues.shellWord(absoluteRoot)) \(words)"
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

  /// A path of a configuration file: absolute as it is, else inside the workspace.
  package func path(_ path: String) -> String {
    path.hasPrefix("/") ? path : "\(root)/\(path)"
  }

  /// Makes the folders that commands write to, and those above the workspace; those that exist
  /// stay as they are.
  package func makeFolders() throws(JobsError) {
    try FileContents.makeParents(of: root)
    for folder in [root, jobsFolder, outputFolder, dataFolder, rejectsFolder] {
      try FileContents.makeFolder(folder)
    }
  }

  /// Reads `firetally.yml`.
  ///
  /// - Throws: `JobsError.configuration` with all that is wrong, or `.refused`.
  package func config() throws(JobsError) -> WorkspaceConfig {
    let file: SourceFile
    do {
      file = try source(WorkspaceConfig.fileName)
    } catch JobsError.file(let failure) {
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

  /// Reads every job file.
  ///
  /// Hidden files, and names that do not end in `.yml` or `.yaml`, are ignored. A file that cannot
  /// be read is one that is wrong.
  ///
  /// - Throws: `JobsError.file` when the folder cannot be listed.
  package func jobs() throws(JobsError) -> JobCatalog {
    var sources: [SourceFile] = []
    var unreadable: [BrokenJob] = []
    for name in try jobFileNames() {
      do {
        sources.append(try source("jobs/\(name)"))
      } catch {
        let problem = ConfigurationProblem(file: "jobs/\(name)", message: error.description)
        unreadable.append(
          BrokenJob(name: JobFiles.jobName(of: name), error: ConfigurationError([problem])))
      }
    }
    return JobFiles.catalog(of: sources, unreadable: unreadable, variables: expansion)
  }

  private func jobFileNames() throws(JobsError) -> [String] {
    try FileContents.names(in: jobsFolder).filter { name in
      !name.hasPrefix(".") && (name.hasSuffix(".yml") || name.hasSuffix(".yaml"))
    }
  }

  /// The path of a job's file, relative to the workspace.
  ///
  /// - Throws: `JobsError.file` when the folder cannot be listed, or has no such file.
  func jobPath(of job: String) throws(JobsError) -> String {
    let name = try jobFileNames().first { JobFiles.jobName(of: $0) == job }
    return "jobs/\(name ?? "\(job).yml")"
  }

  func source(_ relativePath: String) throws(JobsError) -> SourceFile {
    SourceFile(
      path: relativePath,
      bytes: try FileContents.bytes(of: path(relativePath), limit: YAMLDocument.maxBytes + 1))
  }
}

extension Workspace {
  /// Opens the database to write, making it when there is none; see `docs/backup.md#upgrades`.
  ///
  /// A database with rows is backed up before its schema changes; `now` names that backup. When
  /// that fails, the schema stays as it is. `note` is called with a sentence once it has changed.
  ///
  /// - Throws: `StoreError`, `JobsError.file`.
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
      // Prunes only the copies from before migrations: each upgrade makes one.
      try BackupFolder(backupsFolder).prune(keeping: nil, timeZone: "UTC", at: now)
    } catch {
      note("An old copy stays: \(error)")
    }
    return store
  }
}

/// Which project's data a workspace holds, so that two projects never mix in one database.
///
/// See `docs/jobs.md#whose-data`.
package struct WorkspaceOrigin: Equatable, Sendable {
  package static let demo = WorkspaceOrigin(project: "demo")

  package let project: String

  /// What to say where a demo's project is asked of Google: ids there have six letters at least.
  static let isNobodys =
    "The project is 'demo', which nobody can have at Google: this workspace is a demo, or its "
    + "firetally.yml names no project of yours yet. `firetally status`, `findings`, `report` and "
    + "`sql` read what it holds. To load from a made-up app, start `firetally emulator --users 20` "
    + "and set FIRESTORE_EMULATOR_HOST=127.0.0.1:8080. For your own app, name your project as "
    + "firestore.project in firetally.yml."

  private static let metadataName = DatabaseInspection.projectName

  /// Nil for a database that nothing was fetched into.
  package static func stored(in store: Store) throws -> WorkspaceOrigin? {
    try store.read { try $0.metadata(named: metadataName) }.map(WorkspaceOrigin.init(project:))
  }

  /// Claims the database for this project; an error when it holds another's data.
  ///
  /// It is claimed before the first data is stored. The claim of a project that never stored
  /// anything, perhaps a misspelled name, is replaced, and the state of its loads is deleted.
  package func claim(_ store: Store, at path: String) throws {
    guard try Self.stored(in: store) != self else { return }
    try store.write { writer in
      if let other = try other(in: writer) {
        guard try !writer.holdsFetchedData() else { throw refusal(of: other, at: path) }
        try writer.forgetLoads()
      }
      try writer.setMetadata(project, named: Self.metadataName)
    }
  }

  /// An error when the database holds another project's data.
  package func check(_ store: Store, at path: String) throws {
    try store.read { reader in
      guard let other = try other(in: reader), try reader.holdsFetchedData() else { return }
      throw refusal(of: other, at: path)
    }
  }

  /// Whether the database is claimed for another project but holds nothing of it.
  package func replacesOther(in store: Store) throws -> Bool {
    try store.read { try other(in: $0) != nil && !$0.holdsFetchedData() }
  }

  private func other(in source: some Readable) throws -> WorkspaceOrigin? {
    let stored = try source.metadata(named: Self.metadataName).map(WorkspaceOrigin.init(project:))
    return stored == self ? nil : stored
  }

  private func refusal(of other: WorkspaceOrigin, at path: String) -> JobsError {
    .otherProject(path: path, stored: other.project, asked: project)
  }
}

/// A workspace that `firetally demo` has made, whose jobs nothing starts:
/// docs/emulator.md#the-demo.
extension Readable {
  package func isDemo() throws -> Bool { try metadata(named: demoName) != nil }
}

extension Writer {
  /// Remembers that the workspace is a demo; a database of a real project never is.
  package func setDemo(at now: Instant) throws {
    try setMetadata(now.iso8601, named: demoName)
  }
}

/// The name of the metadata that says when a demo was made.
private let demoName = "demo made at"
