import GRDB
package import Model

/// Everything that is counted while the events of a report go by once: docs/people.md.
package struct LedgerPass {
  let ids = StringInterner()
  private(set) var counts: UsagePass
  private(set) var people: PeoplePass
  private(set) var parts: PartCount
  /// Who alone is counted; nil for everybody.
  let userId: String?
  private let followed: Range<Int64>

  static let eventsQuery = """
    SELECT at, feature, kind, user_type, user_id, id FROM events
    WHERE feature IS NOT NULL AND at >= ?1 AND at < ?2 ORDER BY at
    """

  fileprivate init(
    _ context: ReportContext, _ facts: [DayFacts], _ people: PeoplePass, _ parts: PartCount,
    of userId: String?
  ) {
    self.userId = userId
    counts = UsagePass(context, facts)
    self.people = people
    self.parts = parts
    let start = min(
      context.start.microseconds, people.days.starts.first ?? context.start.microseconds)
    followed = start..<max(start, context.end.microseconds)
  }

  /// Reads each event once, of one user alone when an id is given.
  fileprivate mutating func read(_ reader: Reader) throws {
    let only = userId.map { Array($0.utf8) }
    let events = try RawStatement(reader.database, sql: Self.eventsQuery)
    let details = try DetailReader(reader)
    defer { events.reset() }
    for span in counts.spans(with: followed) {
      events.rewind()
      try events.bind(span.lowerBound, at: 1)
      try events.bind(span.upperBound, at: 2)
      while try events.step() {
        let user = events.text(column: 4)
        if let only, !user.elementsEqual(only) { continue }
        let key = try counts.buckets.key(
          events.text(column: 1), events.text(column: 2), events.text(column: 3))
        let at = events.integer(column: 0)
        let person = user.isEmpty ? nil : ids.number(of: user)
        let place = counts.add(at: at, key, person)
        try people.add(event: events.integer(column: 5), key, at: at)
        if let person, let place {
          try parts.add(event: events.integer(column: 5), key, of: person, on: place, ids)
        }
        guard let person, followed.contains(at), try people.add(key, of: person, at: at, ids) else {
          continue
        }
        try people.add(details.detail(of: events.integer(column: 5), person, key, at: at))
      }
    }
    counts.finish()
  }
}

extension Readable {
  /// Counts the events of the context's period, of the one before it and of the days, and follows
  /// everybody through them; parameters go into the relations, which must be there.
  ///
  /// One pass over the index `events_usage`, and one look at the row of each event whose parameters
  /// are told of. The context's start should lie on a quarter of an hour: a bucket that it cuts
  /// counts events of both periods.
  ///
  /// - Parameters:
  ///   - context: the period.
  ///   - facts: the days of the history, oldest first, with how much the ledger knows of each; days
  ///     that are not among them are known whole.
  ///   - changes: the newest changes of settings.
  ///   - userId: one user alone; nil for everybody.
  ///   - oneIn: of one person in so many, a power of 2, parameters are read; nil for all of a
  ///     ledger below `EventSample.manyEvents`.
  /// - Returns: what was counted.
  /// - Throws: `UnreadableCell`, or `DatabaseError`.
  package func ledgerPass(
    _ context: ReportContext, days facts: [DayFacts], changes: [SettingChange],
    of userId: String? = nil, oneIn: Int? = nil
  ) throws -> LedgerPass {
    let first = try reader.instant(
      "SELECT at FROM events WHERE feature IS NOT NULL ORDER BY at LIMIT 1")
    let missing = facts.filter { [.none, .partial, .awaited].contains($0.coverage) }
    let known = try todayBeforeExport(facts, of: userId)?.start ?? context.end
    let experiments = ExperimentCount(
      changes, from: first ?? context.end, to: context.end, knownUntil: known,
      without: missing.map { $0.start..<$0.end })
    let people = try PeoplePass(
      people: PeopleCount(period: context.start.microseconds..<context.end.microseconds),
      experiments: experiments, sample: EventSample(oneIn: oneIn ?? EventSample.oneIn(reader)),
      days: CivilDays(
        from: first ?? context.start, to: context.end, in: context.timeZone, facts: facts),
      relations: DetailRelations(reader))
    var pass = try LedgerPass(
      context, facts, people, PartCount(reader, dayCount: facts.count), of: userId)
    try reader.writingTemporaryTables { try pass.read(reader) }
    return pass
  }

