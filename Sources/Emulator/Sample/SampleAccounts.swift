import Firestore
import Model

/// Firebase Authentication's accounts of the sample's users, made of the id and the times alone.
enum SampleAccounts {
  private static let providers = ["google.com", "apple.com", "password", "facebook.com"]

  /// The account of a user as Identity Toolkit sends it.
  ///
  /// Of ten users one subscribes, by the claim `tier`.
  static func account(of user: SampleUser, now: Instant, random: inout SeededRandom) -> JSON {
    let age = Duration.seconds(
      random.chance(3) ? random.integer(60...7_000) : random.integer(7_200...31_536_000))
    let created = min(user.lastSeenAt - .seconds(60), now - age)
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
    if random.chance(10) {
      let tier = random.pick([Tier.lite, .lite, .plus, .pro], or: .lite)
      members["customAttributes"] = .string("{\"tier\":\"\(tier.rawValue)\"}")
    }
    return .object(members)
  }

  private static func milliseconds(_ instant: Instant) -> JSON {
    .string("\(instant.microseconds / 1_000)")
  }
}
