import GRDB
package import Model

/// Everything that is counted while the events of a report go by once: docs/people.md.
package struct LedgerPass {
  let ids = StringInterner()
  private(set) var counts: UsagePass
  private(set) var people: PeoplePass
  private(set) var parts: PartCount
  private var popups: PopupEnds
  /// Who alone is counted; nil for everybody.
  let userId: String?
  /// When the report is written.
  let now: Instant
  /// Which platform alone is counted; nil for all.
  let platform: String?
  private let followed: Range<Int64>
  /// Events of the period that are of other platforms than the context's, by platform.
  private(set) var otherPlatforms: [String: Int] = [:]

  static let eventsQuery = """
    SELECT at, feature, kind, user_type, user_id, id, platform FROM events
    WHERE feature IS NOT NULL AND at >= ?1 AND at < ?2 ORDER BY at
    """

  fileprivate init(
    _ context: ReportContext, _ facts: [DayFacts], _ people: PeoplePass, _ parts: PartCount,
    _ popups: PopupEnds, of userId: String?
  ) {
    self.userId = userId
    now = context.now
    platform = context.platform
    counts = UsagePass(context, facts)
    self.people = people
    self.parts = parts
    self.popups = popups
    let start = min(
      context.start.microseconds, people.days.starts.first ?? context.start.microseconds)
    followed = start..<max(start, context.end.microseconds)
  }

  /// Reads each event once, of one user alone when an id is given, and of one platform alone.
  fileprivate mutating func read(_ reader: Reader) throws {
    let only = userId.map { Array($0.utf8) }
    let onlyPlatform = platform.map { Array($0.utf8) }
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
        let (at, id) = (events.integer(column: 0), events.integer(column: 5))
        let platform = events.text(column: 6)
        if let onlyPlatform, !platform.elementsEqual(onlyPlatform) {
          if people.people.isInPeriod(at: at) {
            otherPlatforms[String(decoding: platform, as: UTF8.self), default: 0] += 1
          }
          continue
        }
        let key = try counts.buckets.key(
          events.text(column: 1), events.text(column: 2), events.text(column: 3), platform)
        let person = user.isEmpty ? nil : ids.number(of: user)
        let place = counts.add(at: at, key, person)
        try people.add(event: id, key, at: at)
        try popups.add(event: id, key, of: person, at: at)
        if let person, let place { try parts.add(event: id, key, of: person, on: place, ids) }
        guard let person, followed.contains(at), try people.add(key, of: person, at: at, ids) else {
          continue
        }
        try people.add(details.detail(of: id, person, key, at: at))
      }
    }
    try popups.finish()
    counts.finish()
  }
}

extension Readable {
  /// Counts the events of the context's period, of the one before it and of the days, and follows
  /// everybody through them; parameters go into the relations, which must be there.
  ///
  /// Only events of the context's platform count.
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
    let platform = context.platform
    let first = try reader.instant(
      """
      SELECT at FROM events WHERE feature IS NOT NULL AND \(Event.isOfPlatform("?1"))
      ORDER BY at LIMIT 1
      """, [platform])
    let missing = facts.filter { [.none, .partial, .awaited].contains($0.coverage) }
    let known = try todayBeforeExport(facts, of: userId, on: platform)?.start ?? context.end
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
      context, facts, people, PartCount(reader, dayCount: facts.count),
      PopupEnds(reader, in: context.start.microseconds..<context.end.microseconds), of: userId)
    try reader.writingTemporaryTables { try pass.read(reader) }
    return pass
  }

  /// The running day when exports bring the events and none of it has come; nil otherwise.
  private func todayBeforeExport(
    _ facts: [DayFacts], of userId: String?, on platform: String?
  ) throws -> DayFacts? {
    guard let today = DayHistory(days: facts).todayBeforeExport else { return nil }
    let isThere = try reader.hasRow(
      in: "events",
      where: """
        feature IS NOT NULL AND at >= ?1 AND at < ?2
        AND (?3 IS NULL OR user_id = ?3) AND (user_id <> '' OR kind = 'button_tapped')
        AND \(Event.isOfPlatform("?4"))
        """, [today.start.microseconds, today.end.microseconds, userId, platform])
    return isThere ? nil : today
  }
}

extension Readable {
  /// What a pass tells of usage.
  ///
  /// The newest event is anybody's of that platform; the ledger begins for all of them.
  package func usageData(_ pass: LedgerPass) throws -> UsageData {
    let counts = pass.counts
    let people = pass.people.people
    return UsageData(
      buckets: counts.buckets.buckets, activeUsers: people.countInPeriod,
      previousActiveUsers: counts.people.counts[1], comparedActiveUsers: counts.people.counts[0],
      hasUnnamedUsers: people.people.indices.contains {
        people.people[$0].flags.contains(.inPeriod) && pass.ids[$0].hasPrefix(Profile.unnamedPrefix)
      },
      newestEventAt: try newestEventAt(at: pass.now, on: pass.platform),
      history: DayHistory(days: counts.days.days),
      ledgerBeginsAt: try ledgerBeginsAt(), parts: pass.parts.days)
  }

