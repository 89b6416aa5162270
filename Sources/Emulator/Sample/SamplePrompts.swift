import Model

/// The events of the sample app's rating dialog.
struct SamplePrompts {
  let story: SampleStory
  private(set) var random: SeededRandom
  /// How many messages people wrote: apart, so that it changes no other draw.
  private(set) var messages: SeededRandom
  /// How often people put a dialog off before they rate.
  private(set) var delays: SeededRandom
  /// When each person gave a low rating.
  private var lowTimes: [String: [Instant]] = [:]

  /// The chats before a prompt; the app lowers the threshold in the second week.
  private static let thresholds = (before: 15, after: 10)

  init(story: SampleStory, seed: UInt64) {
    self.story = story
    random = SeededRandom(seed: seed, stream: 3)
    messages = SeededRandom(seed: seed, stream: 5)
    delays = SeededRandom(seed: seed, stream: 6)
  }

  /// The dialogs that led to the ratings, and dialogs without a rating.
  ///
  /// A low rating is followed by feedback where there is a text of its second and user.
  mutating func events(
    of users: [SampleUser], ratings: [Event], texts: [Feedback]
  ) -> [Event] {
    let written = Set(texts.map { "\($0.userId) \($0.timestamp)" })
    let visited = Set(ratings.filter { $0.isVisit }.map { "\($0.userId) \($0.at.microseconds)" })
    let byId = Dictionary(users.map { ($0.id, $0) }) { first, _ in first }
    var events: [Event] = []
    for rating in ratings where !rating.isVisit && rating.stars ?? 5 < 4 {
      lowTimes[rating.userId, default: []].append(rating.at)
    }
    for rating in ratings where !rating.isVisit {
      guard let stars = rating.stars else { continue }
      if story.isEventful { events += postponed(before: rating, by: byId[rating.userId]) }
      let shownAt = max(
        rating.at - .seconds(random.integer(4...40)), story.end - .seconds(story.days * 86_400 - 1))
      let above = messages.integer(1...6)
      events.append(event(.due, like: rating, at: shownAt, above: 1))
      events.append(event(.shown, like: rating, at: shownAt, above: above))
      events.append(event(.stars, like: rating, at: rating.at, stars: stars, above: above))
      let follows =
        stars <= 3
        ? written.contains("\(rating.userId) \(rating.at.unixSeconds)")
        : visited.contains("\(rating.userId) \(rating.at.microseconds)")
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

  /// The dialogs that a person put off before the one that led to a rating.
  private mutating func postponed(before rating: Event, by user: SampleUser?) -> [Event] {
    var at = rating.at
    var base = rating
    return (0..<delays.index(weights: [55, 25, 13, 7])).flatMap { _ -> [Event] in
      at = at - .seconds(delays.integer(86_400...4 * 86_400))
      guard story.end - at < .seconds(story.days * 86_400 - 60) else { return [] }
      let above = delays.integer(1...6)
      base.appVersion = user.map { story.version(of: $0, at: at) } ?? rating.appVersion
      return [
        event(.due, like: base, at: at, above: 1),
        event(.shown, like: base, at: at, above: above),
        event(.later, like: base, at: at + .seconds(delays.integer(2...20)), above: above),
      ]
    }
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

  /// The low ratings of dialogs before that of a time.
  private func tries(of user: String, at: Instant) -> Int64 {
    Int64(lowTimes[user, default: []].count { $0 < at - .seconds(60) })
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
      .received: count, .tries: .integer(tries(of: base.userId, at: at)),
    ]
    values[.stars] = stars.map { .integer(Int64($0)) }
    if kind == .shown {
      let trigger: RatingPromptEvent.Trigger = above > 0 ? .due : .settings
      values[.trigger] = .string(trigger.rawValue)
    }
    let platform = story.platform(ofId: base.userId)
    let parameters = values.map { ("\(platform)_\($0.key.rawValue)", $0.value) }
    return Event(
      name: kind.rawValue, at: at, userId: base.userId,
      parameters: Dictionary(uniqueKeysWithValues: parameters), country: base.country,
      appVersion: base.appVersion, platform: platform)
  }
}

extension Event {
  private var ratingKey: String? { parameters.keys.first { $0.hasPrefix("rating_") } }

  /// Whether the rating led to the App Store.
  fileprivate var isVisit: Bool { ratingKey?.contains("_after_") ?? false }

  /// The stars of a rating, 1 to 5; nil for other events.
  fileprivate var stars: Int? { ratingKey.flatMap { Int(String($0.suffix(1))) } }
}
