import Glibc
import Model
import Store

/// The files of a workspace that a backup holds beside the database; see
/// `docs/backup.md#what-a-backup-is`.
enum WorkspaceFiles {
  /// Bytes of the largest file that is kept.
  private static let mostBytes = 1 << 20
  /// The schemas are for editors, which the first line of the other files tells where they are.
  private static let folders = ["jobs", Workspace.sectionsFolder, "schema"]

  /// Reads them, those that are there; `jobFiles` are those that jobs name, relative to the folder.
  ///
  /// - Throws: `JobsError.file` for one that this user cannot read.
  static func read(
    in workspace: Workspace, _ config: WorkspaceConfig, ofJobs jobFiles: [String]
  ) throws(JobsError) -> [BackupFile] {
    var paths = [WorkspaceConfig.fileName, ThemeFile.name, "cron.example"]
    for folder in folders where access(workspace.path(folder), F_OK) == 0 {
      paths += try FileContents.names(in: workspace.path(folder)).filter { !$0.hasPrefix(".") }
        .map { "\(folder)/\($0)" }
    }
    paths += jobFiles.filter(isInside)
    // A backup holds the people whose pseudonyms it makes.
    paths.append(WorkspaceKey.masks.path)
    if config.backup.keepsContactKey { paths.append(ContactKey.path) }
    var files: [BackupFile] = []
    for path in paths.unique where isRegular(workspace.path(path)) {
      let bytes = try FileContents.bytes(of: workspace.path(path), limit: mostBytes + 1)
      if bytes.count <= mostBytes { files.append(BackupFile(path: path, bytes: bytes)) }
    }
    return files
  }

  /// Writes the files of a backup that are not there yet; those that are there stay as they are.
  ///
  /// - Precondition: the caller holds the workspace's lock.
  /// - Returns: the paths of those that were written.
  /// - Throws: `JobsError.file`, and `.damagedBackup` for a path that leads out of the workspace.
  static func write(
    _ files: [BackupFile], of backup: String, to workspace: Workspace
  ) throws(JobsError) -> [String] {
    let problems = problems(of: files)
    guard problems.isEmpty else { throw .damagedBackup(backup, problems) }
    var written: [String] = []
    for file in files {
      let parts = file.path.split(separator: "/")
      for count in 1..<max(1, parts.count) {
        try FileContents.makeFolder(workspace.path(parts[..<count].joined(separator: "/")))
      }
      let path = workspace.path(file.path)
      guard faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) != 0 else { continue }
      // By renaming: a file that lost its end with the power would stay when this is repeated.
      try AtomicFile.removeAbandoned(for: path)
      try AtomicFile.write(file.bytes, to: path)
      written.append(file.path)
    }
    return written
  }

  /// What is wrong with the paths of files, the end of a sentence each.
  static func problems(of files: [BackupFile]) -> [String] {
    files.map(\.path).filter { !isInside($0) }.map { "its file '\($0)' leads out of the workspace" }
  }

  /// Whether a path names a file below the workspace, without a detour.
  private static func isInside(_ path: String) -> Bool {
    !path.split(separator: "/", omittingEmptySubsequences: false)
      .contains { ["", ".", ".."].contains($0) }
  }

  private static func isRegular(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}
