/// Something that a user is glad to have done, as it is delivered to the moments service.
package struct Moment: Hashable, Codable, Sendable {
  /// A UUID made once, by which the service knows the moment again.
  package var clientId: String
  package var text: String
  package var submittedAt: Instant
  /// IANA name of the zone in which the user submitted it.
  package var tz: String
  /// Seconds between what happened and `submittedAt`; 0 or more.
  package var timeAgo: Int
  /// Whose moment it is; nil when the profile had no user id yet, not sent in the body.
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

/// A quota of moments, by the code with which the service refuses one too many.
package enum MomentLimit: String, CaseIterable, Codable, Sendable {
  case daily = "DAILY_LIMIT_REACHED"
  case total = "TOTAL_LIMIT_REACHED"
}

/// The limits that the moments service has said a profile has reached.
package struct MomentMarks: Hashable, Codable, Sendable {
  /// `LocalDay.text` of the day whose limit is reached; nil when none is known.
  package var dailyLimitDay: String?
  /// How many moments a day the service said that it allows; nil when it did not say.
  package var dailyLimit: Int?
  package var isTotalLimitReached: Bool
  /// How many moments in all the service said that it allows.
  package var totalLimit: Int?

  package init(
    dailyLimitDay: String? = nil, dailyLimit: Int? = nil, isTotalLimitReached: Bool = false,
    totalLimit: Int? = nil
  ) {
    self.dailyLimitDay = dailyLimitDay
    self.dailyLimit = dailyLimit
    self.isTotalLimitReached = isTotalLimitReached
    self.totalLimit = totalLimit
  }

  /// No limit is known to be reached.
  package static let none = MomentMarks()
}
