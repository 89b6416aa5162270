import GRDB
package import Model

/// Everything that is counted while the events of a report go by once: docs/people.md.
package struct LedgerPass {
  var ids = StringInterner()
  var counts: UsagePass
  var people: PeoplePass
  var parts: PartCount
  var popups: PopupEnds
  /// The only person who is counted; nil for everybody.
  let userId: String?
  /// When the report is written.
  let now: Instant
  /// Which platform alone is counted; nil for all.
  let platform: String?
  let followed: Range<Int64>
  /// What is counted where kept counts are read; a pass over events counts everything.
  let needs: RelationNeeds
  /// The days whose kept counts were read, by their first instants; nil for a pass over events.
  var keptDays: Set<Int64>?
  /// Events of the period that are of other platforms than the context's, by platform.
  var otherPlatforms: [String: Int] = [:]

  static let eventsQuery = """
    SELECT at, feature, kind, user_type, user_id, id, platform FROM events
    WHERE feature IS NOT NULL AND at >= ?1 AND at < ?2 ORDER BY at
    """

  fileprivate init(
    _ context: ReportContext, _ facts: [DayFacts], _ people: PeoplePass, _ parts: PartCount,
    _ popups: PopupEnds, of userId: String?, needs: RelationNeeds
  ) {
    self.needs = needs
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
        if let person, let place {
          try parts.add(event: id, key, of: person, at: at, on: place, ids)
        }
        guard let person, followed.contains(at), try people.add(key, of: person, at: at, ids) else {
          continue
        }
        try people.add(details.detail(of: id, person, key, at: at))
      }
    }
    try popups.finish()
    counts.finish()
    try parts.finish(ids)
  }
}

