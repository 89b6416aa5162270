import Feeds
package import Firestore
import Model
import Store
import Sync

/// A pull of the app's settings document; see `docs/rules.md#settings`.
package struct SettingsPull: Sendable {
  let port: any FirestorePort
  let store: Store

  /// Replaces the values of the source `app-settings` by the fields of the document.
  ///
  /// Without the document, no values of that source remain, so the defaults apply.
  ///
  /// - Returns: the changes since the last fetch, by name, and the number of the document's fields;
  ///   nil without a document.
  func run(
    document path: String, at now: Instant
  ) async throws -> (changes: [SettingChange], fieldCount: Int?) {
    let document = try await port.document(at: path, readTime: nil)
    let fetched = (document?.fields ?? [:]).map { name, value in
      FetchedSetting(
        wireName: name, rawValue: Self.text(of: value), source: .appSettings, fetchedAt: now)
    }
    let changes = try store.write {
      try $0.record(fetched: fetched, from: .appSettings, at: now)
    }
    return (changes, document?.fields.count)
  }

  /// Returns numbers, texts and flags in their plain form, and other values as JSON.
  package static func text(of value: Value) -> String {
    switch value {
    case .integer(let number): String(number)
    case .double(let number): Int64(exactly: number).map { String($0) } ?? String(number)
    case .string(let text): text
    case .boolean(let flag): String(flag)
    default: String(decoding: value.json.serialized(), as: UTF8.self)
    }
  }
}

/// A pull of the Remote Config template; see `docs/rules.md#settings`.
struct RemoteConfigPull: Sendable {
  let store: Store
  /// Requests the template, unless it still has the ETag.
  let fetch: @Sendable (_ etag: String?) async throws -> RemoteConfigClient.Response

  /// Replaces the values of the source `remote-config` by the template's; returns the changes.
  ///
  /// Values and ETag are committed together; an error of `fetch` leaves both as they were.
  func run(at now: Instant) async throws -> [SettingChange] {
    let answer = try await fetch(try store.read { try $0.mark(named: .settingsETag) })
    return try store.write { writer in
      switch answer {
      case .unchanged:
        let known = try writer.fetchedSettings(from: .remoteConfig)
        return try writer.record(fetched: known, from: .remoteConfig, at: now)
      case .template(let template, let etag):
        try writer.setMark(etag, named: .settingsETag)
        try writer.record(conditional: template.conditionalSettings)
        return try writer.record(fetched: template.settings, from: .remoteConfig, at: now)
      }
    }
  }

  /// Deletes the values of earlier runs when the workspace no longer reads Remote Config.
  static func forget(in store: Store, at now: Instant) throws {
    let isKept = try store.read { reader in
      try !reader.fetchedSettings(from: .remoteConfig).isEmpty
        || !reader.conditionalSettings().isEmpty
    }
    guard isKept else { return }
    try store.write { writer in
      try writer.setMark(nil, named: .settingsETag)
      try writer.record(conditional: [])
      try writer.record(fetched: [], from: .remoteConfig, at: now)
    }
  }
}
