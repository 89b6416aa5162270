package import Firestore
package import Model

/// A made-up chat app with everything that Firetally looks at, the same for the same seed.
///
/// Values only: whoever wants it served or imported does that. Nothing in it names a real person;
/// every address is on example.com.
package struct SampleApp: Sendable {
  package let appName: String
  /// Names the `AppSettings` and `Feedback` documents.
  package let bundleId: String
  /// Fourteen days of usage and ratings up to now, oldest first.
  package let events: [Event]
  /// What users wrote with one to three stars, oldest first.
  ///
  /// Their rating events are not among `events`: submitting them makes those.
  package let ratings: [Feedback]

  private let users: [(id: String, fields: [String: Value])]

  /// Days of events; the reports' two weeks.
  package static let days = 14

  /// From 25 users on, six of them are flawed the way real documents are.
  package init(
    users count: Int = 500, seed: UInt64 = 42, now: Instant, appName: String = "ChatHub",
    bundleId: String = "com.peppty.ChatApp"
  ) {
    self.appName = appName
    self.bundleId = bundleId
    var random = SeededRandom(seed: seed)
    let people = (0..<max(0, count)).map { _ in SampleUser(now: now, random: &random) }
    var documents = people.map { (id: $0.id, fields: $0.fields(random: &random)) }
    SampleFlaws.apply(to: &documents, now: now)
    users = documents
    var usage = UsageDiary(now: now, random: SeededRandom(seed: seed, stream: 1))
    var opinions = SampleOpinions(
      appName: appName, now: now, random: SeededRandom(seed: seed, stream: 2))
    ratings = opinions.feedback(of: people)
    let all = usage.events(of: people) + opinions.ratingEvents(of: people)
    events = all.sorted { ($0.at, $0.userId, $0.name) < ($1.at, $1.userId, $1.name) }
  }

  /// The documents of `Users` and `AppSettings`, named for a database.
  ///
  /// `database` is like `projects/demo/databases/(default)`.
  package func documents(in database: String) -> [Document] {
    let root = "\(database)/documents"
    let settings = Document(name: "\(root)/AppSettings/\(bundleId)", fields: SampleApp.settings)
    return users.map { Document(name: "\(root)/Users/\($0.id)", fields: $0.fields) } + [settings]
  }

  /// What the app's remote configuration says, with two fields that Firetally does not know.
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

/// The limits that the sample's settings set and its events obey.
enum SampleLimits {
  static let refresh = 3
  static let cooldown = Duration.seconds(120)

  static func limit(of feature: Feature) -> Int { feature == .refresh ? refresh : 2 }
}
