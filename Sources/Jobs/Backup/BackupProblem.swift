/// Why a backup cannot be made, found or restored.
package enum BackupProblem: Error, Hashable, Sendable {
  /// A folder has no whole backup.
  case none(folder: String)
  case noSuchFile(path: String)
  /// The file is not what was backed up; a sentence for each finding.
  case damaged(path: String, [String])
  /// A newer program made it.
  case newerSchema(path: String, schema: Int, supported: Int, writer: String?)
  /// A program between two releases made it.
  case unreleasedSchema(path: String, schema: Int)
  /// The backup holds the data of another project than the workspace's.
  case otherProject(path: String, stored: String, wanted: String)
  /// Another process has the database open that is to be replaced.
  case databaseInUse(path: String)
  /// Nobody said that the present database may be replaced.
  case unconfirmed(path: String)

  var category: JobsError.Category {
    switch self {
    case .none, .noSuchFile, .unconfirmed: .usage
    case .damaged: .badData
    case .newerSchema, .unreleasedSchema, .otherProject: .configuration
    case .databaseInUse: .tryLater
    }
  }
}

extension BackupProblem: CustomStringConvertible {
  package var description: String {
    switch self {
    case .none(let folder):
      "There is no backup in \(folder). Make one with `firetally backup`, or name another folder "
        + "with --from."
    case .noSuchFile(let path):
      "There is no backup \(path). `firetally backup list` lists those of the workspace."
    case .damaged(let path, let findings):
      "The backup \(path) is damaged: \(findings.joined(separator: "; ")). Nothing was changed. "
        + "Take an earlier one from `firetally backup list`."
    case .newerSchema(let path, let schema, let supported, let writer):
      "The backup \(path) has schema \(schema), and this firetally knows schemas up to \(supported). "
        + "Nothing was changed. Install firetally \(writer ?? "as new as the one that made it") or "
        + "newer, then restore again."
    case .unreleasedSchema(let path, let schema):
      "The backup \(path) has schema \(schema), of a firetally between two releases; only those of "
        + "releases are brought up to date. Nothing was changed. Restore it with the firetally that "
        + "made it, or take another one from `firetally backup list`."
    case .otherProject(let path, let stored, let wanted):
      "The backup \(path) holds data of the project '\(stored)', and this workspace belongs to "
        + "'\(wanted)'. Nothing was changed. Restore it into another workspace with --into."
    case .databaseInUse(let path):
      "Another process has the database \(path) open, so it was not replaced. Wait until it ends, "
        + "then restore again."
    case .unconfirmed(let path):
      "The database \(path) would be replaced. Give --yes to do it; the present one is kept under "
        + "another name."
    }
  }
}
