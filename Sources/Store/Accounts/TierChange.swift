import GRDB
package import Model

/// An account that was seen with another tier than before; docs/jobs/sync-auth.md#history.
package struct TierChange: Hashable, Sendable {
  package var uid: String
  /// Nil at the first reading: since when the account has its tier is not known.
  package var from: Tier?
  /// Nil when the account is gone.
  package var to: Tier?
  package var seenAt: Instant
}

extension Readable {
  /// The tier of a row of `auth_users`; that of the history while its claim cannot be read.
  static var knownTier: String {
    """
    CASE WHEN names_other_tier THEN (
        SELECT to_tier FROM tier_changes WHERE tier_changes.uid = auth_users.uid
        ORDER BY id DESC LIMIT 1) ELSE tier END
    """
  }
}

extension Writer {
  /// Adds to the history when an account has another tier than before, and returns what it added.
  ///
  /// An account that names no tier is free. One that the first pass finds free is no change. While
  /// the claim cannot be read, the account keeps the tier that it had.
  func noteTier(
    of old: AuthUser?, _ new: AuthUser, isFirst: Bool, at now: Instant
  ) throws -> TierChange? {
    guard !new.namesOtherTier else { return nil }
    let kept = old?.namesOtherTier == true ? try newestTier(uid: new.uid) : old?.tier
    let (before, after) = (kept ?? .free, new.tier ?? .free)
    guard before != after else { return nil }
    let change = TierChange(
      uid: new.uid, from: old == nil && isFirst ? nil : before, to: after, seenAt: now)
    try insert(
      into: "tier_changes",
      [
        ("uid", change.uid), ("from_tier", change.from?.rawValue), ("to_tier", change.to?.rawValue),
        ("seen_at", change.seenAt.microseconds),
      ])
    return change
  }

  /// Adds to the history the subscribers whose accounts the pass has not seen.
  func noteGoneSubscribers(unseenBy pass: Int, at now: Instant) throws {
    try run(
      """
      INSERT INTO tier_changes (uid, from_tier, to_tier, seen_at)
      SELECT uid, was, NULL, ? FROM (
          SELECT uid, pass, \(Self.knownTier) AS was FROM auth_users
      ) WHERE pass <> ? AND was IN ('lite', 'plus', 'pro') ORDER BY uid
      """, [now.microseconds, pass])
  }

  /// The tier that the history knows; nil without one.
  private func newestTier(uid: String) throws -> Tier? {
    try reader.first(
      "SELECT to_tier FROM tier_changes WHERE uid = ? ORDER BY id DESC LIMIT 1", [uid]
    ) { try $0.choiceIfAny("to_tier", of: "tier_changes") } ?? nil
  }
}
