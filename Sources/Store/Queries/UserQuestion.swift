package import Model

/// Which users are asked for.
package struct UserQuestion: Hashable, Sendable {
  package var filter: UserFilter
  /// The city that `filter.isNearbyOnly` compares with; nil then matches nobody.
  package var nearCity: String?
  /// Part of the name, in any case; nil for any name.
  package var nameContaining: String?
  /// Places are compared exactly; nil for any.
  package var area: String?
  package var city: String?
  package var state: String?

  package init(
    _ filter: UserFilter = .none, nearCity: String? = nil, nameContaining: String? = nil
  ) {
    self.filter = filter
    self.nearCity = nearCity
    self.nameContaining = nameContaining
  }

  package static let everyone = UserQuestion()
}

/// The last row of a page, which the next page continues behind.
package struct UserCursor: Hashable, Sendable {
  package var lastSeenAtSeconds: Int64
  package var id: Int64

  package init(lastSeenAtSeconds: Int64, id: Int64) {
    self.lastSeenAtSeconds = lastSeenAtSeconds
    self.id = id
  }
}

/// Some users in order, and where to go on.
package struct UserPage: Hashable, Sendable {
  package var users: [OnlineUser]
  /// Nil when no user follows.
  package var next: UserCursor?

  package init(users: [OnlineUser], next: UserCursor?) {
    self.users = users
    self.next = next
  }
}
