/// What a rating, or "Maybe later", changes; docs/ratings.md#ratings.
package enum RatingRule {
  /// The name of the event that carries rating keys; docs/ratings.md#ratings.
  package static let eventName = "app_events"
  /// Both message counters after a high rating, far below any threshold; docs/ratings.md#ratings.
  package static let neverAgain: Int64 = -999_999_999

  package enum Submission: Hashable, Sendable {
    case accepted(RatingOutcome)
    /// Nothing changes; a sentence says why.
    case refused(String)
    /// Nothing changes: a high rating takes no feedback.
    case unwantedFeedback
  }

  /// Decides a submitted rating; feedback with a high rating is refused, since it would reach
  /// nobody.
  package static func submit(
    _ stars: StarRating, feedback: String?, counters: RatingCounters, appName: String
  ) -> Submission {
    let key = "rating_\(appName)_\(stars.rawValue)"
    if stars.isHigh {
      guard TextRule.count(feedback ?? "") == 0 else { return .unwantedFeedback }
      return .accepted(
        RatingOutcome(
          counters: RatingCounters(sent: neverAgain, received: neverAgain, tries: counters.tries),
          eventKeys: [key, "\(key)_after_\(counters.tries)"], opensStore: true, feedback: nil))
    }
    switch TextRule.feedback.check(feedback) {
    case .refused(let problem): return .refused(problem)
    case .accepted(let text):
      return .accepted(
        RatingOutcome(
          counters: RatingCounters(tries: counters.tries + 1), eventKeys: [key],
          opensStore: false, feedback: text))
    }
  }

  /// "Maybe later": the message counters start again, the tries stay.
  package static func later(_ counters: RatingCounters) -> RatingCounters {
    RatingCounters(tries: counters.tries)
  }
}

/// What an accepted rating changes.
package struct RatingOutcome: Hashable, Sendable {
  package var counters: RatingCounters
  /// The parameter keys of the `app_events` events to log, one event each.
  package var eventKeys: [String]
  /// Whether the App Store's review page opens.
  package var opensStore: Bool
  /// The trimmed text to deliver; nil for a high rating.
  package var feedback: String?
}

/// A user's text about a low rating, as a document of Firestore.
package struct Feedback: Hashable, Codable, Sendable {
  package var userId: String
  package var gender: String
  package var country: String
  package var appVersion: String
  package var text: String
  /// Unix seconds; also the preferred document id.
  package var timestamp: Int64
  /// 1 to 3.
  package var stars: Int

  package init(
    userId: String, gender: String, country: String, appVersion: String, text: String,
    timestamp: Int64, stars: Int
  ) {
    self.userId = userId
    self.gender = gender
    self.country = country
    self.appVersion = appVersion
    self.text = text
    self.timestamp = timestamp
    self.stars = stars
  }
}
