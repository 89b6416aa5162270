import Firestore

/// How a job of kind `sync-settings` works; see `docs/jobs.md#sync-settings`.
package struct SyncSettingsOptions: Hashable, Sendable {
  /// The settings document; nil for `AppSettings/` and the bundle id.
  package var document: String?

  package static let keys = KeyTable(["document"])

  package init(document: String? = nil) {
    self.document = document
  }

  init(_ reader: MappingReader) {
    document = reader.text("document", wanted: "a document path such as AppSettings/com.app") {
      let ids = ResourceName.ids(in: $0)
      return ids.count.isMultiple(of: 2) && !ids.contains("")
    }
  }
}
