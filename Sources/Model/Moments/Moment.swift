/// A success that a user logs, as it is sent to the moments service.
package struct Moment: Hashable, Codable, Sendable {
  /// A UUID by which the service recognises a moment that is sent twice.
  package var clientId: String
  package var text: String
  package var submittedAt: Instant
  /// IANA name of the user's time zone.
  package var tz: String
  /// Seconds from the success to `submittedAt`; 0 or more.
  package var timeAgo: Int
  /// The user's id, which is not in the body; nil when the profile had none.
  package var userId: String?

  package init(
    clientId: String, text: String, submittedAt: Instant, tz: String, timeAgo: Int = 0,
    userId: String? = nil
  ) {
    self.clientId = clientId
    self.text = text
    self.submittedAt = submittedAt
    self.tz = tz
    self.timeAgo = timeAgo
    self.userId = userId
  }
}

/// A quota of moments; the raw value is the service's error code.
package enum MomentLimit: String, CaseIterable, Codable, Sendable {
  case daily = "DAILY_LIMIT_REACHED"
  case total = "TOTAL_LIMIT_REACHED"
}

/// The quotas that a profile has reached, as the moments service said.
package struct ReachedMomentLimits: Hashable, Codable, Sendable {
  /// `LocalDay.text` of the day whose limit is reached; nil when no day's is.
  package var dailyLimitDay: String?
  /// The service's number of moments a day; nil when it gave none.
  package var dailyLimit: Int?
  package var isTotalLimitReached = false
  /// The service's number of moments in all; nil when it gave none.
  package var totalLimit: Int?
  /// The service's own words about the daily limit; nil when it gave none.
  package var dailyMessage: String?
  /// The service's own words about the total limit; nil when it gave none.
  package var totalMessage: String?

  /// The service's own words about a limit; nil when it gave none.
  package func message(of limit: MomentLimit) -> String? {
    limit == .daily ? dailyMessage : totalMessage
  }

  package static let none = ReachedMomentLimits()
}

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
