/// One setting of the app's remote configuration that Firetally acts on.
///
/// The raw value is the setting's name in `firetally.yml: settings:`, in the database and in reports.
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
}

/// Where a setting's value came from, weakest first.
package enum SettingSource: String, CaseIterable, Codable, Comparable, Sendable {
  case builtIn = "built-in"
  case remoteConfig = "remote-config"
  case appSettings = "app-settings"
  case workspace = "firetally.yml"

  package static func < (left: SettingSource, right: SettingSource) -> Bool {
    left.rank < right.rank
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

/// One field as a source sent it, known to Firetally or not.
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

/// A setting's value in force, with where it came from and what was wrong with it.
package struct EffectiveSetting: Hashable, Codable, Sendable {
  package var key: SettingKey
  /// Nil means "not limited", which only the message and conversation settings can be.
  package var value: Int?
  package var source: SettingSource
  /// When the source was read; nil for built-in values and `firetally.yml`.
  package var fetchedAt: Instant?
  /// A sentence about the bad value that was replaced; nil when all was well.
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

/// One changed value in `settings_history`.
package struct SettingChange: Hashable, Codable, Sendable {
  package var wireName: String
  package var source: SettingSource
  /// Nil when the field appeared.
  package var oldValue: String?
  /// Nil when the field vanished.
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
}
