import Model

/// The events of the sample app's rating dialog.
struct SamplePrompts {
  private let story: SampleStory
  private var random: SeededRandom

  /// The chats before a prompt; the app lowers the threshold in the second week.
  private static let thresholds = (before: 15, after: 10)

  init(_ story: SampleStory, random: SeededRandom) {
    self.story = story
    self.random = random
  }

  /// The dialogs that led to the ratings, and dialogs without a rating.
  mutating func events(of users: [SampleUser], ratings: [Event]) -> [Event] {
    let visited = Set(ratings.filter { $0.isVisit }.map { "\($0.userId) \($0.at.microseconds)" })
    var events: [Event] = []
    for rating in ratings where !rating.isVisit {
      guard let stars = rating.stars else { continue }
      let shownAt = max(
        rating.at - .seconds(random.integer(4...40)), story.end - .seconds(story.days * 86_400 - 1))
      events.append(event(.shown, like: rating, at: shownAt))
      events.append(event(.stars, like: rating, at: rating.at, stars: stars))
      let follows = stars <= 3 || visited.contains("\(rating.userId) \(rating.at.microseconds)")
      guard follows else { continue }
      events.append(
        event(
          stars > 3 ? .store : .feedback, like: rating, at: rating.at + .seconds(1), stars: stars))
    }
    for user in users where random.chance(16) {
      let at = story.end - .seconds(random.integer(120...(story.days * 86_400 - 120)))
      let base = Event(
        name: "", at: at, userId: user.id, country: user.country,
        appVersion: story.version(of: user, at: at))
      events.append(event(.shown, like: base, at: at))
      guard random.chance(60) else { continue }
      events.append(event(.later, like: base, at: at + .seconds(random.integer(2...20))))
    }
    return events
  }

  private func event(
    _ kind: RatingPromptEvent.Kind, like base: Event, at: Instant, stars: Int? = nil
  ) -> Event {
    let isLate = story.end - at <= .seconds(story.days * 86_400 / 2)
    let threshold = isLate ? Self.thresholds.after : Self.thresholds.before
    var parameters: [String: EventValue] = [
      "ios_\(RatingPromptEvent.Parameter.threshold.rawValue)": .integer(Int64(threshold)),
      "ios_\(RatingPromptEvent.Parameter.maxPrompts.rawValue)": .integer(2),
    ]
    parameters["ios_\(RatingPromptEvent.Parameter.stars.rawValue)"] = stars.map {
      .integer(Int64($0))
    }
    return Event(
      name: kind.rawValue, at: at, userId: base.userId, parameters: parameters,
      country: base.country, appVersion: base.appVersion)
  }
}

extension Event {
  private var ratingKey: String? { parameters.keys.first { $0.hasPrefix("rating_") } }

  /// Whether the rating led to the App Store.
  fileprivate var isVisit: Bool { ratingKey?.contains("_after_") ?? false }

  /// The stars of a rating, 1 to 5; nil for other events.
  fileprivate var stars: Int? { ratingKey.flatMap { Int(String($0.suffix(1))) } }
}
