/// One setting of the app's remote configuration that Firetally acts on; docs/rules.md#settings.
///
/// The raw value is the setting's name in `firetally.yml: settings:`, in the database and in
/// reports. A new setting is a case, its row in `SettingDescriptor.init` and its row in the
/// manual's table.
package enum SettingKey: String, CaseIterable, Codable, Sendable {
  case refreshLimit = "refresh.limit"
  case refreshCooldown = "refresh.cooldown"
  case filterLimit = "filter.limit"
  case filterCooldown = "filter.cooldown"
  case searchLimit = "search.limit"
  case searchCooldown = "search.cooldown"
  case messageLimit = "message.limit"
  case messageCooldown = "message.cooldown"
  case conversationLimit = "conversation.limit"
  case conversationCooldown = "conversation.cooldown"
  case newUserFreePeriod = "newUserFreePeriodSeconds"
  case ratingThreshold = "rating.threshold"
  case ratingMaxPrompts = "rating.maxPrompts"
  case staleness = "onlineUsersStaleSeconds"
  case freeMomentsPerDay = "moments.freePerDay"
  case premiumMomentsPerDay = "moments.premiumPerDay"
  case freeMomentsTotal = "moments.freeTotal"

  /// The setting that a wire name belongs to; nil for any other name.
  package init?(wireName: String) {
    guard let key = Self.byWireName[wireName] else { return nil }
    self = key
  }

  package var descriptor: SettingDescriptor { SettingDescriptor(self) }

  private static let byWireName: [String: SettingKey] = {
    let names = SettingDescriptor.all.flatMap { row in row.wireNames.map { ($0, row.key) } }
    return Dictionary(names) { first, _ in first }
  }()
}

/// Everything that the program knows about one setting: a row of docs/rules.md#settings.
package struct SettingDescriptor: Sendable {
  /// Which numbers a setting accepts.
  package enum Bound: Hashable, Sendable {
    /// 1 and up.
    case positive
    /// 0 and up.
    case zeroOrMore
    /// Any integer; 0 and below switch the thing off.
    case zeroOrLessIsOff
  }

  package enum Unit: String, Sendable {
    case seconds
    /// Uses, prompts, messages or moments.
    case count
  }

  /// What the number limits of a feature.
  package enum Role: Hashable, Sendable {
    case limit(of: Feature)
    case cooldown(of: Feature)
    /// The free period of new users, who bypass every limit.
    case grace
  }

  package let key: SettingKey
  /// What people call the setting, as the manual's table does.
  package let title: String
  /// The names of the sources; the first one that a source has wins.
  package let wireNames: [String]
  /// The app's own number; nil means "not limited".
  package let builtIn: Int?
  package let unit: Unit
  package let bound: Bound
  /// Nil when no limit decision depends on the setting.
  package let role: Role?

  /// The largest value that is taken as it is; a larger one is lowered to it.
  package static let largest = Int(Int32.max)

  /// The rows in the order of `SettingKey`.
  package static let all: [SettingDescriptor] = SettingKey.allCases.map(SettingDescriptor.init)

  fileprivate init(_ key: SettingKey) {
    switch key {
    case .refreshLimit: self.init(key, limitOf: .refresh, "freeRefreshLimit", 2)
    case .refreshCooldown: self.init(key, cooldownOf: .refresh, "freeRefreshCooldownSeconds", 120)
    case .filterLimit: self.init(key, limitOf: .filter, "freeFilterLimit", 2)
    case .filterCooldown: self.init(key, cooldownOf: .filter, "freeFilterCooldownSeconds", 120)
    case .searchLimit: self.init(key, limitOf: .search, "freeSearchLimit", 2)
    case .searchCooldown: self.init(key, cooldownOf: .search, "freeSearchCooldownSeconds", 120)
    case .messageLimit: self.init(key, limitOf: .message, "freeMessagesLimit", nil)
    case .messageCooldown: self.init(key, cooldownOf: .message, "freeMessagesCooldownSeconds", nil)
    case .conversationLimit: self.init(key, limitOf: .conversation, "freeConversationsLimit", nil)
    case .conversationCooldown:
      self.init(key, cooldownOf: .conversation, "freeConversationsCooldownSeconds", nil)
    case .newUserFreePeriod:
      self.init(
        key, "free period of new users", ["newUserFreePeriodSeconds", "freeTrialEndsAtSeconds"],
        7_200, .seconds, .zeroOrLessIsOff, .grace)
    case .ratingThreshold:
      self.init(
        key, "messages before a rating prompt",
        ["maxChatsForRateUsRequest", "minChatsBeforeRatePrompt"], 10, .count, .zeroOrMore)
    case .ratingMaxPrompts:
      self.init(
        key, "rating prompts at most", ["maxRateUsRequests", "maxRatePrompts"], 2, .count,
        .zeroOrMore)
    case .staleness:
      self.init(
        key, "staleness of the users", ["onlineUsersStaleSeconds"], 1_800, .seconds, .positive)
    case .freeMomentsPerDay:
      self.init(key, "moments a day, free", ["freeMomentsPerDay"], 3, .count, .positive)
    case .premiumMomentsPerDay:
      self.init(key, "moments a day, premium", ["premiumMomentsPerDay"], 10, .count, .positive)
    case .freeMomentsTotal:
      self.init(key, "moments in all, free", ["freeMomentsTotal"], 10, .count, .positive)
    }
  }

  private init(
    _ key: SettingKey, _ title: String, _ wireNames: [String], _ builtIn: Int?, _ unit: Unit,
    _ bound: Bound, _ role: Role? = nil
  ) {
    self.key = key
    self.title = title
    self.wireNames = wireNames
    self.builtIn = builtIn
    self.unit = unit
    self.bound = bound
    self.role = role
  }

  private init(_ key: SettingKey, limitOf feature: Feature, _ wireName: String, _ builtIn: Int?) {
    self.init(
      key, "\(feature.rawValue) limit", [wireName], builtIn, .count, .positive,
      .limit(of: feature))
  }

  private init(
    _ key: SettingKey, cooldownOf feature: Feature, _ wireName: String, _ builtIn: Int?
  ) {
    self.init(
      key, "\(feature.rawValue) cooldown", [wireName], builtIn, .seconds, .positive,
      .cooldown(of: feature))
  }
}