  /// The running day when exports bring the events and none of it has come; nil otherwise.
  private func todayBeforeExport(_ facts: [DayFacts], of userId: String?) throws -> DayFacts? {
    guard let today = DayHistory(days: facts).todayBeforeExport else { return nil }
    let isThere = try reader.hasRow(
      in: "events",
      where: """
        feature IS NOT NULL AND at >= ?1 AND at < ?2
        AND (?3 IS NULL OR user_id = ?3) AND (user_id <> '' OR kind = 'button_tapped')
        """, [today.start.microseconds, today.end.microseconds, userId])
    return isThere ? nil : today
  }
}

/// What the ledger knows of people, of one stretch of events: docs/people.md.
package struct PeopleReading: Sendable {
  package var people: PeopleData
  package var activity: ActivityData
  package var demand: DemandData
  package var experiments: ExperimentData
}

extension Readable {
  /// What a pass tells of usage.
  ///
  /// The newest event and the ledger's begin are everybody's.
  package func usageData(_ pass: LedgerPass) throws -> UsageData {
    let counts = pass.counts
    let people = pass.people.people
    return UsageData(
      buckets: counts.buckets.buckets, activeUsers: people.countInPeriod,
      previousActiveUsers: counts.people.counts[1], comparedActiveUsers: counts.people.counts[0],
      hasUnnamedUsers: people.people.indices.contains {
        people.people[$0].flags.contains(.inPeriod) && pass.ids[$0].hasPrefix(Profile.unnamedPrefix)
      },
      newestEventAt: try newestEventAt(), history: DayHistory(days: counts.days.days),
      ledgerBeginsAt: try ledgerBeginsAt(), parts: pass.parts.days)
  }

  package func peopleReading(_ pass: LedgerPass) throws -> PeopleReading {
    try pass.people.reading(reader, pass.ids)
  }
}

extension Reader {
  /// What the relation `filter_use` tells in all.
  fileprivate func demandData() throws -> DemandData {
    try first(
      """
      SELECT count(DISTINCT CASE WHEN is_tap THEN person END), ifnull(sum(is_tap), 0),
        count(results), ifnull(sum(results = 0), 0) FROM temp.filter_use
      """
    ) { DemandData(people: $0[0], taps: $0[1], answered: $0[2], empty: $0[3]) } ?? DemandData()
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
    let spans = [context.comparison.main?.current, context.comparison.main?.previous]
    people = SpanCount(spans.map { ($0 ?? context.start..<context.start).inMicroseconds })
  }

