/// What moments and the paywall leave in the ledger; docs/moments.md#events.
package enum MomentEvent: String, CaseIterable, Sendable {
  case added = "moment_added"
  case refused = "moment_refused"
  case paywallShown = "paywall_shown"
  case tierChanged = "tier_changed"

  /// Names of parameters, behind the platform's prefix.
  package enum Parameter: String, Sendable {
    /// A value of `Paywall.Trigger`.
    case trigger = "paywall_trigger"
    /// Moments of the day and in all, before the event.
    case countToday = "moments_today"
    case countTotal = "moments_total"
    /// The tier, of a change the new one.
    case tier = "subscription_status"
    case previousTier = "previous_subscription_status"
  }
}
