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
  func takeTiers(of accounts: [AuthUser], after changes: [TierChange]) throws {
    let named = accounts.compactMap { account in account.tier.map { (account.uid, $0) } }
    let lost = changes.compactMap { change in change.to.map { (change.uid, $0) } }
    let tiers = Dictionary(lost + named) { $1 }
    for profile in try profiles() {
      guard let tier = profile.userId.flatMap({ tiers[$0] }), tier != profile.tier else { continue }
      try setTier(tier, ofProfile: profile.name)
    }
  }
}
