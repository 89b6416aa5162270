package import Model
import Rules
package import Store

/// The settings in force in a workspace; see `docs/rules.md#settings`.
package enum WorkspaceSettings {
  /// What the sources sent last, under what `firetally.yml` says.
  package static func inForce(in store: Store, config: WorkspaceConfig) throws -> Settings {
    SettingsRule.resolve(
      fetched: try store.read { try $0.fetchedSettings() },
      workspace: config.settings.mapValues { String($0) })
  }
}
