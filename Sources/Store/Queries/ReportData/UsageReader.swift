import GRDB
import Model

/// The questions of the usage report, answered by one pass over the events of two periods
/// and of the days of the history.
struct UsageReader {
  /// What is asked for.
  struct Question {
    /// The second period.
    var period: Range<Instant>
    /// The first one, before it.
    var before: Range<Instant>
    /// Spans in which people are counted, at most 8; they may overlap.
    var peopleSpans: [Range<Instant>] = []
    /// Civil days that follow each other, oldest first.
    var days: [Range<Instant>] = []
    var now: Instant
    /// Of one user alone when an id is given.
    var userId: String?
  }

  struct Answer {
    /// Of both periods, by time and then by the names.
    var buckets: [UsageData.Bucket]
    /// Users of the second period.
    var activeUsers: Int
    /// Users of each of the spans.
    var people: [Int]
    /// Of the second period, the heaviest first.
    var heaviestUsers: [UsageData.HeavyUser]
    var days: [DayFacts]
  }

  let reader: Reader

  static let eventsQuery = """
    SELECT at, feature, kind, user_type, user_id FROM events
    WHERE feature IS NOT NULL AND at >= ?1 AND at < ?2 ORDER BY at
    """

  /// Reads each event of the periods and the days once; `heaviest` is how many users are listed.
  func answer(_ question: Question, heaviest: Int) throws -> Answer {
    var pass = UsagePass(question)
    let only = question.userId.map { Array($0.utf8) }
    let events = try RawStatement(reader.database, sql: Self.eventsQuery)
    defer { events.reset() }
    for span in pass.spans {
      events.rewind()
      try events.bind(span.lowerBound.microseconds, at: 1)
      try events.bind(span.upperBound.microseconds, at: 2)
      while try events.step() {
        let user = events.text(column: 4)
        if let only, !user.elementsEqual(only) { continue }
        try pass.add(
          at: events.integer(column: 0), events.text(column: 1), events.text(column: 2),
          events.text(column: 3), user: user)
      }
    }
    return try pass.answer(heaviest: heaviest, named: named)
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
