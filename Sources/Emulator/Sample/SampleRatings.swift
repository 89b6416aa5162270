package import Model

/// Ratings and feedback of the sample app's users.
struct SampleRatings {
  let story: SampleStory
  private(set) var random: SeededRandom

  /// One feedback per text, at most one per user; oldest first, at different seconds.
  mutating func feedback(of users: [SampleUser]) -> [Feedback] {
    var free = users
    var seconds: Set<Int64> = []
    var feedback: [Feedback] = []
    for text in FeedbackText.all {
      guard let user = take(from: &free, speaking: text.language) else { break }
      var at = moment(days: story.days).unixSeconds
      while !seconds.insert(at).inserted { at -= 1 }
      feedback.append(self.feedback(text.text, stars: text.stars, by: user, at: at))
    }
    return feedback.sorted { $0.timestamp < $1.timestamp }
  }

  /// The events of ratings without feedback: four and five stars.
  mutating func ratingEvents(of users: [SampleUser]) -> [Event] {
    guard !story.isEventful else { return storyEvents(of: users) }
    var events: [Event] = []
    for user in users where random.chance(24) {
      let stars = 4 + random.index(weights: [38, 62])
      events.append(event(by: user, at: moment(days: story.days), stars: stars))
      guard random.chance(25) else { continue }
      let tries = random.integer(0...1)
      events.append(event(by: user, at: events[events.count - 1].at, stars: stars, after: tries))
    }
    return events
  }

  func ratingEvents(of feedback: [Feedback]) -> [Event] {
    feedback.map { feedback in
      Event(
        name: "app_events", at: Instant(unixSeconds: feedback.timestamp), userId: feedback.userId,
        parameters: ["rating_\(SampleApp.name)_\(feedback.stars)": .integer(1)],
        country: feedback.country, appVersion: feedback.appVersion,
        platform: story.platform(ofId: feedback.userId))
    }
  }

  private func event(
    by user: SampleUser, at: Instant, stars: Int, after tries: Int? = nil
  ) -> Event {
    let key = "rating_\(SampleApp.name)_\(stars)" + (tries.map { "_after_\($0)" } ?? "")
    return Event(
      name: "app_events", at: at, userId: user.id, parameters: [key: .integer(1)],
      country: user.country, appVersion: story.version(of: user, at: at),
      platform: story.platform(ofId: user.id))
  }

  private mutating func moment(days: Int) -> Instant {
    story.end - .seconds(random.integer(120...(days * 86_400 - 1)))
  }

  private func feedback(_ text: String, stars: Int, by user: SampleUser, at: Int64) -> Feedback {
    Feedback(
      userId: user.id, gender: user.isFemale ? "Female" : "Male", country: user.country,
      appVersion: story.version(of: user, at: Instant(unixSeconds: at)), text: text,
      timestamp: at, stars: stars)
  }

  /// Removes a user of that language, or any user when there is none; nil when no user is left.
  private mutating func take(
    from users: inout [SampleUser], speaking language: String
  ) -> SampleUser? {
    let speakers = users.indices.filter { users[$0].language == language }
    let candidates = speakers.isEmpty ? Array(users.indices) : speakers
    return candidates.randomElement(using: &random).map { users.remove(at: $0) }
  }

  /// What users of the release that crashes wrote of it; none in a calm story.
  mutating func crashes(of users: [SampleUser], besides others: [Feedback]) -> [Feedback] {
    guard story.isEventful else { return [] }
    let writers = Set(others.map(\.userId))
    var seconds = Set(others.map(\.timestamp))
    var free = users.filter {
      $0.rank < 20 && !writers.contains($0.id) && !story.isAway($0.country, at: story.end)
    }[...]
    return FeedbackText.crashes.compactMap { text in
      guard let user = free.popFirst() else { return nil }
      var at = (story.end - .seconds(random.integer(600...(2 * 86_400)))).unixSeconds
      while !seconds.insert(at).inserted { at -= 1 }
      return feedback(text.text, stars: text.stars, by: user, at: at)
    }
  }

  /// Ratings over all days, and some more once the release is out; some who rate low rate again.
  private mutating func storyEvents(of users: [SampleUser]) -> [Event] {
    var events: [Event] = []
    for user in users {
      let isAsked = random.chance(75)
      let first = moment(days: story.days)
      let late = story.end - .seconds(random.integer(120...story.releaseSeconds))
      var times = (isAsked ? [first] : []) + (random.chance(5) ? [late] : [])
      var tries = 0
      while !times.isEmpty {
        let at = times.removeFirst()
        let weights = story.starWeights(of: story.version(of: user, at: at))
        let stars = 1 + random.index(weights: weights)
        events.append(event(by: user, at: at, stars: stars))
        guard stars > 3 else {
          tries += 1
          let again = at + .seconds(random.integer(2 * 86_400...9 * 86_400))
          if tries < 2, times.isEmpty, again < story.end, random.chance(55) { times = [again] }
          continue
        }
        guard random.chance(25) else { continue }
        events.append(event(by: user, at: at, stars: stars, after: tries))
      }
    }
    return events
  }
}

/// The feedback texts of the sample app, `feedback.txt`; 10 to 500 characters.
enum FeedbackText {
  /// The language is an English ISO 639 name.
  typealias Entry = (stars: Int, language: String, text: String)

  static let all = parts[0]
  /// Feedback about the release that crashes.
  static let crashes = parts[1]

  private static let parts = String(decoding: PackageResources.feedback_txt, as: UTF8.self)
    .split(separator: "\n\n").map { $0.split(separator: "\n").map(entry) }

  private static func entry(_ line: Substring) -> Entry {
    let words = line.split(separator: " ", maxSplits: 2).map(String.init)
    guard words.count == 3, let stars = Int(words[0]) else {
      preconditionFailure("not stars, language and text: \(line)")
    }
    return (stars, words[1], words[2])
  }
}

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
