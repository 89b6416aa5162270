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

  package init(
    key: SettingKey, value: Int?, source: SettingSource, fetchedAt: Instant? = nil,
    warning: String? = nil
  ) {
    self.key = key
    self.value = value
    self.source = source
    self.fetchedAt = fetchedAt
    self.warning = warning
  }
}

/// Where a setting's value came from, the weakest source first.
package enum SettingSource: String, CaseIterable, Codable, Comparable, Sendable {
  case builtIn = "built-in"
  case remoteConfig = "remote-config"
  case appSettings = "app-settings"
  case workspace = "firetally.yml"

  package static func < (left: SettingSource, right: SettingSource) -> Bool {
    left.rank < right.rank
  }

  fileprivate var words: String {
    switch self {
    case .builtIn: "the defaults"
    case .remoteConfig: "Remote Config"
    case .appSettings: "the app's settings"
    case .workspace: rawValue
    }
  }

  private var rank: Int {
    switch self {
    case .builtIn: 0
    case .remoteConfig: 1
    case .appSettings: 2
    case .workspace: 3
    }
  }
}
