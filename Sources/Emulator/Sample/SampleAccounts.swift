import Firestore
package import Model

/// When people came by their events, and when they subscribed.
package struct SampleArrivals: Sendable {
  /// A person's first use of the app, and who they were from when on.
  struct Arrival: Sendable {
    let at: Instant
    /// Whether the account had just been made.
    let isNew: Bool
    /// Each use with another answer than the one before it, oldest first.
    var changes: [(at: Instant, isSubscriber: Bool)] = []

    /// By the newest use of then, before the first by that one; a new account has no subscription.
    func isSubscriber(at instant: Instant) -> Bool {
      (changes.last { $0.at <= instant } ?? (isNew ? nil : changes.first))?.isSubscriber ?? false
    }
  }

  private var known: [String: Arrival] = [:]

  /// Expects the events oldest first.
  package init(of events: some Sequence<Event>) {
    for event in events {
      guard let name = FeatureEventName(event.name) else { continue }
      let type = event.parameters["\(name.platform)_user_type"]
      let isSubscriber = type == .string(UserType.liteSubscriber.rawValue)
      var arrival =
        known[event.userId]
        ?? Arrival(at: event.at, isNew: type == .string(UserType.newUser.rawValue))
      if arrival.changes.last?.isSubscriber != isSubscriber {
        arrival.changes.append((event.at, isSubscriber))
      }
      known[event.userId] = arrival
    }
  }

  subscript(userId: String) -> Arrival? { known[userId] }
}

/// Firebase Authentication's accounts of the sample's users, made of the id and the times alone.
enum SampleAccounts {
  private static let providers = ["google.com", "apple.com", "password", "facebook.com"]

  /// The account of a user as Identity Toolkit sends it.
  ///
  /// Of ten users one subscribes, by the claim `tier`; with an arrival, who does by the newest
  /// event of a time. The account is then as old as the event says: some minutes, or longer than
  /// anybody is new; that of who was a subscriber at first is older than all events.
  static func account(
    of user: SampleUser, now: Instant, arrival: SampleArrivals.Arrival?, at: Instant,
    random: inout SeededRandom
  ) -> (madeAt: Instant, info: JSON) {
    let seconds = random.chance(3) ? random.integer(60...7_000) : random.integer(7_200...31_536_000)
    let isLucky = random.chance(10)
    let wasSubscriber = arrival.map { $0.changes.first?.isSubscriber == true } ?? isLucky
    let age = Duration.seconds(wasSubscriber ? max(seconds, 200 * 86_400) : seconds)
    let created =
      arrival.map { $0.at - ($0.isNew ? .seconds(300) : max(age, .seconds(7_200))) }
      ?? min(user.lastSeenAt - .seconds(60), now - age)
    let provider = random.pick(providers, or: "password")
    let address = "\(user.id.prefix(8).lowercased())@example.com"
    var members: [String: JSON] = [
      "localId": .string(user.id),
      "email": .string(address),
      "emailVerified": .boolean(provider != "password" || random.chance(70)),
      "displayName": .string(user.name),
      "photoUrl": .string("https://example.com/avatars/\(user.id).jpg"),
      "providerUserInfo": .array([
        .object([
          "providerId": .string(provider), "rawId": .string(address), "email": .string(address),
          "federatedId": .string(address),
        ])
      ]),
      "createdAt": milliseconds(created),
      "lastLoginAt": milliseconds(user.lastSeenAt - .seconds(30)),
      "lastRefreshAt": .string(Timestamp(microseconds: user.lastSeenAt.microseconds).rfc3339),
      "disabled": .boolean(random.chance(1)),
      "validSince": .string("\(created.unixSeconds)"),
    ]
    let tier = random.pick([Tier.lite, .lite, .plus, .pro], or: .lite)
    if arrival?.isSubscriber(at: at) ?? isLucky {
      members["customAttributes"] = .string("{\"tier\":\"\(tier.rawValue)\"}")
    }
    return (created, .object(members))
  }

  private static func milliseconds(_ instant: Instant) -> JSON {
    .string("\(instant.microseconds / 1_000)")
  }
}
