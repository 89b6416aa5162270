import GRDB
import Model

/// The questions of the usage report, answered by one pass over the events of two periods.
struct UsageReader {
  struct Answer {
    /// Of both periods, by time and then by the names.
    var buckets: [UsageData.Bucket]
    /// Users of the second period, and of the first.
    var users: UserUseCount
    var previousUsers: UserUseCount
    /// Of the second period.
    var subscriptions: [UsageData.Subscriptions]
  }

  let reader: Reader

  static let eventsQuery = """
    SELECT at, feature, kind, user_type, user_id FROM events
    WHERE feature IS NOT NULL AND at >= ?1 AND at < ?2 ORDER BY at
    """

  /// The events from `start` (inclusive) to `end` (exclusive); the second period begins at
  /// `middle`.
  ///
  /// Of one user alone when an id is given.
  func answer(
    from start: Instant, through middle: Instant, to end: Instant, of only: String? = nil
  ) throws -> Answer {
    let only = only.map { Array($0.utf8) }
    let events = try RawStatement(reader.database, sql: Self.eventsQuery)
    defer { events.reset() }
    try events.bind(start.microseconds, at: 1)
    try events.bind(end.microseconds, at: 2)
    var count = UsageCount()
    var users = UserUseCount()
    var previousUsers = UserUseCount()
    var subscriptions = SubscriptionCount(from: middle.microseconds)
    while try events.step() {
      if let only, !events.text(column: 4).elementsEqual(only) { continue }
      let at = events.integer(column: 0)
      let meaning = try count.add(
        at: at, events.text(column: 1), events.text(column: 2), events.text(column: 3))
      let user = events.text(column: 4)
      guard !user.isEmpty else { continue }
      let isBlocked =
        at < middle.microseconds
        ? previousUsers.add(user, meaning.kind, at: at) : users.add(user, meaning.kind, at: at)
      subscriptions.add(user, meaning, isAtLimit: isBlocked, at: at)
    }
    return Answer(
      buckets: count.buckets(), users: users, previousUsers: previousUsers,
      subscriptions: subscriptions.found)
  }

  /// The same users with the names that `OnlineUsers` has for them.
  func named(_ users: [UsageData.HeavyUser]) throws -> [UsageData.HeavyUser] {
    let names = try reader.database.cachedStatement(
      sql: "SELECT user_name FROM OnlineUsers WHERE user_id = ?")
    return try users.map { user in
      var user = user
      user.name = try WholeText.fetchOne(names, arguments: [user.userId])?.string
      return user
    }
  }
}
