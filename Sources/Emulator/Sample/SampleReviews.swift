package import Model

/// App Store reviews of the sample app in three countries.
package enum SampleReviews {
  /// The App Store id of the sample app; smaller than Apple's ids.
  package static let appId = 1_000_042
  package static let countries = ["us", "gb", "de"]

  private static let days = 90
  private static let texts: [(stars: Int, title: String, text: String)] = [
    (5, "Met my best friend here", "Three years later we still write every day."),
    (5, "Simple and friendly", "No clutter, nice people, and it just works."),
    (5, "Lite is worth it", "Paid once & never looked at the timer again."),
    (4, "Almost perfect", "Great app. Voice messages would make it five stars."),
    (4, "Good", "Filters by language are <really> useful."),
    (3, "Okay", "Nice people, but the list needs a refresh too often."),
    (2, "Used to be better", "Since the last update messages come late."),
    (1, "That timer!", "Two minutes of waiting for one refresh. Uninstalled."),
    (1, "Crashes", "Closes by itself as soon as I open a photo."),
    (5, "Sehr schön", "Nette Leute, und endlich eine App ohne Werbung im Chat."),
  ]

  /// The reviews of the last ninety days, in no particular order; deterministic for a seed.
  package static func all(seed: UInt64, now: Instant) -> [AppReview] {
    var random = SeededRandom(seed: seed, stream: 3)
    let counts = [("us", 84), ("gb", 23), ("de", 31)]
    return counts.flatMap { country, count in
      (0..<count).map { number in review(number, in: country, now: now, &random) }
    }
  }

  private static func review(
    _ number: Int, in country: String, now: Instant, _ random: inout SeededRandom
  ) -> AppReview {
    let words = texts[
      random.index(weights: [14, 12, 9, 11, 9, 8, 7, 8, 5, country == "de" ? 9 : 0])]
    let age = Duration.seconds(random.integer(600...(days * 86_400)))
    return AppReview(
      id: "\(1_200_000_000 + random.integer(0...8_999_999) * 100 + number)", appId: appId,
      country: country, stars: words.stars,
      version: random.pick(["3.2.1", "3.2.1", "3.2.0", "3.1.4"], or: "3.2.1"),
      author: "\(random.pick(["night", "tea", "blue", "jo", "mika", "sol"], or: "jo"))\(number)",
      title: words.title, text: words.text,
      updatedAt: Instant(unixSeconds: (now - age).unixSeconds))
  }
}
