package import Model

/// One row of the settings table: where a value is found, and what stands in for it.
package struct SettingRule: Sendable {
  /// Which numbers a setting accepts.
  package enum Bound: Hashable, Sendable {
    /// Anything below 1 is a bad value.
    case positive
    /// Zero switches the thing off; anything below is a bad value.
    case zeroOrMore
    /// Zero and everything below switch the thing off, so no integer is bad.
    case zeroOrLessIsOff
  }

  package let key: SettingKey
  /// The first one that a source names wins.
  package let wireNames: [String]
  /// Nil means "not limited".
  package let builtIn: Int?
  package let bound: Bound

  /// The largest value taken as it is: a larger one is lowered to it; docs/rules.md#settings.
  package static let largest = Int(Int32.max)

  /// The rows in the order of `SettingKey`.
  package static let all: [SettingRule] = SettingKey.allCases.map(SettingRule.init)

  package init(_ key: SettingKey) {
    self.key = key
    wireNames = Self.wireNames(of: key)
    builtIn = Self.builtIn(of: key)
    bound = Self.bound(of: key)
  }

  private static func wireNames(of key: SettingKey) -> [String] {
    switch key {
    case .refreshLimit: ["freeRefreshLimit"]
    case .refreshCooldown: ["freeRefreshCooldownSeconds"]
    case .filterLimit: ["freeFilterLimit"]
    case .filterCooldown: ["freeFilterCooldownSeconds"]
    case .searchLimit: ["freeSearchLimit"]
    case .searchCooldown: ["freeSearchCooldownSeconds"]
    case .messageLimit: ["freeMessagesLimit"]
    case .messageCooldown: ["freeMessagesCooldownSeconds"]
    case .conversationLimit: ["freeConversationsLimit"]
    case .conversationCooldown: ["freeConversationsCooldownSeconds"]
    case .newUserFreePeriod: ["newUserFreePeriodSeconds", "freeTrialEndsAtSeconds"]
    case .ratingThreshold: ["maxChatsForRateUsRequest", "minChatsBeforeRatePrompt"]
    case .ratingMaxPrompts: ["maxRateUsRequests", "maxRatePrompts"]
    case .staleness: ["onlineUsersStaleSeconds"]
    case .freeMomentsPerDay: ["freeMomentsPerDay"]
    case .premiumMomentsPerDay: ["premiumMomentsPerDay"]
    case .freeMomentsTotal: ["freeMomentsTotal"]
    }
  }

  /// The app's own numbers; docs/rules.md#settings.
  private static func builtIn(of key: SettingKey) -> Int? {
    switch key {
    case .refreshLimit, .filterLimit, .searchLimit, .ratingMaxPrompts: 2
    case .refreshCooldown, .filterCooldown, .searchCooldown: 120
    case .messageLimit, .messageCooldown, .conversationLimit, .conversationCooldown: nil
    case .newUserFreePeriod: 7_200
    case .ratingThreshold, .premiumMomentsPerDay, .freeMomentsTotal: 10
    case .staleness: 1_800
    case .freeMomentsPerDay: 3
    }
  }

  private static func bound(of key: SettingKey) -> Bound {
    switch key {
    case .newUserFreePeriod: .zeroOrLessIsOff
    case .ratingThreshold, .ratingMaxPrompts: .zeroOrMore
    default: .positive
    }
  }
}
