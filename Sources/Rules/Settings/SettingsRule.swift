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
    var resolved: [EffectiveSetting] = []
    for rule in SettingRule.all {
      let standIn = rule.builtIn ?? cooldown(for: rule.key, beside: resolved)
      let offer = offers(for: rule, in: fields, workspace: workspace).first
      resolved.append(
        offer.map { rule.judge($0, standIn: standIn) } ?? rule.defaulted(to: standIn))
    }
    return Settings(resolved)
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

  /// A limit is one only together with a cooldown; limits come before their cooldowns.
  private static func cooldown(
    for key: SettingKey, beside settings: [EffectiveSetting]
  ) -> Int? {
    let limited = Feature.allCases.first { $0.cooldownKey == key }?.limitKey
    let isLimited = settings.contains { $0.key == limited && $0.value != nil }
    return isLimited ? cooldownBesideLimit : nil
  }
}

extension SettingRule {
  /// What is in force without a good value; nil means "not limited".
  fileprivate func defaulted(to standIn: Int?, warning: String? = nil) -> EffectiveSetting {
    EffectiveSetting(key: key, value: standIn, source: .builtIn, warning: warning)
  }

  fileprivate func judge(_ offer: SettingOffer, standIn: Int?) -> EffectiveSetting {
    func refused(_ fault: String) -> EffectiveSetting {
      defaulted(to: standIn, warning: warning(about: offer, fault: fault, standIn: standIn))
    }
    guard let number = offer.number else { return refused("is not an integer") }
    switch bound {
    case .positive where number < 1: return refused("is not above 0")
    case .zeroOrMore where number < 0: return refused("is below 0")
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

  private func warning(about offer: SettingOffer, fault: String, standIn: Int?) -> String {
    let standIn = standIn.map { "the default \($0) is used" } ?? "the feature is not limited"
    return "\(offer.name) in \(offer.source.rawValue) \(fault) ('\(offer.text.prefix(40))'); "
      + "\(standIn)."
  }
}

extension SettingOffer {
  /// The integer that the text writes; one beyond 64 bits is the largest or the smallest of them.
  ///
  /// Nil for a text that is none. Doubles that large are whole, and come as `1e+20`.
  fileprivate var number: Int? {
    if let number = Int(text) { return number }
    guard text.utf8.allSatisfy(Self.isOfNumber), let number = Double(text),
      number.magnitude >= 0x1p63
    else { return nil }
    return number < 0 ? .min : .max
  }

  /// Leaves out what `Double` reads besides: hexadecimal digits, infinity, no number.
  private static func isOfNumber(_ byte: UInt8) -> Bool { "0123456789+-.e".utf8.contains(byte) }
}
