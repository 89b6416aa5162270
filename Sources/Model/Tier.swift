/// What a user pays for; every tier but `free` bypasses the cooldown limits.
package enum Tier: String, CaseIterable, Codable, Sendable {
  case free, lite, plus, pro

  package var isSubscribed: Bool { self != .free }
}

/// The segment that a limit decision puts a user in, as the analytics events name it.
package enum UserType: String, CaseIterable, Codable, Sendable {
  case liteSubscriber = "lite_subscriber"
  case newUser = "new_user"
  case freeUser = "free_user"
}
