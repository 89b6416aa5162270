import Jobs
import Model
import Store

/// Where a replay finds its settings and its ledger, without writing anything.
struct ReplayInputs {
  private let fetched: [FetchedSetting]
  private let workspace: [SettingKey: String]
  /// Nil where there is no workspace, or nothing was stored in it.
  private let store: Store?
  private let databasePath: String?

  /// The workspace of the command; none when the current folder is none and `-C` names none.
  init(_ invocation: Invocation) throws {
    do {
      let opened = try invocation.openWorkspace()
      store = try opened.readStore()
      databasePath = opened.workspace.databasePath
      workspace = opened.config.settings.mapValues { String($0) }
    } catch JobsError.notAWorkspace where invocation.options.namedWorkspace == nil {
      (store, databasePath, workspace) = (nil, nil, [:])
      invocation.log.warn(
        "No workspace in the current folder: the built-in settings are in force. "
          + "Name one with -C to use its own.")
    }
    fetched = try store?.read { try $0.fetchedSettings() } ?? []
  }

  /// The settings in force, under what the assignments say.
  func settings(_ assignments: [SettingAssignments] = []) -> Settings {
    let assigned = assignments.reduce(into: workspace) { all, assignments in
      all.merge(assignments.values) { _, new in new }
    }
    return SettingsRule.resolve(fetched: fetched, workspace: assigned)
  }

  /// The file's attempts, or those of the ledger for nil.
  func source(file: String?) throws -> ReplaySource {
    if let file { return .file(path: file) }
    if let store { return .ledger(store) }
    guard let databasePath else { throw JobsError.notAWorkspace(path: ".") }
    throw StoreError.missing(path: databasePath)
  }
}
