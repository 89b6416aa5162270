import Glibc

/// A folder with `firetally.yml`, job files, reports and the database.
package struct Workspace: Hashable, Sendable {
  /// Absolute, or relative to the folder the program was started in; without a slash at the end.
  package let root: String

  package init(root: String) {
    let trimmed = root.count > 1 && root.hasSuffix("/") ? String(root.dropLast()) : root
    self.root = trimmed.isEmpty ? "." : trimmed
  }

  /// The workspace in a folder itself; folders above are not searched.
  ///
  /// - Throws: `JobsError.notAWorkspace` when the folder has no `firetally.yml`.
  package static func find(at path: String) throws(JobsError) -> Workspace {
    let workspace = Workspace(root: path)
    guard access(workspace.configurationPath, F_OK) == 0 else {
      throw .notAWorkspace(path: workspace.root)
    }
    return workspace
  }

  package var configurationPath: String { path(WorkspaceConfig.fileName) }
  package var jobsFolder: String { path("jobs") }
  package var outputFolder: String { path("output") }
  package var dataFolder: String { path("data") }
  package var databasePath: String { path("data/firetally.sqlite") }
  package var rejectsFolder: String { path("data/rejects") }
  package var backupsFolder: String { path("data/backups") }
  package var lockPath: String { path("data/firetally.lock") }

  /// A path of a configuration file: absolute as it is, else inside the workspace.
  package func path(_ path: String) -> String {
    path.hasPrefix("/") ? path : "\(root)/\(path)"
  }

  /// Makes the folders that commands write to; those that exist stay as they are.
  ///
  /// - Throws: `JobsError.file`.
  package func makeFolders() throws(JobsError) {
    do {
      for folder in [root, jobsFolder, outputFolder, dataFolder, rejectsFolder] {
        try FileContents.makeFolder(folder)
      }
    } catch {
      throw .file(error)
    }
  }

  /// Reads `firetally.yml`.
  ///
  /// - Throws: `JobsError.configuration` with all that is wrong, or `JobsError.file`.
  package func config() throws(JobsError) -> WorkspaceConfig {
    let source = try source(WorkspaceConfig.fileName)
    do {
      return try WorkspaceConfig(parsing: source)
    } catch {
      throw .configuration(error)
    }
  }

  /// Reads every job file; the jobs come by name.
  ///
  /// Hidden files, and names that do not end in `.yml` or `.yaml`, are ignored.
  ///
  /// - Throws: `JobsError.jobFiles` with all that is wrong in all of them, or `JobsError.file`.
  package func jobs() throws(JobsError) -> [Job] {
    let sources = try jobFileNames().map { name throws(JobsError) in try source("jobs/\(name)") }
    do {
      return try JobFiles.jobs(in: sources)
    } catch {
      throw .jobFiles(error)
    }
  }

  private func jobFileNames() throws(JobsError) -> [String] {
    do {
      return try FileContents.names(in: jobsFolder).filter { name in
        !name.hasPrefix(".") && (name.hasSuffix(".yml") || name.hasSuffix(".yaml"))
      }
    } catch {
      throw .file(error)
    }
  }

  private func source(_ relativePath: String) throws(JobsError) -> SourceFile {
    do {
      let bytes = try FileContents.bytes(
        of: path(relativePath), limit: YAMLDocument.maxBytes + 1)
      return SourceFile(path: relativePath, bytes: bytes)
    } catch {
      throw .file(error)
    }
  }
}
