/// What a rating, or "Maybe later", changes; docs/ratings.md#ratings.
package enum RatingRule {
  /// The name of the event that carries rating keys; docs/ratings.md#ratings.
  package static let eventName = "app_events"
  /// Both message counters after a high rating, far below any threshold; docs/ratings.md#ratings.
  package static let neverAgain: Int64 = -999_999_999

  package enum Submission: Hashable, Sendable {
    case accepted(RatingOutcome)
    /// Nothing changes; `problem` of the check says why.
    case refused(FeedbackCheck)
  }

  /// Decides a submitted rating; feedback with a high rating is refused, since it would reach
  /// nobody.
  package static func submit(
    _ stars: StarRating, feedback: String?, counters: RatingCounters, appName: String
  ) -> Submission {
    let key = "rating_\(appName)_\(stars.rawValue)"
    if stars.isHigh {
      guard FeedbackRule.check(feedback) == .missing else { return .refused(.unwanted) }
      return .accepted(
        RatingOutcome(
          counters: RatingCounters(
            sent: neverAgain, received: neverAgain, tries: counters.tries),
          eventKeys: [key, "\(key)_after_\(counters.tries)"], opensStore: true, feedback: nil))
    }
    let check = FeedbackRule.check(feedback)
    guard case .accepted(let text) = check else { return .refused(check) }
    return .accepted(
      RatingOutcome(
        counters: RatingCounters(tries: counters.tries + 1), eventKeys: [key],
        opensStore: false, feedback: text))
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

  package init(
    counters: RatingCounters, eventKeys: [String], opensStore: Bool, feedback: String?
  ) {
    self.counters = counters
    self.eventKeys = eventKeys
    self.opensStore = opensStore
    self.feedback = feedback
  }
}
