/// What `firetally init` writes into a new workspace.
///
/// The project's own repository is such a workspace; a test keeps its files equal to these.
package enum WorkspaceTemplate {
  /// A file of a new workspace.
  package struct File: Hashable, Sendable {
    /// Relative to the workspace.
    package let path: String
    package let text: String
  }

  /// What became of a file.
  package struct Outcome: Hashable, Sendable {
    package let path: String
    /// False: the file was there and was left as it is.
    package let wasWritten: Bool
  }

  package static let project = "demo"

  /// All files, in the order in which they are best read.
  package static let files: [File] = [
    File(path: WorkspaceConfig.fileName, text: configuration),
    File(path: "jobs/settings.yml", text: settings),
    File(path: "jobs/online-users.yml", text: onlineUsers),
    File(path: "jobs/events.yml", text: events),
    File(path: "jobs/upload-feedback.yml", text: uploadFeedback),
    File(path: "jobs/report.yml", text: report),
    File(path: "jobs/maintain.yml", text: maintain),
    File(path: "cron.example", text: cron),
  ]

  /// Writes what is missing, and never touches a file that is there.
  ///
  /// - Returns: what became of each file, in the order of `files`.
  /// - Throws: `JobsError.file`; what was written before stays.
  package static func write(to workspace: Workspace) throws(JobsError) -> [Outcome] {
    try workspace.makeFolders()
    return try files.map { file throws(JobsError) in
      let wasWritten = try AtomicFile.create(Array(file.text.utf8), at: workspace.path(file.path))
      return Outcome(path: file.path, wasWritten: wasWritten)
    }
  }
}
