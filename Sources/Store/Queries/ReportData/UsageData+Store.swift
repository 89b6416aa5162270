import GRDB
package import Model

extension Readable {
  /// What a pass tells of usage, with at most `heaviest` users by name.
  ///
  /// The newest event and the ledger's begin are everybody's.
  package func usageData(_ pass: LedgerPass, heaviest: Int) throws -> UsageData {
    var counts = pass.counts
    var data = UsageData(
      buckets: counts.buckets.finished(), activeUsers: counts.users.count,
      previousActiveUsers: counts.people.counts[1],
      heaviestUsers: try named(counts.users.heaviest(heaviest, ids: pass.ids)),
      newestEventAt: try newestEventAt())
    data.comparedActiveUsers = counts.people.counts[0]
    data.activeUsersToday = counts.people.counts[2]
    data.activeUsersTodayBefore = counts.people.counts[3]
    data.ledgerBeginsAt = try ledgerBeginsAt()
    data.history.days = counts.days.days
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

/// What is counted of two periods and some days.
struct UsagePass {
  private let period: Range<Int64>
  private let before: Range<Int64>
  var buckets = BucketCounter()
  /// Of the second period.
  private(set) var users = UserUseCount()
  private(set) var days: DayCount
  private(set) var people: SpanCount

  /// Counts nothing yet; `days` follow each other, oldest first.
  init(_ context: ReportContext, _ days: [DayFacts]) {
    period = (context.start..<context.end).inMicroseconds
    before = (context.previousStart..<context.start).inMicroseconds
    self.days = DayCount(days)
    let (main, today) = (context.comparison.main, context.comparison.today)
    let spans = [main?.current, main?.previous, today?.current, today?.previous]
    people = SpanCount(spans.map { ($0 ?? context.start..<context.start).inMicroseconds })
  }

  /// What has to be read, in the order of time, nothing twice.
  func spans(with other: Range<Int64>) -> [Range<Int64>] {
    var spans: [Range<Int64>] = []
    let wanted = [before, period, other] + [days.span?.inMicroseconds].compactMap(\.self)
    for span in wanted.sorted(by: { $0.lowerBound < $1.lowerBound }) where !span.isEmpty {
      if let last = spans.last, span.lowerBound <= last.upperBound {
        spans[spans.count - 1] = last.lowerBound..<max(last.upperBound, span.upperBound)
      } else {
        spans.append(span)
      }
    }
    return spans
  }

  /// Counts an event, which no event before came after; `user` is nil when it names none.
  mutating func add(at: Int64, _ key: BucketCounter.EventKey, _ user: Int?) {
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
