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
