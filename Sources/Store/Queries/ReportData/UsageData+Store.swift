import GRDB
package import Model

extension Readable {
  /// What the usage report needs: of the context's period, of the one before it, and of `days`.
  ///
  /// The context's start should lie on a quarter of an hour: a bucket that it cuts counts events of
  /// both periods. One pass over the index `events_usage`, which holds all that is asked for.
  /// Of one user alone when an id is given; the newest event and the ledger's begin are everybody's. Days
  /// follow each other, oldest first; their coverage is still to be judged.
  package func usageData(
    _ context: ReportContext, heaviest: Int, of userId: String? = nil,
    days: [Range<Instant>] = []
  ) throws -> UsageData {
    let (main, today) = (context.comparison.main, context.comparison.today)
    let spans = [main?.current, main?.previous, today?.current, today?.previous]
    var pass = UsagePass(
      period: context.start..<context.end, before: context.previousStart..<context.start,
      peopleSpans: spans.map { $0 ?? context.start..<context.start }, days: days, now: context.now)
    try pass.read(reader, of: userId)
    var data = UsageData(
      buckets: pass.buckets.finished(), activeUsers: pass.users.count,
      previousActiveUsers: pass.people.counts[1],
      heaviestUsers: try named(pass.users.heaviest(heaviest, ids: pass.ids)),
      newestEventAt: try newestEventAt())
    data.comparedActiveUsers = pass.people.counts[0]
    data.activeUsersToday = pass.people.counts[2]
    data.activeUsersTodayBefore = pass.people.counts[3]
    data.ledgerBeginsAt = try ledgerBeginsAt()
    data.history.days = try completed(pass.days.days, of: userId)
    return data
  }

  /// The same users with the names that `OnlineUsers` has for them.
  private func named(_ users: [UsageData.HeavyUser]) throws -> [UsageData.HeavyUser] {
    let names = try reader.database.cachedStatement(
      sql: "SELECT user_name FROM OnlineUsers WHERE user_id = ?")
    return try users.map { user in
      var user = user
      user.name = try WholeText.fetchOne(names, arguments: [user.userId])?.string
      return user
    }
  }
}

/// Everything that is counted while the events of two periods and of some days go by once.
struct UsagePass {
  private let period: Range<Int64>
  private let before: Range<Int64>
  /// What has to be read, in the order of time, nothing twice.
  private let spans: [Range<Int64>]
  let ids = StringInterner()
  fileprivate(set) var buckets = BucketCounter()
  /// Of the second period.
  private(set) var users = UserUseCount()
  private(set) var days: DayCount
  private(set) var people: SpanCount

  static let eventsQuery = """
    SELECT at, feature, kind, user_type, user_id FROM events
    WHERE feature IS NOT NULL AND at >= ?1 AND at < ?2 ORDER BY at
    """

  /// Counts nothing yet.
  ///
  /// `period` is the second period, `before` the first one. People are counted in each of
  /// `peopleSpans`, at most 8, which may overlap; `days` follow each other, oldest first.
  init(
    period: Range<Instant>, before: Range<Instant>, peopleSpans: [Range<Instant>],
    days: [Range<Instant>], now: Instant
  ) {
    self.period = period.inMicroseconds
    self.before = before.inMicroseconds
    self.days = DayCount(days, now: now)
    people = SpanCount(peopleSpans.map(\.inMicroseconds))
    var spans: [Range<Int64>] = []
    let wanted = [before, period, self.days.span].compactMap { $0?.inMicroseconds }
    for span in wanted.sorted(by: { $0.lowerBound < $1.lowerBound }) where !span.isEmpty {
      if let last = spans.last, span.lowerBound <= last.upperBound {
        spans[spans.count - 1] = last.lowerBound..<max(last.upperBound, span.upperBound)
      } else {
        spans.append(span)
      }
    }
    self.spans = spans
  }

  /// Reads each event of the periods and the days once, of one user alone when an id is given.
  mutating func read(_ reader: Reader, of userId: String?) throws {
    let only = userId.map { Array($0.utf8) }
    let events = try RawStatement(reader.database, sql: Self.eventsQuery)
    defer { events.reset() }
    for span in spans {
      events.rewind()
      try events.bind(span.lowerBound, at: 1)
      try events.bind(span.upperBound, at: 2)
      while try events.step() {
        let user = events.text(column: 4)
        if let only, !user.elementsEqual(only) { continue }
        let key = try buckets.key(
          events.text(column: 1), events.text(column: 2), events.text(column: 3))
        add(
          at: events.integer(column: 0), key,
          user.isEmpty ? nil : ids.number(of: String(decoding: user, as: UTF8.self)))
      }
    }
  }

  /// Counts an event, which no event before came after; `user` is nil when it names none.
  private mutating func add(at: Int64, _ key: BucketCounter.EventKey, _ user: Int?) {
    days.add(user, key, at: at)
    if let user { people.add(user, at: at) }
    let isCurrent = period.contains(at)
    buckets.add(at: at, key, in: isCurrent ? .period : before.contains(at) ? .before : .other)
    if isCurrent, let user { users.add(user, key) }
  }
}

extension Range<Instant> {
  fileprivate var inMicroseconds: Range<Int64> {
    lowerBound.microseconds..<upperBound.microseconds
  }
}
