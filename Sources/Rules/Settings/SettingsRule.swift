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
      offers(for: rule, in: fields, workspace: workspace).first.map(rule.judge)
        ?? rule.defaulted()
    }
    return Settings(withCooldownsBesideLimits(resolved))
  }

  /// What each source says about a setting, the strongest first; of one source, the name that wins.
  package static func offers(
    for key: SettingKey, fetched: [FetchedSetting], workspace: [SettingKey: String] = [:]
  ) -> [SettingOffer] {
    offers(
      for: SettingRule(key), in: Dictionary(grouping: fetched, by: \.wireName),
      workspace: workspace)
  }

  /// The fields that belong to no setting, in their order.
  package static func unknown(_ fetched: [FetchedSetting]) -> [FetchedSetting] {
    fetched.filter { keys[$0.wireName] == nil }
  }

  /// The setting that a wire name belongs to; nil for a name that is none of ours.
  package static func key(named wireName: String) -> SettingKey? { keys[wireName] }

  private static let keys: [String: SettingKey] = {
    let names = SettingRule.all.flatMap { rule in rule.wireNames.map { ($0, rule.key) } }
    return Dictionary(names) { first, _ in first }
  }()

  private static func offers(
    for rule: SettingRule, in fields: [String: [FetchedSetting]],
    workspace: [SettingKey: String]
  ) -> [SettingOffer] {
    let own = workspace[rule.key].map {
      SettingOffer(name: rule.key.rawValue, text: $0, source: .workspace, fetchedAt: nil)
    }
    let remote = [SettingSource.appSettings, .remoteConfig].compactMap { source in
      rule.wireNames.lazy.compactMap { name in
        fields[name]?.last { $0.source == source }.map(SettingOffer.init)
      }.first
    }
    return [own].compactMap(\.self) + remote
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

extension SettingRule {
  fileprivate func defaulted(warning: String? = nil) -> EffectiveSetting {
    EffectiveSetting(key: key, value: builtIn, source: .builtIn, warning: warning)
  }

  fileprivate func judge(_ offer: SettingOffer) -> EffectiveSetting {
    guard let number = Int(offer.text) else {
      return defaulted(warning: warning(about: offer, fault: "is not an integer"))
    }
    switch bound {
    case .positive where number < 1:
      return defaulted(warning: warning(about: offer, fault: "is not above 0"))
    case .zeroOrMore where number < 0:
      return defaulted(warning: warning(about: offer, fault: "is below 0"))
    default: return accept(max(0, number), of: offer)
    }
  }

  private func accept(_ number: Int, of offer: SettingOffer) -> EffectiveSetting {
    let isTooLarge = number > Self.largest
    return EffectiveSetting(
      key: key, value: min(number, Self.largest), source: offer.source,
      fetchedAt: offer.fetchedAt,
      warning: isTooLarge
        ? "\(offer.name) in \(offer.source.rawValue) is above \(Self.largest); that is used." : nil)
  }

  private func warning(about offer: SettingOffer, fault: String) -> String {
    let standIn = builtIn.map { "the default \($0) is used" } ?? "the feature is not limited"
    return "\(offer.name) in \(offer.source.rawValue) \(fault) ('\(offer.text.prefix(40))'); "
      + "\(standIn)."
  }
}
