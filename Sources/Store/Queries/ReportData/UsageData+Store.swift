import Model

extension Readable {
  /// What a pass tells of usage.
  ///
  /// The newest event and the ledger's begin are everybody's.
  package func usageData(_ pass: LedgerPass) throws -> UsageData {
    var counts = pass.counts
    var data = UsageData(
      buckets: counts.buckets.finished(), activeUsers: pass.people.people.countInPeriod,
      previousActiveUsers: counts.people.counts[1], newestEventAt: try newestEventAt())
    data.hasUnnamedUsers = pass.people.people.people.indices.contains {
      pass.people.people.people[$0].flags.contains(.inPeriod)
        && pass.ids[$0].hasPrefix(Profile.unnamedPrefix)
    }
    data.comparedActiveUsers = counts.people.counts[0]
    data.activeUsersToday = counts.people.counts[2]
    data.activeUsersTodayBefore = counts.people.counts[3]
    data.ledgerBeginsAt = try ledgerBeginsAt()
    counts.days.finish()
    data.history.days = counts.days.days
    data.parts = pass.parts.days
    return data
  }
}

/// What is counted of two periods and some days.
struct UsagePass {
  private let period: Range<Int64>
  private let before: Range<Int64>
  var buckets = BucketCounter()
  var days: DayCount
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
  ///
  /// - Returns: its place in the history; nil for an event outside it, or without a user.
  mutating func add(at: Int64, _ key: BucketCounter.EventKey, _ user: Int?) -> DayCount.Place? {
    let place = days.add(user, key, at: at)
    if let user { people.add(user, at: at) }
    let isCurrent = period.contains(at)
    buckets.add(at: at, key, in: isCurrent ? .period : before.contains(at) ? .before : .other)
    return place
  }
}

extension Range<Instant> {
  fileprivate var inMicroseconds: Range<Int64> {
    lowerBound.microseconds..<upperBound.microseconds
  }
}
