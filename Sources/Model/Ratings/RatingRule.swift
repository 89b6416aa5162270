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
  ///
  /// The name is the one that the app has in keys: `RatingKeyName`.
  package static func submit(
    _ stars: StarRating, feedback: String?, counters: RatingCounters, appName: String
  ) -> Submission {
    let key = "rating_\(appName)_\(stars.rawValue)"
    if stars.isHigh {
      guard TextRule.count(feedback ?? "") == 0 else { return .unwantedFeedback }
      return .accepted(
        RatingOutcome(
          counters: RatingCounters(sent: neverAgain, received: neverAgain, tries: counters.tries),
          eventKeys: [key, "\(key)_after_\(min(counters.tries, RatingKeyName.mostTries))"],
          opensStore: true, feedback: nil))
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

/// The app's name in the keys of ratings, which Google Analytics has to take:
/// docs/ratings.md#names-in-keys.
package enum RatingKeyName {
  /// The characters that are left of Google's 40 beside `rating_`, `_5_after_` and three digits.
  package static let longest = 21
  /// The largest number of tries that a key can name.
  static let mostTries: Int64 = 999

  package static func isName(_ text: String) -> Bool {
    text.utf8.contains(where: isLetterOrDigit) && text.utf8.count <= longest
      && text.utf8.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "_") }
      && !"_\(text)_".contains("_after_")
  }

  /// What is left of an app's name in keys, as `MyChatFriends` of `My Chat & Friends`; nil when
  /// nothing is.
  package static func shortened(_ name: String) -> String? {
    func cut(_ isKept: (UInt8) -> Bool) -> String {
      String(decoding: name.utf8.filter(isKept).prefix(longest), as: UTF8.self)
    }
    let name = cut { isLetterOrDigit($0) || $0 == UInt8(ascii: "_") }
    return [name, cut(isLetterOrDigit)].first(where: isName)
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
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
