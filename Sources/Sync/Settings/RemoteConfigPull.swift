package import Feeds
package import Model
package import Store

/// Keeps the values of the Remote Config template; see `docs/rules.md#settings`.
package struct RemoteConfigPull: Sendable {
  /// Asks for the template, unless the ETag is still its own.
  package typealias Fetch = @Sendable (_ etag: String?) async throws -> RemoteConfigClient.Response

  private static let etagName = "remote-config etag"

  private let store: Store
  private let fetch: Fetch

  package init(store: Store, fetch: @escaping Fetch) {
    self.store = store
    self.fetch = fetch
  }

  /// Makes the template's values those of the source `remote-config`, and returns what changed.
  ///
  /// Values and ETag commit together; an error of `fetch` leaves both as they were.
  package func run(at now: Instant) async throws -> [SettingChange] {
    let answer = try await fetch(try store.read { try $0.metadata(named: Self.etagName) })
    return try store.write { writer in
      switch answer {
      case .unchanged:
        let known = try writer.fetchedSettings(from: .remoteConfig)
        return try writer.record(fetched: known, from: .remoteConfig, at: now)
      case .template(let template, let etag):
        try writer.setMetadata(etag, named: Self.etagName)
        try writer.record(conditional: template.conditionalSettings)
        return try writer.record(fetched: template.settings, from: .remoteConfig, at: now)
      }
    }
  }

  /// Drops what an earlier run fetched, for a workspace that no longer reads Remote Config.
  package static func forget(in store: Store, at now: Instant) throws {
    let isKept = try store.read { reader in
      try !reader.fetchedSettings(from: .remoteConfig).isEmpty
        || !reader.conditionalSettings().isEmpty
    }
    guard isKept else { return }
    try store.write { writer in
      try writer.setMetadata(nil, named: etagName)
      try writer.record(conditional: [])
      try writer.record(fetched: [], from: .remoteConfig, at: now)
    }
  }
}
