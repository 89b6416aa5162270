import Firestore
package import Model
package import Store

package struct SettingsPullResult: Sendable {
  /// What changed since the last fetch, by name.
  package var changes: [SettingChange]
  /// Fields that the document has; nil when there is no such document.
  package var fieldCount: Int?
}

/// Fetches the app's settings document; see `docs/rules.md#settings`.
package struct SettingsPull: Sendable {
  private let port: any FirestorePort
  private let store: Store

  package init(port: any FirestorePort, store: Store) {
    self.port = port
    self.store = store
  }

  /// Makes the document's fields the values of the source `app-settings`.
  ///
  /// Without such a document no value of that source remains, so the defaults apply.
  package func run(document path: String, at now: Instant) async throws -> SettingsPullResult {
    let document = try await port.document(at: path, readTime: nil)
    let fetched = (document?.fields ?? [:]).map { name, value in
      FetchedSetting(
        wireName: name, rawValue: Self.text(of: value), source: .appSettings, fetchedAt: now)
    }
    let changes = try store.write {
      try $0.record(fetched: fetched, from: .appSettings, at: now)
    }
    return SettingsPullResult(changes: changes, fieldCount: document?.fields.count)
  }

  /// Numbers, texts and flags in their plain form; anything else as JSON.
  static func text(of value: Value) -> String {
    switch value {
    case .integer(let number): String(number)
    case .double(let number): Int64(exactly: number).map { String($0) } ?? String(number)
    case .string(let text): text
    case .boolean(let flag): String(flag)
    default: String(decoding: value.json.serialized(), as: UTF8.self)
    }
  }
}
