import Glibc
import Model
import Store

/// The files of a workspace that a backup holds in addition to the database; see
/// `docs/backup.md#what-a-backup-is`.
enum WorkspaceFiles {
  /// The size of the largest file that is kept, in bytes.
  private static let mostBytes = 1 << 20
  /// The schemas are for editors, which find their path in the first line of the other files.
  private static let folders = ["jobs", Workspace.sectionsFolder, "schema"]

  /// Reads the existing files; `jobFiles` are those that jobs name, relative to the folder.
  ///
  /// - Throws: `WorkspaceError.file` for a file that this user cannot read.
  static func read(
    in workspace: Workspace, _ config: WorkspaceConfig, ofJobs jobFiles: [String]
  ) throws(WorkspaceError) -> [BackupFile] {
    var paths = [WorkspaceConfig.fileName, ThemeFile.name, "cron.example"]
    for folder in folders where access(workspace.path(folder), F_OK) == 0 {
      paths += try FileContents.names(in: workspace.path(folder)).filter { !$0.hasPrefix(".") }
        .map { "\(folder)/\($0)" }
    }
    paths += jobFiles.filter(isInside)
    // The key of masks is included, because a backup also holds the people behind the pseudonyms.
    paths.append(WorkspaceKey.masks.path)
    if config.backup.keepsContactKey { paths.append(ContactKey.path) }
    var files: [BackupFile] = []
    for path in paths.unique where isRegular(workspace.path(path)) {
      let bytes = try FileContents.bytes(of: workspace.path(path), limit: mostBytes + 1)
      if bytes.count <= mostBytes { files.append(BackupFile(path: path, bytes: bytes)) }
    }
    return files
  }

  /// Writes the missing files of a backup; existing files stay unchanged.
  ///
  /// - Precondition: the caller holds the workspace's lock.
  /// - Returns: the paths of the written files.
  /// - Throws: `WorkspaceError.file`, and `.damagedBackup` for a path that leads out of the
  ///   workspace.
  static func write(
    _ files: [BackupFile], of backup: String, to workspace: Workspace
  ) throws(WorkspaceError) -> [String] {
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
      // The write is atomic: a file truncated by a power failure would otherwise count as existing.
      try AtomicFile.removeAbandoned(for: path)
      try AtomicFile.write(file.bytes, to: path)
      written.append(file.path)
    }
    return written
  }

  /// Returns the faults of the files' paths, each as the end of a sentence.
  static func problems(of files: [BackupFile]) -> [String] {
    files.map(\.path).filter { !isInside($0) }.map { "its file '\($0)' leads out of the workspace" }
  }

  /// Whether a path leads to a file inside the workspace, without empty, `.` or `..` parts.
  private static func isInside(_ path: String) -> Bool {
    !path.split(separator: "/", omittingEmptySubsequences: false)
      .contains { ["", ".", ".."].contains($0) }
  }

  private static func isRegular(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}
