/// What one source says about a setting, as the source wrote it.
package struct SettingOffer: Hashable, Sendable {
  /// The name that the source used.
  package var name: String
  package var text: String
  package var source: SettingSource
  /// Nil for `firetally.yml`.
  package var fetchedAt: Instant?
}

/// Which value of each setting is in force; docs/rules.md#settings.
package enum SettingsRule {
  /// The cooldown of a message or conversation limit that no cooldown is named for.
  package static let cooldownBesideLimit = 120

  /// Takes each setting from the strongest source that names it.
  ///
  /// A bad value is replaced by the built-in value, not by a weaker source's, so that a typing
  /// error shows. `workspace` is `firetally.yml: settings:`. Wire names of no setting are ignored.
  package static func resolve(
    fetched: [FetchedSetting], workspace: [SettingKey: String] = [:]
  ) -> Settings {
    let fields = Dictionary(grouping: fetched, by: \.wireName)
    var resolved: [EffectiveSetting] = []
    for setting in SettingDescriptor.all {
      let fallback = setting.builtIn ?? cooldown(for: setting, beside: resolved)
      let offer = offers(for: setting, in: fields, workspace: workspace).first
      resolved.append(
        offer.map { setting.judge($0, fallback: fallback) } ?? setting.builtIn(fallback))
    }
    return Settings(resolved)
  }

  /// What each source says about a setting, the strongest source first; each by its winning name.
  package static func offers(
    for key: SettingKey, fetched: [FetchedSetting], workspace: [SettingKey: String] = [:]
  ) -> [SettingOffer] {
    offers(
      for: key.descriptor, in: Dictionary(grouping: fetched, by: \.wireName),
      workspace: workspace)
  }

  /// The fields that belong to no setting, in their order.
  package static func unknown(_ fetched: [FetchedSetting]) -> [FetchedSetting] {
    fetched.filter { SettingKey(wireName: $0.wireName) == nil }
  }

  private static func offers(
    for setting: SettingDescriptor, in fields: [String: [FetchedSetting]],
    workspace: [SettingKey: String]
  ) -> [SettingOffer] {
    let own = workspace[setting.key].map {
      SettingOffer(name: setting.key.rawValue, text: $0, source: .workspace, fetchedAt: nil)
    }
    let remote = [SettingSource.appSettings, .remoteConfig].compactMap { source in
      setting.wireNames.lazy.compactMap { name in
        fields[name]?.last { $0.source == source }.map(SettingOffer.init)
      }.first
    }
    return [own].compactMap(\.self) + remote
  }

  /// The value of a cooldown that no source names: a limit needs one, no limit needs none.
  ///
  /// Limits are resolved before their cooldowns.
  private static func cooldown(
    for setting: SettingDescriptor, beside resolved: [EffectiveSetting]
  ) -> Int? {
    guard case .cooldown(let feature) = setting.role else { return nil }
    let isLimited = resolved.contains { $0.key == feature.limitKey && $0.value != nil }
    return isLimited ? cooldownBesideLimit : nil
  }
}

extension SettingDescriptor {
  /// What is in force without a good value; a nil value means "not limited".
  fileprivate func builtIn(_ value: Int?, warning: String? = nil) -> EffectiveSetting {
    EffectiveSetting(key: key, value: value, source: .builtIn, warning: warning)
  }

  /// The offer's value, or `fallback` with a warning when the offer is bad.
  fileprivate func judge(_ offer: SettingOffer, fallback: Int?) -> EffectiveSetting {
    func refused(_ fault: String) -> EffectiveSetting {
      builtIn(fallback, warning: warning(about: offer, fault: fault, fallback: fallback))
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

  private func warning(about offer: SettingOffer, fault: String, fallback: Int?) -> String {
    let fallback = fallback.map { "the default \($0) is used" } ?? "the feature is not limited"
    return "\(offer.name) in \(offer.source.rawValue) \(fault) ('\(offer.text.prefix(40))'); "
      + "\(fallback)."
  }
}

extension SettingOffer {
  init(_ field: FetchedSetting) {
    self.init(
      name: field.wireName, text: field.rawValue, source: field.source,
      fetchedAt: field.fetchedAt)
  }

  /// The integer in the text, clamped to 64 bits; nil when the text is no integer.
  ///
  /// Doubles beyond 64 bits are whole numbers, and Firestore's come as `1e+20`.
  fileprivate var number: Int? {
    if let number = Int(text) { return number }
    guard text.utf8.allSatisfy(Self.isOfNumber), let number = Double(text),
      number.magnitude >= 0x1p63
    else { return nil }
    return number < 0 ? .min : .max
  }

  /// Excludes what `Double` reads besides: hexadecimal digits, infinity, NaN.
  private static func isOfNumber(_ byte: UInt8) -> Bool { "0123456789+-.e".utf8.contains(byte) }
}
