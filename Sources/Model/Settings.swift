/// The settings in force, one value per key; `Rules` resolves them from their sources.
package struct Settings: Hashable, Sendable {
  private var effective: [SettingKey: EffectiveSetting]

  /// Takes one setting per key; a key that is missing has no value.
  package init(_ settings: [EffectiveSetting]) {
    effective = Dictionary(settings.map { ($0.key, $0) }) { _, last in last }
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

extension Feature {
  package var limitKey: SettingKey {
    switch self {
    case .refresh: .refreshLimit
    case .filter: .filterLimit
    case .search: .searchLimit
    case .message: .messageLimit
    case .conversation: .conversationLimit
    }
  }

  package var cooldownKey: SettingKey {
    switch self {
    case .refresh: .refreshCooldown
    case .filter: .filterCooldown
    case .search: .searchCooldown
    case .message: .messageCooldown
    case .conversation: .conversationCooldown
    }
  }
}
