import Model

/// The events of the sample app's rating dialog.
struct SamplePrompts {
  let story: SampleStory
  private(set) var random: SeededRandom
  /// How many messages people wrote: apart, so that it changes no other draw.
  private(set) var messages: SeededRandom

  /// The chats before a prompt; the app lowers the threshold in the second week.
  private static let thresholds = (before: 15, after: 10)

  /// The dialogs that led to the ratings, and dialogs without a rating.
  mutating func events(of users: [SampleUser], ratings: [Event]) -> [Event] {
    let visited = Set(ratings.filter { $0.isVisit }.map { "\($0.userId) \($0.at.microseconds)" })
    var events: [Event] = []
    for rating in ratings where !rating.isVisit {
      guard let stars = rating.stars else { continue }
      let shownAt = max(
        rating.at - .seconds(random.integer(4...40)), story.end - .seconds(story.days * 86_400 - 1))
      let above = messages.integer(1...6)
      events.append(event(.due, like: rating, at: shownAt, above: 1))
      events.append(event(.shown, like: rating, at: shownAt, above: above))
      events.append(event(.stars, like: rating, at: rating.at, stars: stars, above: above))
      let follows = stars <= 3 || visited.contains("\(rating.userId) \(rating.at.microseconds)")
      guard follows else { continue }
      events.append(
        event(
          stars > 3 ? .store : .feedback, like: rating, at: rating.at + .seconds(1), stars: stars,
          above: above))
    }
    for user in users where random.chance(16) {
      let at = story.end - .seconds(random.integer(120...(story.days * 86_400 - 120)))
      let base = Event(
        name: "", at: at, userId: user.id, country: user.country,
        appVersion: story.version(of: user, at: at))
      // One in eight opens the dialog in the app's settings, with too few messages.
      let above = messages.chance(12.5) ? -messages.integer(0...8) : messages.integer(1...6)
      if above > 0 { events.append(event(.due, like: base, at: at, above: 1)) }
      events.append(event(.shown, like: base, at: at, above: above))
      guard random.chance(60) else { continue }
      events.append(
        event(.later, like: base, at: at + .seconds(random.integer(2...20)), above: above))
    }
    return events + notAsked(users, at: events.map(\.at))
  }

  /// People who met the conditions while the app was asking somebody else, and were not asked.
  private mutating func notAsked(_ users: [SampleUser], at times: [Instant]) -> [Event] {
    users.compactMap { user in
      guard messages.chance(8), let at = times.randomElement(using: &messages) else { return nil }
      let base = Event(
        name: "", at: at, userId: user.id, country: user.country,
        appVersion: story.version(of: user, at: at))
      return event(.due, like: base, at: at, above: 1)
    }
  }

  /// `above` is by how many messages, sent and received, the person is above the threshold.
  private func event(
    _ kind: RatingPromptEvent.Kind, like base: Event, at: Instant, stars: Int? = nil, above: Int
  ) -> Event {
    let isLate = story.end - at <= .seconds(story.days * 86_400 / 2)
    let threshold = isLate ? Self.thresholds.after : Self.thresholds.before
    let count = EventValue.integer(Int64(max(0, threshold + above)))
    var values: [RatingPromptEvent.Parameter: EventValue] = [
      .threshold: .integer(Int64(threshold)), .maxPrompts: .integer(2), .sent: count,
      .received: count, .tries: .integer(0),
    ]
    values[.stars] = stars.map { .integer(Int64($0)) }
    if kind == .shown {
      let trigger: RatingPromptEvent.Trigger = above > 0 ? .due : .settings
      values[.trigger] = .string(trigger.rawValue)
    }
    let parameters = values.map { ("ios_\($0.key.rawValue)", $0.value) }
    return Event(
      name: kind.rawValue, at: at, userId: base.userId,
      parameters: Dictionary(uniqueKeysWithValues: parameters), country: base.country,
      appVersion: base.appVersion, platform: "ios")
  }
}

extension Event {
  private var ratingKey: String? { parameters.keys.first { $0.hasPrefix("rating_") } }

  /// Whether the rating led to the App Store.
  fileprivate var isVisit: Bool { ratingKey?.contains("_after_") ?? false }

  /// The stars of a rating, 1 to 5; nil for other events.
  fileprivate var stars: Int? { ratingKey.flatMap { Int(String($0.suffix(1))) } }
}
