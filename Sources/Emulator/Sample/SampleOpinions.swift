import Model

/// What users think of the sample app, in stars and in words.
struct SampleOpinions {
  private let appName: String
  private let now: Instant
  private var random: SeededRandom

  init(appName: String, now: Instant, random: SeededRandom) {
    self.appName = appName
    self.now = now
    self.random = random
  }

  /// One entry for each feedback text, at most one a user; oldest first, no two at the same second.
  mutating func feedback(of users: [SampleUser]) -> [Feedback] {
    var free = users
    var seconds: Set<Int64> = []
    var feedback: [Feedback] = []
    for text in FeedbackText.all {
      guard let user = take(from: &free, speaking: text.language) else { break }
      var at = moment().unixSeconds
      while !seconds.insert(at).inserted { at -= 1 }
      feedback.append(
        Feedback(
          userId: user.id, gender: user.isFemale ? "Female" : "Male", country: user.country,
          appVersion: user.appVersion, text: text.text, timestamp: at, stars: text.stars))
    }
    return feedback.sorted { $0.timestamp < $1.timestamp }
  }

  /// The ratings that left no words: mostly four and five stars.
  mutating func ratingEvents(of users: [SampleUser]) -> [Event] {
    var events: [Event] = []
    for user in users where random.chance(24) {
      let stars = 4 + random.index(weights: [38, 62])
      events.append(event(by: user, at: moment(), stars: stars))
      guard random.chance(25) else { continue }
      let tries = random.integer(0...1)
      events.append(event(by: user, at: events[events.count - 1].at, stars: stars, after: tries))
    }
    return events
  }

  private func event(
    by user: SampleUser, at: Instant, stars: Int, after tries: Int? = nil
  ) -> Event {
    let key = "rating_\(appName)_\(stars)" + (tries.map { "_after_\($0)" } ?? "")
    return Event(
      name: "app_events", at: at, userId: user.id, parameters: [key: .integer(1)],
      country: user.country, appVersion: user.appVersion)
  }

  private mutating func moment() -> Instant {
    now - .seconds(random.integer(120...(SampleApp.days * 86_400 - 1)))
  }

  /// A user of that language if there is one left, else any; nil when all are used up.
  private mutating func take(
    from users: inout [SampleUser], speaking language: String
  ) -> SampleUser? {
    let speakers = users.indices.filter { users[$0].language == language }
    let candidates = speakers.isEmpty ? Array(users.indices) : speakers
    return candidates.randomElement(using: &random).map { users.remove(at: $0) }
  }
}
