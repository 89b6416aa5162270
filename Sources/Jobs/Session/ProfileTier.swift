import Model
import Store

/// What a profile's tier is; docs/rules.md#profiles.
extension Writer {
  /// Changes the tier of a stored profile; see `Session.setTier`.
  ///
  /// - Returns: the moments that were queued again.
  @discardableResult
  func setTier(_ tier: Tier, ofProfile name: String) throws -> Int {
    guard var profile = try profile(named: name) else { return 0 }
    profile.tier = tier
    if tier.isSubscribed { profile.isTimelineRestricted = false }
    try save(profile)
    guard tier.isSubscribed else { return 0 }
    try setReachedMomentLimits(.none, profile: name)
    return try requeueParked(kind: .moment, profile: name)
  }

  /// Gives the profiles of these accounts the tier that a claim names, or lost in this reading.
  func takeTiers(of accounts: [AuthUser], at now: Instant) throws {
    let byId = Dictionary(accounts.map { ($0.uid, $0) }) { $1 }
    for profile in try profiles() {
      guard let account = profile.userId.flatMap({ byId[$0] }) else { continue }
      let hasLostIt = try account.tier == nil && hasLostTier(uid: account.uid, at: now)
      guard let tier = account.tier ?? (hasLostIt ? .free : nil), tier != profile.tier else {
        continue
      }
      try setTier(tier, ofProfile: profile.name)
    }
  }
}
