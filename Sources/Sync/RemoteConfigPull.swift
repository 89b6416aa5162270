package import Feeds
package import Model
package import Store

/// Keeps the values of the Remote Config template; see `docs/rules.md#settings`.
package struct RemoteConfigPull: Sendable {
  /// Asks for the template, unless it is still the one with the ETag.
  package typealias Fetch = @Sendable (_ etag: String?) async throws -> RemoteConfigClient.Answer

  private static let etagMark = "remote-config etag"

  private let store: Store
  private let fetch: Fetch

  package init(store: Store, fetch: @escaping Fetch) {
    self.store = store
    self.fetch = fetch
  }

  /// Makes the template's values those of the source `remote-config`, and returns what changed.
  ///
  /// Values and ETag commit together; whatever `fetch` throws leaves both as they were.
  package func run(at now: Instant) async throws -> [SettingChange] {
    let answer = try await fetch(try store.read { try $0.mark(named: Self.etagMark) })
    return try store.write { writer in
      switch answer {
      case .unchanged:
        let known = try writer.fetchedSettings(from: .remoteConfig)
        return try writer.record(fetched: known, from: .remoteConfig, at: now)
      case .template(let template, let etag):
        try writer.setMark(etag, named: Self.etagMark)
        return try writer.record(fetched: template.settings, from: .remoteConfig, at: now)
      }
    }
  }

  /// Drops what an earlier run fetched, for a workspace that no longer reads Remote Config.
  package static func forget(in store: Store, at now: Instant) throws {
    guard try !store.read({ try $0.fetchedSettings(from: .remoteConfig) }).isEmpty else { return }
    try store.write { writer in
      try writer.setMark(nil, named: etagMark)
      try writer.record(fetched: [], from: .remoteConfig, at: now)
    }
  }
}
