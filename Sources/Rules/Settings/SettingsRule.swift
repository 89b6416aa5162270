package import Model

/// Which value of each setting is in force; docs/rules.md#settings.
package enum SettingsRule {
  /// Cooldown of a message or conversation limit that comes without one; docs/rules.md#settings.
  package static let cooldownBesideLimit = 120

  /// Takes each setting from the strongest source that names it.
  ///
  /// A bad value is replaced by the built-in one, not by that of a weaker source, so that a typing
  /// error shows. `workspace` is `firetally.yml: settings:` by `SettingKey` name. Wire names that
  /// belong to no setting are ignored.
  package static func resolve(
    fetched: [FetchedSetting], workspace: [SettingKey: String] = [:]
  ) -> Settings {
    let fields = Dictionary(grouping: fetched, by: \.wireName)
    let resolved = SettingRule.all.map { rule in
      named(by: rule, in: fields, workspace: workspace).map(rule.judge) ?? rule.defaulted()
    }
    return Settings(withCooldownsBesideLimits(resolved))
  }

  private static func named(
    by rule: SettingRule, in fields: [String: [FetchedSetting]], workspace: [SettingKey: String]
  ) -> NamedValue? {
    if let text = workspace[rule.key] {
      return NamedValue(
        name: rule.key.rawValue, text: text, source: .workspace, fetchedAt: nil)
    }
    for source in [SettingSource.appSettings, .remoteConfig] {
      for name in rule.wireNames {
        let field = fields[name]?.last { $0.source == source }
        guard let field else { continue }
        return NamedValue(
          name: name, text: field.rawValue, source: source, fetchedAt: field.fetchedAt)
      }
    }
    return nil
  }

  /// A limit is one only together with a cooldown.
  private static func withCooldownsBesideLimits(
    _ settings: [EffectiveSetting]
  ) -> [EffectiveSetting] {
    let limited = Set(settings.filter { $0.value != nil }.map(\.key))
    let wanting = Set(
      Feature.allCases.filter { limited.contains($0.limitKey) }.map(\.cooldownKey))
    return settings.map { setting in
      guard setting.value == nil, wanting.contains(setting.key) else { return setting }
      var setting = setting
      setting.value = cooldownBesideLimit
      return setting
    }
  }
}

/// A value as its source wrote it, under the name it was found by.
private struct NamedValue {
  var name: String
  var text: String
  var source: SettingSource
  var fetchedAt: Instant?
}

extension SettingRule {
  fileprivate func defaulted(warning: String? = nil) -> EffectiveSetting {
    EffectiveSetting(key: key, value: builtIn, source: .builtIn, warning: warning)
  }

  fileprivate func judge(_ named: NamedValue) -> EffectiveSetting {
    guard let number = Int(named.text) else {
      return defaulted(warning: warning(about: named, fault: "is not an integer"))
    }
    switch bound {
    case .positive where number < 1:
      return defaulted(warning: warning(about: named, fault: "is not above 0"))
    case .zeroOrMore where number < 0:
      return defaulted(warning: warning(about: named, fault: "is below 0"))
    default: return accept(max(0, number), of: named)
    }
  }

  private func accept(_ number: Int, of named: NamedValue) -> EffectiveSetting {
    let isTooLarge = number > Self.largest
    return EffectiveSetting(
      key: key, value: min(number, Self.largest), source: named.source,
      fetchedAt: named.fetchedAt,
      warning: isTooLarge
        ? "\(named.name) in \(named.source.rawValue) is above \(Self.largest); that is used." : nil)
  }

  private func warning(about named: NamedValue, fault: String) -> String {
    let standIn = builtIn.map { "the default \($0) is used" } ?? "the feature is not limited"
    return "\(named.name) in \(named.source.rawValue) \(fault) ('\(named.text.prefix(40))'); "
      + "\(standIn)."
  }
}
