/// What the store knows of the events of a period, for the usage report.
package struct UsageData: Sendable {
  /// Events of one kind and platform in one quarter of an hour, or in an hour of a day whose counts
  /// are kept.
  ///
  /// Days and hours of every time zone begin on a quarter; an hour of a day is one of its clock.
  package struct Bucket: Hashable, Sendable {
    /// Unix seconds of its start.
    package var startsAtSeconds: Int64
    package var feature: Feature
    package var kind: EventKind
    /// Nil when the event does not say.
    package var userType: UserType?
    package var platform: String
    package var count: Int
    /// Where the events lie: an end of a period may cut a quarter, which then has a bucket a side.
    package var span: Span

    package init(
      startsAtSeconds: Int64, feature: Feature, kind: EventKind,
      userType: UserType? = nil, platform: String, count: Int, span: Span = .period
    ) {
      self.startsAtSeconds = startsAtSeconds
      self.feature = feature
      self.kind = kind
      self.userType = userType
      self.platform = platform
      self.count = count
      self.span = span
    }
  }

  /// A part of the events that were read.
  package enum Span: Int, Sendable {
    /// The context's period, and what it is compared with.
    case period, before
    /// The rest of the history.
    case other
  }

  /// The buckets of the period, of the one before it and of the history, ordered by time.
  package var buckets: [Bucket]
  /// Users with a feature event in the period.
  package var activeUsers: Int
  /// Users with one in the span that the context's main comparison goes back to.
  package var previousActiveUsers: Int
  /// Users with one in the span that is compared with it; nil for those of the whole period.
  package var comparedActiveUsers: Int?
  /// Whether a profile without a user id has an event in the period.
  package var hasUnnamedUsers = false
  /// The time of the newest event in the ledger that is not of the future; nil without one.
  package var newestEventAt: Instant?
  /// The newest line that came by import; nil without one.
  package var newestLine: Instant?
  /// Lines that came by import and are dated later than now; nil where nobody asked.
  package var linesAhead: LinesAhead?
  /// Day by day up to today, whatever the period.
  package var history = DayHistory()
  /// Hours of the history whose lines of the export are missing, oldest first.
  package var exportGaps: [ExportGap] = []
  /// The time of the oldest event that came by import, else of the oldest one; nil when the ledger
  /// is empty.
  package var ledgerBeginsAt: Instant?
  /// Events and people of each of the last `partDays` days of the history, by part of the app.
  ///
  /// The first event of a person's day says where and with which version they are seen.
  package var parts: [AppDimension: AppDimension.Days] = [:]
  /// The values of the people on the same days.
  package var shares = ShareCounts()
  /// The days that parts are counted on: 28, twice seven, and the seven on which news are reported.
  package static let partDays = 49
  /// How far people went towards a subscription; nil for the events of one user alone.
  package var people: PeopleData?
  /// Nil when nobody asked for it.
  package var money: MoneyData?

  package init(
    buckets: [Bucket], activeUsers: Int, previousActiveUsers: Int, newestEventAt: Instant? = nil
  ) {
    self.buckets = buckets
    self.activeUsers = activeUsers
    self.previousActiveUsers = previousActiveUsers
    self.newestEventAt = newestEventAt
  }
}

/// Lines of the export that are dated in the future, as by clocks that are ahead.
package struct LinesAhead: Hashable, Sendable {
  package var lines: Int
  /// People with a user id.
  package var people: Int
  package var latest: Instant

  package init(lines: Int, people: Int, latest: Instant) {
    self.lines = lines
    self.people = people
    self.latest = latest
  }
}

/// What the reads cost: docs/costs.md#prices.
package struct MoneyData: Sendable {
  /// The billed reads of a stretch of time.
  package struct Reads: Hashable, Sendable {
    package var count: Int
    /// In the currency of `readPrice`.
    package var amount: Double

    package init(count: Int = 0, amount: Double = 0) {
      self.count = count
      self.amount = amount
    }
  }

  package var readPrice: ReadPrice
  package var period: Reads
  /// From the beginning of the month until now.
  package var month: Reads

  package init(readPrice: ReadPrice, period: Reads, month: Reads) {
    self.readPrice = readPrice
    self.period = period
    self.month = month
  }
}
