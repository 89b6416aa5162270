package import Model

/// What one source says about a setting, as it wrote it.
package struct SettingOffer: Hashable, Sendable {
  /// The name that it was found by.
  package var name: String
  package var text: String
  package var source: SettingSource
  /// Nil for `firetally.yml`.
  package var fetchedAt: Instant?

  init(name: String, text: String, source: SettingSource, fetchedAt: Instant?) {
    self.name = name
    self.text = text
    self.source = source
    self.fetchedAt = fetchedAt
  }

  init(_ field: FetchedSetting) {
    self.init(
      name: field.wireName, text: field.rawValue, source: field.source,
      fetchedAt: field.fetchedAt)
  }
}