  /// Ends what is being counted, after all events.
  mutating func finish() {
    buckets.finish()
    days.finish()
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

/// Everybody who is followed, and what the parameters of their events say.
struct PeoplePass {
  private(set) var people: PeopleCount
  fileprivate var experiments: ExperimentCount
  let sample: EventSample
  let days: CivilDays
  fileprivate let relations: DetailRelations
  /// The first country that a person's details name.
  private(set) var countries: [Int: String] = [:]
  /// How many of the days have begun.
  fileprivate var begunDays = 0

  /// Counts an event; returns whether its parameters are told of.
  ///
  /// - Precondition: no event before came later.
  mutating func add(
    _ key: BucketCounter.EventKey, of person: Int, at: Int64, _ ids: StringInterner
  ) throws -> Bool {
    while begunDays < days.starts.count, days.starts[begunDays] <= at { begunDays += 1 }
    let day = begunDays == 0 ? nil : begunDays - 1
    let use = PeopleCount.Use(at: at, kind: key.kind, userType: key.userType)
    let isReturn = people.isReturn(use, of: person)
    let isFirst = people.add(use, of: person, day: day)
    experiments.add(use, of: person)
    let canBeBlocked = UserType.canBeBlocked(key.userType)
    let isSuccess = key.kind == .performed && canBeBlocked
    if isReturn, people.isTold(use, isSuccess: isSuccess, of: person, day: day),
      sample.holds(ids[person])
    {
      try relations.addAttempt(of: person, at: at, isUse: isSuccess)
    }
    if key.kind.isBlocked, canBeBlocked, sample.holds(ids[person]) {
      people.awaitReturn(of: person, after: at)
      try relations.addBlock(key.feature, of: person, at: at)
    }
    let tellsPrice =
      key.userType != .liteSubscriber
      && (key.kind == .pricingDisplayed || key.kind == .subscriptionButtonTapped)
    guard people.isInPeriod(use) else { return tellsPrice && sample.holds(ids[person]) }
    let isWanted =
      switch key.kind {
      case .popupShown: key.userType == .freeUser
      case .pricingDisplayed, .subscriptionButtonTapped: tellsPrice
      case .buttonTapped, .performed: key.feature == .filter
      default: false
      }
    return (isFirst || isWanted) && sample.holds(ids[person])
  }

  /// Adds an event of anybody to those that queries read for themselves.
  func add(event id: Int64, _ key: BucketCounter.EventKey, at: Int64) throws {
    switch key.kind {
    case .popupDismissed, .pricingDisplayed, .limitReset:
      if people.isInPeriod(at: at) { try relations.addSingle(id, key) }
    default: break
    }
  }

  mutating func add(_ detail: EventDetail) throws {
    var detail = detail
    detail.isInPeriod = people.isInPeriod(at: detail.at)
    if detail.isInPeriod, countries[detail.person, default: ""].isEmpty {
      countries[detail.person] = detail.country
    }
    try relations.add(detail)
  }

  func reading(_ reader: Reader, _ ids: StringInterner) throws -> PeopleReading {
    let activity = ActivityCount(
      people: people.people, days: days, accountDays: try accountDays(reader, ids))
    var demand = try reader.demandData()
    demand.sampledOneIn = sample.oneIn
    return PeopleReading(
      people: people.data(sampledOneIn: sample.oneIn),
      activity: activity.data,
      demand: demand,
      experiments: ExperimentData(experiments: experiments.found))
  }

  /// The days on which the accounts of the people that were met were made.
  func accountDays(_ reader: Reader, _ ids: StringInterner) throws -> [Int: Int] {
    let accounts = try RawStatement(
      reader.database,
      sql: "SELECT uid, created_at FROM auth_users WHERE created_at IS NOT NULL")
    defer { accounts.reset() }
    var found: [Int: Int] = [:]
    while try accounts.step() {
      guard let person = ids.known(accounts.text(column: 0)) else { continue }
      found[person] = days.place(of: accounts.integer(column: 1))
    }
    return found
  }
}

/// People whose events' parameters are read: everybody, or one in so many.
///
/// People are chosen by the hash of their ids: of a chosen one all events are read, so that shares
/// of people stay unbiased. docs/people.md#samples.
struct EventSample {
  /// A ledger of so many events is read in a sample.
  static let manyEvents = 10_000_000
  /// How many are then left out for one that is read.
  static let oneInOfMany = 16

  /// A power of 2.
  let oneIn: Int

  /// 1 for a ledger of few events, by its highest row number.
  static func oneIn(_ reader: Reader) throws -> Int {
    try reader.count("SELECT max(id) FROM events") < manyEvents ? 1 : oneInOfMany
  }

  func holds(_ id: String) -> Bool {
    oneIn == 1 || Self.hash(id) >> 11 & UInt32(oneIn - 1) == 0
  }

  /// 64-bit FNV-1a, folded so that the low bits depend on every byte: the same in every run.
  private static func hash(_ id: String) -> UInt32 {
    let hash = id.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    return UInt32(truncatingIfNeeded: hash ^ hash >> 32)
  }
}
