package import Firestore
package import Model

/// Generates the data of a fictional chat app; deterministic for a seed.
///
/// Produces values only; callers serve or import them. No real persons; every URL is on
/// example.com.
package struct SampleApp: Sendable {
  /// In the names of rating events.
  static let name = "ChatHub"

  /// The id of the `AppSettings` and `Feedback` documents.
  package let bundleId: String
  /// Feedback to submit with one to three stars, oldest first.
  ///
  /// `events()` does not contain their rating events, which submitting them creates.
  package let ratings: [Feedback]
  /// Feedback that the app itself sent to Firestore; `events()` contains their rating events.
  package let appFeedback: [Feedback]

  private let users: [(id: String, fields: [String: Value])]
  private let people: [SampleUser]
  private let opinions: SampleRatings
  private let seed: UInt64
  private let now: Instant
  package let story: SampleStory

  /// Without a story nothing happens in the two weeks up to `now`.
  ///
  /// With 25 users or more, six documents have flaws of real documents.
  package init(
    users count: Int = 500, seed: UInt64 = 42, now: Instant,
    bundleId: String = "com.peppty.ChatApp", story: SampleStory? = nil
  ) {
    let story = story ?? .calm(now: now)
    self.bundleId = bundleId
    var random = SeededRandom(seed: seed)
    let people = (0..<max(0, count)).map { _ in SampleUser(now: now, random: &random) }
    var documents = people.map { (id: $0.id, fields: $0.fields(random: &random)) }
    SampleFlaws.apply(to: &documents, now: now)
    users = documents
    self.people = people
    self.seed = seed
    self.now = now
    self.story = story
    var opinions = SampleRatings(story: story, random: SeededRandom(seed: seed, stream: 2))
    let feedback = opinions.feedback(of: people).filter {
      !story.isAway($0.country, at: Instant(unixSeconds: $0.timestamp))
    }
    ratings = feedback.enumerated().filter { !$0.offset.isMultiple(of: 3) }.map(\.element)
    let own = feedback.enumerated().filter { $0.offset.isMultiple(of: 3) }.map(\.element)
    appFeedback = own + opinions.crashes(of: people, besides: feedback)
    self.opinions = opinions
  }

  /// Events of the days of the story, oldest first; each call makes them again.
  package func events() -> [Event] {
    var usage = SampleUsage(story: story, random: SeededRandom(seed: seed, stream: 1))
    var opinions = opinions
    let given = opinions.ratingEvents(of: people) + opinions.ratingEvents(of: appFeedback)
    var prompts = SamplePrompts(story: story, seed: seed)
    let used = usage.events(of: people)
    // A calm story has no moments.
    let arrivals = SampleArrivals(
      of: story.isEventful ? used.sorted { $0.at < $1.at } : [])
    var moments = SampleMoments(story: story, seed: seed)
    let all =
      used + given + prompts.events(of: people, ratings: given, texts: appFeedback)
      + moments.events(of: people, arrivals)
    return all.filter {
      story.isExported($0.at) && !story.isAway($0.country, at: $0.at)
    }.sorted {
      ($0.at, $0.userId, $0.name) < ($1.at, $1.userId, $1.name)
    }
  }

  /// Accounts of Firebase Authentication as Identity Toolkit sends them: one for each user who had
  /// one at a time, with the tier of then; nil for now.
  ///
  /// The arrivals are those of `events()`, which are made for them unless they are given.
  package func accounts(at: Instant? = nil, _ arrivals: SampleArrivals? = nil) -> [JSON] {
    var random = SeededRandom(seed: seed, stream: 4)
    let arrivals = arrivals ?? SampleArrivals(of: story.isEventful ? events() : [])
    return people.filter { !story.isAnonymous($0) }.compactMap { user in
      let account = SampleAccounts.account(
        of: user, now: now, arrival: arrivals[user.id], at: at ?? now, random: &random)
      return account.madeAt <= at ?? now ? account.info : nil
    }
  }

  /// The documents of `Users` and `AppSettings`, as they were at a time; nil for now.
  ///
  /// The users are those of now; each was last seen as long before that time as before now.
  /// `database` is a name such as `projects/demo/databases/(default)`.
  package func documents(in database: String, at: Instant? = nil) -> [Document] {
    let root = "\(database)/documents"
    return users.map { user in
      Document(name: "\(root)/Users/\(user.id)", fields: seen(user.fields, at: at ?? now))
    } + [settingsDocument(in: database, at: at ?? story.end)]
  }

  /// The fields as they were at a time.
  private func seen(_ fields: [String: Value], at load: Instant) -> [String: Value] {
    var fields = fields
    let away = story.awaySince(fields["User_country"], at: load)
    func moved(_ seen: Instant) -> Instant {
      let ago = Double(now.microseconds - seen.microseconds) * story.absence(at: load)
      let then = Instant(microseconds: load.microseconds - Int64(ago))
      return away.map { min($0 - (load - then), then) } ?? then
    }
    switch fields["last_time_seen"] {
    case .timestamp(let time):
      let seen = moved(Instant(microseconds: time.microseconds))
      fields["last_time_seen"] = .timestamp(Timestamp(microseconds: seen.microseconds))
    case .integer(let seconds):
      fields["last_time_seen"] = .integer(moved(Instant(unixSeconds: seconds)).unixSeconds)
    default: break
    }
    return fields
  }

  /// The document of `AppSettings` as it was then; `database` as for `documents(in:)`.
  package func settingsDocument(in database: String, at: Instant) -> Document {
    var fields = SampleApp.settings
    fields["freeRefreshLimit"] = .integer(Int64(story.limit(of: .refresh, at: at)))
    return Document(name: "\(database)/documents/AppSettings/\(bundleId)", fields: fields)
  }

  /// The documents of `appFeedback` until then, nil for all; `database` as for `documents(in:)`.
  package func feedbackDocuments(in database: String, until end: Instant? = nil) -> [Document] {
    let collection = "\(database)/documents/Feedback/\(bundleId)/Rating_Feedback"
    let last = end.map(\.unixSeconds) ?? .max
    return appFeedback.filter { $0.timestamp < last }.map { feedback in
      Document(
        name: "\(collection)/\(feedback.timestamp)",
        fields: [
          "userId": .string(feedback.userId), "gender": .string(feedback.gender),
          "country": .string(feedback.country), "appVersion": .string(feedback.appVersion),
          "feedback": .string(feedback.text), "timestamp": .integer(feedback.timestamp),
          "rating": .double(Double(feedback.stars)),
        ])
    }
  }

  /// The fields of `AppSettings`, and two that Firetally does not know.
  package static let settings: [String: Value] = [
    "freeRefreshLimit": .integer(Int64(SampleLimits.refresh)),
    "freeRefreshCooldownSeconds": .integer(120),
    "freeFilterLimit": .integer(2),
    "freeFilterCooldownSeconds": .integer(120),
    "freeSearchLimit": .integer(2),
    "freeSearchCooldownSeconds": .integer(120),
    "newUserFreePeriodSeconds": .integer(7200),
    "maxChatsForRateUsRequest": .integer(10),
    "maxRateUsRequests": .integer(2),
    "onlineUsersStaleSeconds": .integer(1800),
    "freeMomentsPerDay": .integer(3),
    "premiumMomentsPerDay": .integer(10),
    "freeMomentsTotal": .integer(10),
    "liveCallsEnabled": .boolean(true),
    "supportedCallRegions": .array([.string("US"), .string("DE"), .string("IN")]),
  ]
}

/// The limits in the sample's settings, which its events obey.
enum SampleLimits {
  static let refresh = 3
  /// The limit of refreshes that an eventful story comes to.
  static let lower = 2
  static let cooldownSeconds = 120
  static let freePeriod = Duration.seconds(7_200)
}
