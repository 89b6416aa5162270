package import Model

/// What a rating, or the refusal to give one, leads to; docs/rules.md#ratings.
package enum RatingRule {
  /// The name of the event that carries rating keys; docs/rules.md#ratings.
  package static let eventName = "app_events"
  /// What both message counters become after a high rating, until the user says otherwise.
  ///
  /// See docs/rules.md#ratings.
  package static let neverAgain: Int64 = -999_999_999

  package enum Submission: Hashable, Sendable {
    case accepted(RatingOutcome)
    /// Nothing changes; the verdict's `problem` says why.
    case refused(FeedbackRule.Verdict)
  }

  /// Decides a submitted rating; feedback beside a high rating is ignored.
  package static func submit(
    _ stars: StarRating, feedback: String?, counters: RatingCounters, appName: String
  ) -> Submission {
    let key = "rating_\(appName)_\(stars.rawValue)"
    if stars.isHigh {
      return .accepted(
        RatingOutcome(
          counters: RatingCounters(
            sent: neverAgain, received: neverAgain, tries: counters.tries),
          eventKeys: [key, "\(key)_after_\(counters.tries)"], opensStore: true, feedback: nil))
    }
    let verdict = FeedbackRule.judge(feedback)
    guard case .accepted(let text) = verdict else { return .refused(verdict) }
    return .accepted(
      RatingOutcome(
        counters: RatingCounters(tries: counters.tries + 1), eventKeys: [key],
        opensStore: false, feedback: text))
  }

  /// "Maybe later": the messages are counted anew, the tries stay.
  package static func later(_ counters: RatingCounters) -> RatingCounters {
    RatingCounters(tries: counters.tries)
  }
}

/// What an accepted rating changes.
package struct RatingOutcome: Hashable, Sendable {
  package var counters: RatingCounters
  /// One `app_events` event each, with this as the key of its parameter.
  package var eventKeys: [String]
  /// The App Store's review page is shown.
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