/// The settings in force, one value per key; `SettingsRule` resolves them from their sources.
package struct Settings: Hashable, Sendable {
  private var effective: [SettingKey: EffectiveSetting]

  /// Takes one setting per key, of several the last; a missing key has no value.
  package init(_ settings: [EffectiveSetting]) {
    effective = Dictionary(settings.map { ($0.key, $0) }) { _, last in last }
  }

  /// Where the values in force come from, the strongest first: `Remote Config and the defaults`.
  package var sourceWords: String {
    Set(effective.values.map(\.source)).sorted(by: >).map(\.words).listed
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

/// What one source says about a setting, as the source wrote it.
package struct SettingCandidate: Hashable, Sendable {
  /// The name that the source used.
  package var name: String
  package var text: String
  package var source: SettingSource
  /// Nil for `firetally.yml`.
  package var fetchedAt: Instant?
}

/// Which value of each setting is in force; docs/rules.md#settings.
package enum SettingsRule {
  /// Takes each setting from the strongest source that names it.
  ///
  /// A bad value is replaced by the built-in value, not by a weaker source's, so that a typing
  /// error shows. `workspace` is `firetally.yml: settings:`. Wire names of no setting are ignored.
  package static func resolve(
    fetched: [FetchedSetting], workspace: [SettingKey: String] = [:]
  ) -> Settings {
    var resolved: [EffectiveSetting] = []
    for setting in SettingDescriptor.all {
      let fallback = setting.builtIn ?? cooldown(for: setting, beside: resolved)
      let candidate = candidates(for: setting.key, fetched: fetched, workspace: workspace).first
      resolved.append(
        candidate.map { setting.judge($0, fallback: fallback) } ?? setting.builtIn(fallback))
    }
    return Settings(resolved)
  }

  /// What each source says about a setting, the strongest source first; each by its winning name.
  package static func candidates(
    for key: SettingKey, fetched: [FetchedSetting], workspace: [SettingKey: String] = [:]
  ) -> [SettingCandidate] {
    let own = workspace[key].map {
      SettingCandidate(name: key.rawValue, text: $0, source: .workspace, fetchedAt: nil)
    }
    let remote = [SettingSource.appSettings, .remoteConfig].compactMap { source in
      key.descriptor.wireNames.lazy.compactMap { name in
        fetched.last { $0.wireName == name && $0.source == source }
      }.first.map {
        SettingCandidate(
          name: $0.wireName, text: $0.rawValue, source: source, fetchedAt: $0.fetchedAt)
      }
    }
    return [own].compactMap(\.self) + remote
  }

  /// The fields that belong to no setting, in their order.
  package static func unknown(_ fetched: [FetchedSetting]) -> [FetchedSetting] {
    fetched.filter { SettingKey(wireName: $0.wireName) == nil }
  }

  /// The value of a cooldown that no source names: a limit needs one, no limit needs none.
  ///
  /// Limits are resolved before their cooldowns.
  private static func cooldown(
    for setting: SettingDescriptor, beside resolved: [EffectiveSetting]
  ) -> Int? {
    guard case .cooldown(let feature) = setting.role else { return nil }
    let isLimited = resolved.contains { $0.key == feature.limitKey && $0.value != nil }
    return isLimited ? 120 : nil
  }
}

extension SettingDescriptor {
  /// What is in force without a good value; a nil value means "not limited".
  fileprivate func builtIn(_ value: Int?, warning: String? = nil) -> EffectiveSetting {
    EffectiveSetting(key: key, value: value, source: .builtIn, warning: warning)
  }

  /// The candidate's value, or `fallback` with a warning when the candidate is bad.
  fileprivate func judge(_ candidate: SettingCandidate, fallback: Int?) -> EffectiveSetting {
    func refused(_ fault: String) -> EffectiveSetting {
      builtIn(fallback, warning: warning(about: candidate, fault: fault, fallback: fallback))
    }
    guard let number = candidate.number else { return refused("is not an integer") }
    switch bound {
    case .positive where number < 1: return refused("is not above 0")
    case .zeroOrMore where number < 0: return refused("is below 0")
    default: return accept(max(0, number), of: candidate)
    }
  }

  private func accept(_ number: Int, of candidate: SettingCandidate) -> EffectiveSetting {
    let isTooLarge = number > Self.largest
    return EffectiveSetting(
      key: key, value: min(number, Self.largest), source: candidate.source,
      fetchedAt: candidate.fetchedAt,
      warning: isTooLarge
        ? "\(candidate.name) in \(candidate.source.rawValue) is above \(Self.largest); that is used."
        : nil)
  }

  private func warning(about candidate: SettingCandidate, fault: String, fallback: Int?) -> String {
    let fallback = fallback.map { "the default \($0) is used" } ?? "the feature is not limited"
    return
      "\(candidate.name) in \(candidate.source.rawValue) \(fault) ('\(candidate.text.prefix(40))'); "
      + "\(fallback)."
  }
}

extension SettingCandidate {
  /// The integer in the text, clamped to 64 bits; nil when the text is no integer.
  ///
  /// `3.0` is 3. Doubles beyond 64 bits are whole numbers, and Firestore's come as `1e+20`.
  fileprivate var number: Int? {
    if let number = Int(text) { return number }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    if parts.count == 2, !parts[1].isEmpty, parts[1].utf8.allSatisfy({ $0 == UInt8(ascii: "0") }),
      let whole = Int(parts[0])
    {
      return whole
    }
    guard text.utf8.allSatisfy(Self.isOfNumber), let number = Double(text),
      number.magnitude >= 0x1p63
    else { return nil }
    return number < 0 ? .min : .max
  }

  /// Excludes what `Double` reads besides: hexadecimal digits, infinity, NaN.
  private static func isOfNumber(_ byte: UInt8) -> Bool { "0123456789+-.e".utf8.contains(byte) }
}
