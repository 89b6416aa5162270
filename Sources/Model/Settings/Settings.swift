/// The settings in force, one value per key; `SettingsRule` resolves them from their sources.
package struct Settings: Hashable, Sendable {
  private var effective: [SettingKey: EffectiveSetting]

  /// Takes one setting per key, of several the last; a missing key has no value.
  package init(_ settings: [EffectiveSetting]) {
    effective = Dictionary(settings.map { ($0.key, $0) }) { _, last in last }
  }

  /// Where the values in force come from, the strongest first: `Remote Config and the defaults`.
  package var sourceWords: String {
    let words = Set(effective.values.map(\.source)).sorted(by: >).map(\.words)
    guard words.count > 1, let last = words.last else { return words.first ?? "" }
    return "\(words.dropLast().joined(separator: ", ")) and \(last)"
  }

  /// The settings in the order of `SettingKey`.
  package var all: [EffectiveSetting] {
    SettingKey.allCases.compactMap { effective[$0] }
  }

  package subscript(key: SettingKey) -> EffectiveSetting? { effective[key] }

  package func value(_ key: SettingKey) -> Int? { effective[key]?.value }

  /// The feature's limit; nil when the feature is not limited.
  package func limit(of feature: Feature) -> FeatureLimit? {
    guard let limit = value(feature.limitKey), let cooldown = value(feature.cooldownKey) else {
      return nil
    }
    return FeatureLimit(limit: limit, cooldownSeconds: cooldown)
  }
}

/// A setting's value in force, its source, and a warning when the source's value was bad.
package struct EffectiveSetting: Hashable, Codable, Sendable {
  package var key: SettingKey
  /// Nil means "not limited", which only the message and conversation settings can be.
  package var value: Int?
  package var source: SettingSource
  /// When the source was read; nil for built-in values and `firetally.yml`.
  package var fetchedAt: Instant?
  /// A sentence about a bad value that was replaced; nil without one.
  package var warning: String?
}

/// Where a setting's value came from, the weakest source first.
package enum SettingSource: String, CaseIterable, Codable, Comparable, Sendable {
  case builtIn = "built-in"
  case remoteConfig = "remote-config"
  case appSettings = "app-settings"
  case workspace = "firetally.yml"

  package static func < (left: SettingSource, right: SettingSource) -> Bool {
    allCases.firstIndex(of: left) ?? 0 < allCases.firstIndex(of: right) ?? 0
  }

  fileprivate var words: String {
    switch self {
    case .builtIn: "the defaults"
    case .remoteConfig: "Remote Config"
    case .appSettings: "the app's settings"
    case .workspace: rawValue
    }
  }
}

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
