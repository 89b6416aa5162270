package import Model

extension SettingKey {
  /// What people call the setting, as the table of docs/rules.md#settings does.
  package var title: String {
    switch self {
    case .refreshLimit: "refresh limit"
    case .refreshCooldown: "refresh cooldown"
    case .filterLimit: "filter limit"
    case .filterCooldown: "filter cooldown"
    case .searchLimit: "search limit"
    case .searchCooldown: "search cooldown"
    case .messageLimit: "message limit"
    case .messageCooldown: "message cooldown"
    case .conversationLimit: "conversation limit"
    case .conversationCooldown: "conversation cooldown"
    case .newUserFreePeriod: "free period of new users"
    case .ratingThreshold: "messages before a rating prompt"
    case .ratingMaxPrompts: "rating prompts at most"
    case .staleness: "staleness of the users"
    case .freeMomentsPerDay: "moments a day, free"
    case .premiumMomentsPerDay: "moments a day, premium"
    case .freeMomentsTotal: "moments in all, free"
    }
  }
}

extension SettingChange {
  /// `refresh limit 2 -> 5 at 2026-01-31T08:00:00Z`; `none` stands for a field that is not there.
  package var sentence: String {
    let name = SettingsRule.key(named: wireName)?.title ?? wireName
    return "\(name) \(oldValue ?? "none") -> \(newValue ?? "none") at \(changedAt)"
  }
}