  /// How many events of the period are of other platforms, by platform: those that the pass met,
  /// and those of ratings.
  package func otherPlatforms(
    _ pass: LedgerPass, _ context: ReportContext
  ) throws -> [String: Int] {
    var found = pass.otherPlatforms
    guard let platform = pass.platform else { return found }
    let others = [
      "stars IS NOT NULL", "feature IS NULL AND name GLOB 'rating_prompt_*'",
    ].map { "SELECT platform FROM events WHERE \($0) AND at >= ?1 AND at < ?2 AND platform <> ?3" }
    try reader.forEachRow(
      """
      SELECT platform, count(*) FROM (\(others.joined(separator: " UNION ALL "))) GROUP BY platform
      """, [context.start.microseconds, context.end.microseconds, platform]
    ) { found[$0[0], default: 0] += $0[1] }
    return found
  }

  package func peopleReading(_ pass: LedgerPass) throws -> PeopleReading {
    try pass.people.reading(reader, pass.ids)
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

/// Counts feature events by quarter of an hour, feature, kind and segment, as they come in time.
struct BucketCounter {
  typealias Text = UnsafeRawBufferPointer

  /// What the names of an event say.
  struct EventKey {
    let feature: Feature
    let kind: EventKind
    let userType: UserType?
    let platform: String
    /// Its place among those that were met.
    fileprivate let number: Int

    fileprivate var order: (String, String, String, String) {
      (feature.rawValue, kind.rawValue, userType?.rawValue ?? "", platform)
    }
  }

  private static let spans: [UsageData.Span] = [.period, .before, .other]

  /// The names of the few keys that were met, one after the other, and the keys by their numbers.
  private let names = StringInterner()
  private var met: [EventKey] = []
  /// Those that were met, by their names.
  private var sorted: [EventKey] = []
  /// The names of the event at hand, one after the other.
  private var joined: [UInt8] = []
  /// How often each came in the present quarter, span by span.
  private var counts: [Int] = []
  private var quarter: Int64?
  /// By time and then by the names.
  private(set) var buckets: [UsageData.Bucket] = []

  static let quarterMicroseconds: Int64 = 900_000_000

  /// Counts an event in its quarter.
  ///
  /// - Precondition: no event before came later.
  mutating func add(at microseconds: Int64, _ key: EventKey, in span: UsageData.Span) {
    let quarter = Self.quarter(of: microseconds)
    if quarter != self.quarter {
      finish()
      self.quarter = quarter
    }
    counts[key.number * Self.spans.count + span.rawValue] += 1
  }

  /// What these names say; the user type has no bytes for NULL.
  mutating func key(
    _ feature: Text, _ kind: Text, _ userType: Text, _ platform: Text
  ) throws -> EventKey {
    joined.removeAll(keepingCapacity: true)
    joined += feature
    joined.append(0)
    joined += kind
    joined.append(0)
    joined += userType
    joined.append(0)
    joined += platform
    let number = joined.withUnsafeBytes { names.number(of: $0) }
    guard number == met.count else { return met[number] }
    let key = EventKey(
      feature: try Self.choice(feature, "feature"), kind: try Self.choice(kind, "kind"),
      userType: userType.isEmpty ? nil : try Self.choice(userType, "user_type"),
      platform: String(decoding: platform, as: UTF8.self), number: number)
    met.append(key)
    sorted = met.sorted { $0.order < $1.order }
    counts += Self.spans.map { _ in 0 }
    return key
  }

  /// The quarter that the instant lies in, counted from 1970; negative before it.
  static func quarter(of microseconds: Int64) -> Int64 {
    let (quotient, remainder) = microseconds.quotientAndRemainder(dividingBy: quarterMicroseconds)
    return remainder < 0 ? quotient - 1 : quotient
  }

  /// Ends the last quarter, also after all events.
  mutating func finish() {
    guard let quarter else { return }
    for span in Self.spans {
      for key in sorted {
        let place = key.number * Self.spans.count + span.rawValue
        guard counts[place] > 0 else { continue }
        buckets.append(
          UsageData.Bucket(
            startsAtSeconds: quarter * 900, feature: key.feature, kind: key.kind,
            userType: key.userType, platform: key.platform, count: counts[place], span: span))
        counts[place] = 0
      }
    }
  }

  private static func choice<Choice: RawRepresentable<String>>(
    _ text: Text, _ column: String
  ) throws -> Choice {
    let text = String(decoding: text, as: UTF8.self)
    guard let choice = Choice(rawValue: text) else {
      throw UnreadableCell(table: "events", column: column, value: text)
    }
    return choice
  }
}

/// Counts distinct users in spans that may overlap.
struct SpanCount {
  private let spans: [Range<Int64>]
  /// By the number of the user: a bit for each span in which the user was met.
  private var met: [UInt8] = []
  private(set) var counts: [Int]

  /// - Precondition: there are at most 8 spans.
  init(_ spans: [Range<Int64>]) {
    precondition(spans.count <= UInt8.bitWidth, "a user has a bit for each span")
    self.spans = spans
    counts = [Int](repeating: 0, count: spans.count)
  }

  mutating func add(_ user: Int, at microseconds: Int64) {
    while met.count <= user { met.append(0) }
    for (index, span) in spans.enumerated() where span.contains(microseconds) {
      let bit: UInt8 = 1 << index
      guard met[user] & bit == 0 else { continue }
      met[user] |= bit
      counts[index] += 1
    }
  }
}
