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
    case .refreshLimit:
      self.init(key, limitOf: .refresh, "freeRefreshLimit", 2)
    case .refreshCooldown:
      self.init(key, cooldownOf: .refresh, "freeRefreshCooldownSeconds", 120)
    case .filterLimit:
      self.init(key, limitOf: .filter, "freeFilterLimit", 2)
    case .filterCooldown:
      self.init(key, cooldownOf: .filter, "freeFilterCooldownSeconds", 120)
    case .searchLimit:
      self.init(key, limitOf: .search, "freeSearchLimit", 2)
    case .searchCooldown:
      self.init(key, cooldownOf: .search, "freeSearchCooldownSeconds", 120)
    case .messageLimit:
      self.init(key, limitOf: .message, "freeMessagesLimit", nil)
    case .messageCooldown:
      self.init(key, cooldownOf: .message, "freeMessagesCooldownSeconds", nil)
    case .conversationLimit:
      self.init(key, limitOf: .conversation, "freeConversationsLimit", nil)
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

extension Feature {
  package var limitKey: SettingKey { Self.keys[position].limit }
  package var cooldownKey: SettingKey { Self.keys[position].cooldown }

  /// By `position`.
  private static let keys: [(limit: SettingKey, cooldown: SettingKey)] = allCases.map { feature in
    func key(_ role: SettingDescriptor.Role) -> SettingKey {
      guard let row = SettingDescriptor.all.first(where: { $0.role == role }) else {
        preconditionFailure("no setting is the \(role)")
      }
      return row.key
    }
    return (key(.limit(of: feature)), key(.cooldown(of: feature)))
  }
}
