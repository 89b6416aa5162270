package import Workspace

/// The files that `firetally init` writes into a new workspace.
///
/// The project's own repository is such a workspace; a test keeps its files equal to these.
package enum WorkspaceTemplate {
  package struct File: Hashable, Sendable {
    /// Relative to the workspace.
    package let path: String
    package let text: String
  }

  package struct Outcome: Hashable, Sendable {
    package let path: String
    /// False when the file existed and was kept.
    package let wasWritten: Bool
  }

  /// The files of the project's own repository.
  package static let files = files(for: .example)

  /// Returns all files, in the best order for reading.
  ///
  /// A plain workspace has the one job that any project can run, instead of those of the app.
  package static func files(for place: TemplateValues, isPlain: Bool = false) -> [File] {
    let files =
      [File(path: WorkspaceConfig.fileName, text: configuration(place, isPlain: isPlain))]
      + jobFiles.filter { !isPlain || $0.path == "jobs/maintain.yml" }
      + [sectionFile, File(path: "cron.example", text: cron(place, isPlain: isPlain))]
    return files.map { file in
      // Only the template's own comments name the manual: a value may contain a folder of that
      // name.
      let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
        guard line.drop(while: { $0 == " " }).hasPrefix("#") else { return String(line) }
        return String(line).replacing(/([ (])docs\//) { "\($0.output.1)\(place.manual)/" }
      }
      let comment = ConfigurationSchema.comment(for: file.path) ?? ""
      return File(path: file.path, text: comment + lines.joined(separator: "\n"))
    } + schemas
  }

  /// The job files that need no values.
  private static let jobFiles = [
    file("jobs/settings.yml", PackageResources.settings_yml),
    file("jobs/online-users.yml", PackageResources.online_users_yml),
    file("jobs/feedback.yml", PackageResources.feedback_yml),
    file("jobs/events.yml", PackageResources.events_yml),
    file("jobs/upload-feedback.yml", PackageResources.upload_feedback_yml),
    file("jobs/settle.yml", PackageResources.settle_yml),
    file("jobs/report.yml", PackageResources.report_yml),
    file("jobs/maintain.yml", PackageResources.maintain_yml),
  ]

  /// The example of a reader's own section; it becomes one without its last extension.
  static let sectionFile = file(
    "\(Workspace.sectionsFolder)/releases.sql.example", PackageResources.releases_sql_example)

  private static func file(_ path: String, _ bytes: [UInt8]) -> File {
    File(path: path, text: String(decoding: bytes, as: UTF8.self))
  }

  /// The schemas that editors check the files with.
  private static let schemas = ConfigurationSchema.allCases.map {
    File(path: $0.path, text: $0.text)
  }

  /// Writes the schemas of this program, and replaces existing ones.
  package static func writeSchemas(to workspace: Workspace) throws(WorkspaceError) -> [String] {
    try makeFolders(in: workspace)
    for file in schemas {
      try AtomicFile.write(Array(file.text.utf8), to: workspace.path(file.path))
    }
    return schemas.map(\.path)
  }

  private static func makeFolders(in workspace: Workspace) throws(WorkspaceError) {
    try workspace.makeFolders()
    try FileContents.makeFolder(workspace.path("schema"))
    try FileContents.makeFolder(workspace.path(Workspace.sectionsFolder))
  }

  /// Writes missing files, and never touches an existing file.
  ///
  /// - Returns: the outcome of each file, in the order of `files`.
  /// - Throws: `WorkspaceError.file`; files that are already written stay.
  package static func write(
    to workspace: Workspace, for place: TemplateValues = .example, isPlain: Bool = false
  ) throws(WorkspaceError) -> [Outcome] {
    try makeFolders(in: workspace)
    return try files(for: place, isPlain: isPlain).map { file throws(WorkspaceError) in
      let wasWritten = try AtomicFile.create(Array(file.text.utf8), at: workspace.path(file.path))
      return Outcome(path: file.path, wasWritten: wasWritten)
    }
  }
}
