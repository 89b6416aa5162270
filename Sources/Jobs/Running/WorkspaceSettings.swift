package import Model
import Rules
package import Store

/// The settings in force in a workspace; see `docs/rules.md#settings`.
package enum WorkspaceSettings {
  /// What the sources sent last, under what `firetally.yml` says.
  package static func inForce(in store: Store, config: WorkspaceConfig) throws -> Settings {
    inForce(fetched: try store.read { try $0.fetchedSettings() }, config: config)
  }

  package static func inForce(fetched: [FetchedSetting], config: WorkspaceConfig) -> Settings {
    SettingsRule.resolve(
      fetched: fetched, workspace: config.settings.mapValues { String($0) })
  }
}
