/// One field as a source sent it, whether or not it is one of the settings.
package struct FetchedSetting: Hashable, Codable, Sendable {
  /// The wire name, for example `freeRefreshLimit`.
  package var wireName: String
  /// The value as text: digits for an integer, JSON for a map or an array.
  package var rawValue: String
  package var source: SettingSource
  package var fetchedAt: Instant

  package init(wireName: String, rawValue: String, source: SettingSource, fetchedAt: Instant) {
    self.wireName = wireName
    self.rawValue = rawValue
    self.source = source
    self.fetchedAt = fetchedAt
  }
}

/// One row of `settings_history`: a field that changed between two fetches.
package struct SettingChange: Hashable, Codable, Sendable {
  package var wireName: String
  package var source: SettingSource
  /// Nil when the field is new.
  package var oldValue: String?
  /// Nil when the field is gone.
  package var newValue: String?
  package var changedAt: Instant

  package init(
    wireName: String, source: SettingSource, oldValue: String?, newValue: String?,
    changedAt: Instant
  ) {
    self.wireName = wireName
    self.source = source
    self.oldValue = oldValue
    self.newValue = newValue
    self.changedAt = changedAt
  }

  /// `refresh limit 2 -> 5 at 2026-01-31T08:00:00Z`; `none` stands for an absent field.
  package var sentence: String {
    let name = SettingKey(wireName: wireName)?.descriptor.title ?? wireName
    return "\(name) \(oldValue ?? "none") -> \(newValue ?? "none") at \(changedAt)"
  }
}

/// A value that Remote Config has for app instances that meet a condition; it is listed, never
/// used.
package struct ConditionalSetting: Hashable, Sendable {
  package var wireName: String
  package var condition: String
  /// The condition as the template writes it, for example `device.os == 'ios'`; empty when unknown.
  package var expression: String
  /// Nil when the template has no value for the condition, for example because the app decides.
  package var rawValue: String?

  package init(wireName: String, condition: String, expression: String, rawValue: String?) {
    self.wireName = wireName
    self.condition = condition
    self.expression = expression
    self.rawValue = rawValue
  }
}