extension Readable {
  /// Counts the events of the context's period, of the one before it and of the days, and follows
  /// everybody through them; parameters go into the relations, which must be there.
  ///
  /// Only events of the context's platform count.
  ///
  /// One pass over the index `events_usage`, and one look at the row of each event whose parameters
  /// are read. The context's start should lie on a quarter of an hour: a bucket that it cuts counts
  /// events of both periods.
  ///
  /// - Parameters:
  ///   - context: the period.
  ///   - facts: the days of the history, oldest first, with how much the ledger knows of each; days
  ///     that are not among them are known whole.
  ///   - changes: the newest changes of settings.
  ///   - userId: one user alone; nil for everybody.
  ///   - oneIn: parameters are read of one person in this number, a power of 2; nil for all of a
  ///     ledger below `EventSample.manyEvents`.
  ///   - usesCounts: whether kept counts of days stand for their events, where most are there.
  ///   - needs: the relations that are read; others may stay empty.
  /// - Returns: what was counted.
  /// - Throws: `UnreadableCell`, or `DatabaseError`.
  package func ledgerPass(
    _ context: ReportContext, days facts: [DayFacts], changes: [SettingChange],
    of userId: String? = nil, oneIn: Int? = nil, usesCounts: Bool = true,
    for needs: RelationNeeds = .all
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
      people: PeopleCount(context), experiments: experiments,
      sample: EventSample(oneIn: oneIn ?? EventSample.oneIn(reader)),
      days: CivilDays(
        from: first ?? context.start, to: context.end, in: context.timeZone, facts: facts),
      relations: DetailRelations(reader))
    var pass = try LedgerPass(
      context, facts, people,
      PartCount(
        reader, dayCount: facts.count,
        period: facts.places(touching: context.start..<context.end)),
      PopupEnds(reader, in: context.start.microseconds..<context.end.microseconds), of: userId,
      needs: needs)
    let spans = pass.counts.spans(with: pass.followed)
    if usesCounts, userId == nil,
      let counted = try countedDays(context, facts, spans, pass.people.days)
    {
      if needs.havePeople { pass.ids = try reader.keptPeople() }
      try reader.writingTemporaryTables {
        try reader.count(counted, pass.ids, on: platform, sample: pass.people.sample)
        try pass.read(counted, reader)
      }
      pass.keptDays = counted.kept
    } else {
      try reader.writingTemporaryTables { try pass.read(reader) }
    }
    return pass
  }

  /// The days of the history, when most of their counts are kept and nothing else is to be read;
  /// nil otherwise.
  private func countedDays(
    _ context: ReportContext, _ facts: [DayFacts], _ spans: [Range<Int64>], _ followed: CivilDays
  ) throws -> CountedDays? {
    let days = facts.map { $0.start.microseconds..<$0.end.microseconds }
    guard days.areCountable, Set(days.map(\.lowerBound)).isSuperset(of: followed.starts),
      let first = days.first, let last = days.last,
      spans.allSatisfy({ first.lowerBound <= $0.lowerBound && $0.upperBound <= last.upperBound })
    else { return nil }
    let view = FactTables.View(timeZone: context.timeZone, platform: context.platform)
    let kept = try reader.keptDays(of: view).intersection(days.map(\.lowerBound))
    return 2 * kept.count > days.count ? CountedDays(days: days, kept: kept) : nil
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
  /// The usage that a pass counts.
  ///
  /// The newest event is anybody's of that platform; the ledger begins for all of them.
  package func usageData(_ pass: LedgerPass) throws -> UsageData {
    let counts = pass.counts
    let people = pass.people.people
    var data = UsageData(
      buckets: counts.buckets.buckets, activeUsers: people.countInPeriod,
      previousActiveUsers: counts.people.counts[1],
      newestEventAt: try newestEventAt(at: pass.now, on: pass.platform))
    data.comparedActiveUsers = counts.people.counts[0]
    data.hasUnnamedUsers = people.people.indices.contains {
      people.people[$0].flags.contains(.inPeriod) && pass.ids[$0].hasPrefix(Profile.unnamedPrefix)
    }
    data.history = DayHistory(days: counts.days.days)
    data.ledgerBeginsAt = try ledgerBeginsAt()
    data.parts = pass.parts.days
    data.shares = try shares(pass)
    return data
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
  let period: Range<Int64>
  let before: Range<Int64>
  /// The ends of these and of what is compared.
  let bounds: [Int64]
  var buckets = BucketCounter()
  var days: DayCount
  var people: SpanCount

  /// Counts nothing yet; `days` follow each other, oldest first.
  init(_ context: ReportContext, _ days: [DayFacts]) {
    period = (context.start..<context.end).inMicroseconds
    before = (context.previousStart..<context.start).inMicroseconds
    self.days = DayCount(days)
    let spans = [context.comparison.main?.current, context.comparison.main?.previous]
    let compared = spans.map { ($0 ?? context.start..<context.start).inMicroseconds }
    people = SpanCount(compared)
    bounds = ([period, before] + compared).flatMap { [$0.lowerBound, $0.upperBound] }
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
    buckets.add(at: at, key, in: span(of: at))
    return place
  }

  /// Where an instant lies.
  func span(of at: Int64) -> UsageData.Span {
    period.contains(at) ? .period : before.contains(at) ? .before : .other
  }
}

extension Range<Instant> {
  fileprivate var inMicroseconds: Range<Int64> {
    lowerBound.microseconds..<upperBound.microseconds
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
    for (index, span) in spans.enumerated() where span.contains(microseconds) {
      add(user, in: index)
    }
  }

  /// Counts a user in the span of an index.
  mutating func add(_ user: Int, in index: Int) {
    while met.count <= user { met.append(0) }
    let bit: UInt8 = 1 << index
    guard met[user] & bit == 0 else { return }
    met[user] |= bit
    counts[index] += 1
  }

  /// The spans that hold all of a day; nil when one of them holds only a part.
  func spans(holding day: Range<Int64>) -> [Int]? {
    guard spans.allSatisfy({ !$0.cuts(day) }) else { return nil }
    return spans.indices.filter { spans[$0].overlaps(day) }
  }
}

extension Range<Int64> {
  /// Whether some of the other range lies within, and some does not.
  func cuts(_ other: Range<Int64>) -> Bool {
    overlaps(other) && !(lowerBound <= other.lowerBound && other.upperBound <= upperBound)
  }
}
