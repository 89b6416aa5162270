import GRDB
package import Model

/// The rows of the relations that queries of a report read: docs/relations.md.
///
/// People are not among them: they go from the pass over the events into the database at once.
package struct ReportRelations: Sendable {
  /// A civil day of the report's time zone.
  package struct Day: Hashable, Sendable {
    /// Days follow each other; 0 is the first one.
    package let number: Int
    package let day: LocalDay
    /// How much the ledger knows of it; a day that is older than the history counts as whole.
    package let coverage: DayFacts.Coverage
    /// Whether the day's counts are counts, also where they are 0.
    package let isKnown: Bool
    /// The same, but for today before its export, of which only the program's own events are known.
    package let isCounted: Bool
    /// The first of the whole days in a row that end with this one; nil for one that is not whole,
    /// or not over when the period ends.
    package let wholeFrom: Int?
    package let sides: Sides
  }

  /// Where something lies: in the period, on the newer side of the comparison, on the older one.
  package struct Sides: Hashable, Sendable {
    package var inPeriod = false
    package var inWhole = false
    package var inBefore = false
  }

  /// What a row of `usage_hour` or `usage_day` counts: the attempts of an hour or a day, by feature
  /// and by what a decision saw in a person.
  fileprivate struct UsageKey: Hashable {
    let day: Int
    /// 0 to 23 by the clock: an hour that comes twice is one; nil for the whole day.
    var hour: Int?
    let feature: Feature
    let userType: UserType?
    let platform: String
    let sides: Sides

    /// What sorts the rows of a day.
    var place: (String, String, String, Int) {
      let side = (sides.inPeriod ? 4 : 0) + (sides.inWhole ? 2 : 0) + (sides.inBefore ? 1 : 0)
      return (feature.rawValue, userType?.rawValue ?? "", platform, side)
    }
  }

  package let context: ReportContext
  package let days: [Day]
  /// Those of the index's tiles, oldest first.
  package let newest: [DayFacts]
  /// In the order of time.
  private let buckets: [UsageData.Bucket]
  /// What the workspace says that each tier costs.
  package let prices: [Tier: String]
  /// With the runs of the period.
  package let runs: RunsData
  /// Those in force: the rows of `setting_in_force`, and whom the rating dialog asks.
  package let settings: Settings

  /// Buckets are of the days of the history, of the period and of what it is compared with.
  package init(
    _ context: ReportContext, _ data: UsageData, prices: [Tier: String] = [:], runs: RunsData,
    settings: Settings = Settings([])
  ) {
    self.context = context
    self.prices = prices
    self.runs = runs
    self.settings = settings
    days = Self.days(context, data)
    newest = Array(data.history.newest)
    buckets = data.buckets
  }

  /// From the first day that the report looks at to the last one.
  private static func days(_ context: ReportContext, _ data: UsageData) -> [Day] {
    let history = data.history
    // What is counted of people goes back as far as the history does from now.
    let people = context.end - .seconds(86_400 * DayHistory.mostDays)
    let first = min(context.previousStart, people, history.days.first?.start ?? context.start)
    let end = max(context.end, history.days.last?.end ?? context.end)
    let facts = Dictionary(history.days.map { ($0.start, $0.coverage) }) { $1 }
    let unknown = Set(context.unknownDays)
    let main = context.comparison.main
    let read = [
      min(people, context.previousStart)..<context.end,
      (history.days.first?.start ?? context.end)..<(history.days.last?.end ?? context.end),
    ]
    /// Days between an old period and the history are not read, and older ones than the ledger have
    /// nothing to read.
    func isKnown(_ day: LocalDay) -> Bool {
      read.contains { $0.overlaps(day.start..<day.end) } && !unknown.contains(day.start)
        && data.ledgerBeginsAt.map { day.end > $0 } ?? true
    }
    var wholeFrom: Int?
    let touched = LocalDay.days(touching: first..<end, in: context.timeZone)
    return touched.enumerated().map { number, day in
      func overlaps(_ span: Range<Instant>?) -> Bool {
        span?.overlaps(day.start..<day.end) ?? false
      }
      let isAwaited = day.start == context.awaitedToday
      let coverage =
        isAwaited ? .awaited : facts[day.start] ?? (isKnown(day) ? .whole : .none)
      let isWhole = coverage == .whole && day.end <= context.end
      wholeFrom = isWhole ? wholeFrom ?? number : nil
      return Day(
        number: number, day: day, coverage: coverage, isKnown: isKnown(day),
        isCounted: isKnown(day) && !isAwaited, wholeFrom: wholeFrom,
        sides: Sides(
          inPeriod: overlaps(context.start..<context.end), inWhole: overlaps(main?.current),
          inBefore: overlaps(main?.previous)))
    }
  }

  /// Calls `body` with the rows of `usage_hour` and `usage_day`, those that are read, day by day.
  fileprivate func forEachUsage(
    for needs: RelationNeeds, _ body: (UsageKey, UsageTotals) throws -> Void
  ) rethrows {
    let (hasHours, hasDays) = (needs.have("usage_hour"), needs.have("usage_day"))
    var hours: [UsageKey: UsageTotals] = [:]
    var wholeDay: [UsageKey: UsageTotals] = [:]
    func end() throws {
      for (key, totals) in hours { try body(key, totals) }
      for (key, totals) in wholeDay.sorted(by: { $0.key.place < $1.key.place }) {
        try body(key, totals)
      }
      hours.removeAll(keepingCapacity: true)
      wholeDay.removeAll(keepingCapacity: true)
    }
    var quarter: Int64?
    var (place, hour) = (0, 0)
    for bucket in days.isEmpty ? [] : buckets {
      let at = Instant(unixSeconds: bucket.startsAtSeconds)
      if quarter != bucket.startsAtSeconds {
        quarter = bucket.startsAtSeconds
        let last = place
        // The first bucket may begin before the first day.
        while place + 1 < days.count, days[place].day.end <= at { place += 1 }
        if place != last { try end() }
        hour = Self.hour(of: at, on: days[place].day, in: context.timeZone)
      }
      var key = UsageKey(
        day: days[place].number, hour: nil, feature: bucket.feature, userType: bucket.userType,
        platform: bucket.platform, sides: Self.sides(of: bucket, at: at, context))
      if hasDays {
        wholeDay[key, default: UsageTotals()].add(bucket.kind, bucket.count, by: bucket.userType)
      }
      guard hasHours else { continue }
      key.hour = hour
      hours[key, default: UsageTotals()].add(bucket.kind, bucket.count, by: bucket.userType)
    }
    try end()
  }

  private static func hour(of at: Instant, on day: LocalDay, in timeZone: String) -> Int {
    let seconds = day.timeByTheClock(of: at, in: timeZone).components.seconds
    return min(23, max(0, Int(seconds / 3_600)))
  }

  /// A bucket lies where its quarter of an hour begins.
  package static func sides(
    of bucket: UsageData.Bucket, at: Instant, _ context: ReportContext
  ) -> Sides {
    guard bucket.span != .other else { return Sides() }
    var sides = sides(of: at, context)
    // The older side may begin within a quarter, whose bucket holds only what came after.
    sides.inBefore =
      context.comparison.main.map { main in
        at + .seconds(900) > main.previous.lowerBound && at < main.previous.upperBound
      } ?? false
    return sides
  }

  /// The sides that an instant lies on.
  package static func sides(of at: Instant, _ context: ReportContext) -> Sides {
    let main = context.comparison.main
    return Sides(
      inPeriod: at >= context.start && at < context.end,
      inWhole: main?.current.contains(at) ?? false, inBefore: main?.previous.contains(at) ?? false)
  }
}

extension Reader {
  /// Makes the relations that queries of a report read, empty, as temporary tables of this
  /// snapshot's connection, runs `body` and removes them.
  ///
  /// `ledgerPass` adds `offer`, `price_shown`, `block`, `attempt`, `filter_use` and `single_event`,
  /// and from kept counts `price_day` and `subscription_tap`; `fill` adds the others. Temporary
  /// tables hide those of the database that have the same name.
  ///
  /// - Throws: what `body` throws, and `DatabaseError`.
  package func withRelations<T>(_ body: () throws -> T) throws -> T {
    try removeRelations()
    try writingTemporaryTables {
      try database.execute(sql: RelationTables.creation)
    }
    try setCache(kibibytes: Self.queryCacheKibibytes)
    do {
      let found = try body()
      try removeRelations()
      try setCache(kibibytes: DatabaseFile.writerCacheKibibytes)
      return found
    } catch {
      // The tables go with the snapshot.
      try setCache(kibibytes: DatabaseFile.writerCacheKibibytes)
      throw error
    }
  }

  /// Fills the relations from a pass and its report.
  package func fill(_ relations: ReportRelations, of pass: LedgerPass) throws {
    try writingTemporaryTables {
      try fillPeriod(relations, pass)
      try fill(relations.days)
      try fillNewest(relations)
      try fillUsage(relations, for: pass.needs)
      try fill(relations.prices)
      try fill(relations.settings)
      try fill(relations.runs, of: relations.context)
      try fillDialogs(of: relations, pass.userId)
      try fillPeople(relations, pass)
      try database.execute(
        sql: RelationTables.derivation(for: pass.needs, countsEvents: pass.keptDays == nil))
    }
  }

  /// What the page cache takes meanwhile: SQLite sorts in as much memory again.
  private static let queryCacheKibibytes = 2_048

  private func setCache(kibibytes: Int) throws {
    guard !database.configuration.readonly else { return }
    try database.execute(sql: "PRAGMA cache_size = -\(kibibytes)")
  }

  /// Lifts the connection's own protection, which does not distinguish temporary tables from
  /// others.
  func writingTemporaryTables(_ body: () throws -> Void) throws {
    try database.execute(sql: "PRAGMA query_only = 0")
    do {
      try body()
    } catch let error as DatabaseError
      where [.SQLITE_FULL, .SQLITE_NOMEM].contains(error.resultCode)
    {
      // Nothing else is written here.
      throw QueryProblem(.noSpace)
    }
    guard !database.configuration.readonly else { return }
    try database.execute(sql: "PRAGMA query_only = 1")
  }

  private func removeRelations() throws {
    try writingTemporaryTables { try database.execute(sql: RelationTables.removal) }
  }

  private func fillPeriod(_ relations: ReportRelations, _ pass: LedgerPass) throws {
    let context = relations.context
    let (main, today) = (context.comparison.main, context.comparison.today)
    try RowInsertion(database, into: "temp.period").add([
      "start": context.start.microseconds, "end": context.end.microseconds,
      "now": context.now.microseconds, "time_zone": context.timeZone,
      "previous_start": context.previousStart.microseconds,
      "whole_start": main?.current.lowerBound.microseconds,
      "whole_end": main?.current.upperBound.microseconds,
      "before_start": main?.previous.lowerBound.microseconds,
      "before_end": main?.previous.upperBound.microseconds,
      "is_compared": context.comparisonFault == nil && main != nil,
      "today_start": today?.current.lowerBound.microseconds,
      "today_end": today?.current.upperBound.microseconds,
      "today_before_start": today?.previous.lowerBound.microseconds,
      "today_before_end": today?.previous.upperBound.microseconds,
      "is_today_compared": context.todayFault == nil && today != nil,
      "sampled_one_in": pass.people.sample.oneIn,
      "first_day": pass.people.firstDay(of: relations), "only_user": pass.userId,
      "only_platform": pass.platform,
    ])
  }

  private func fill(_ days: [ReportRelations.Day]) throws {
    let insertion = RowInsertion(database, into: "temp.day")
    for day in days {
      try insertion.add([
        "day": day.number, "date": day.day.text, "start": day.day.start.microseconds,
        "end": day.day.end.microseconds, "weekday": day.day.weekday,
        "coverage": day.coverage.rawValue, "is_known": day.isKnown,
        "is_counted": day.isCounted, "whole_from": day.wholeFrom, "in_period": day.sides.inPeriod,
        "in_whole": day.sides.inWhole,
        "in_before": day.sides.inBefore,
      ])
    }
  }

  private func fillNewest(_ relations: ReportRelations) throws {
    let insertion = RowInsertion(database, into: "temp.newest_day")
    for facts in relations.newest {
      guard let day = relations.days.first(where: { $0.day.start == facts.start }) else { continue }
      let isKnown = facts.coverage != .none
      let stars = facts.stars.map { isKnown || facts.stars.contains { $0 > 0 } ? $0 : nil }
      try insertion.add([
        "day": day.number, "people": isKnown ? facts.activeUsers : nil,
        "blocked_people": isKnown ? facts.blockedUsers : nil,
        "subscription_taps": isKnown ? facts.subscriptionTaps : nil,
        "new_subscribers": isKnown ? facts.newSubscribers : nil,
        "reads": relations.runs.hasRuns(before: facts.end) ? facts.reads : nil,
        "stars_1": stars[0], "stars_2": stars[1], "stars_3": stars[2], "stars_4": stars[3],
        "stars_5": stars[4],
      ])
    }
  }

  private func fill(_ prices: [Tier: String]) throws {
    let insertion = RowInsertion(database, into: "temp.tier_price")
    for (tier, text) in prices {
      let price = PriceText(text)
      try insertion.add([
        "tier": tier.rawValue, "price": text, "amount": price?.amount,
        "currency": price?.knownCurrency, "sign": price?.knownCurrency.flatMap(Money.sign),
        "term": price?.term?.rawValue,
        "monthly": price?.monthly,
      ])
    }
  }

  private func fill(_ settings: Settings) throws {
    let insertion = RowInsertion(database, into: "temp.setting_in_force")
    for setting in settings.all {
      try insertion.add([
        "key": setting.key.rawValue, "value": setting.value, "source": setting.source.rawValue,
      ])
    }
  }

  private func fill(_ data: RunsData, of context: ReportContext) throws {
    let insertion = RowInsertion(database, into: "temp.run")
    let runs = data.runs.filter { $0.startedAt >= context.start && $0.startedAt < context.end }
    let listed = Dictionary(ListedRun.folding(runs).map { ($0.run.id, $0.count) }) { $1 }
    for run in runs {
      let seconds = run.endedAt.map { ($0 - run.startedAt).fractionalSeconds }
      try insertion.add([
        "id": run.id, "job": run.job, "trigger": run.trigger.rawValue,
        "started_at": run.startedAt.microseconds,
        "seconds": seconds.map { ($0 * 1_000).rounded() / 1_000 },
        "outcome": run.outcome.rawValue, "fetched": run.counts.fetched,
        "skipped": run.counts.skippedTotal, "reads": run.counts.billedReads,
        "bytes": run.counts.bytes, "cost": data.cost(of: run), "currency": data.price.currency,
        "line_runs": listed[run.id],
      ])
    }
  }

  private func fillUsage(_ relations: ReportRelations, for needs: RelationNeeds) throws {
    let hours = RowInsertion(database, into: "temp.usage_hour")
    let days = RowInsertion(database, into: "temp.usage_day")
    try relations.forEachUsage(for: needs) { key, totals in
      let row: RowInsertion.Row = [
        "day": key.day, "feature": key.feature.rawValue,
        "segment": key.userType?.rawValue, "platform": key.platform,
        "in_period": key.sides.inPeriod, "in_whole": key.sides.inWhole,
        "in_before": key.sides.inBefore, "taps": totals.taps, "free_taps": totals.freeTaps,
        "performed": totals.performed, "blocked": totals.blocked,
        "free_blocked": totals.freeBlocked, "free_blocked_in_wait": totals.freeBlockedInWait,
        "popups": totals.popups, "dismissed": totals.dismissed, "bypassed": totals.bypassed,
        "subscription_taps": totals.subscriptionTaps,
      ]
      guard let hour = key.hour else { return try days.add(row) }
      try hours.add(row.with("hour", hour))
    }
  }

  /// Copies the relations, and the views of the database, into tables of `file`, an empty database,
  /// in which queries of a report then run as they are.
  ///
  /// Every column has a declared type there. Nothing is durable before the caller flushes the file,
  /// and a failure leaves it unusable.
  ///
  /// - Returns: the rows of all tables.
  /// - Throws: `StoreError` that names `destination`.
  package func copyRelations(toDatabase file: String, named destination: String) throws -> Int {
    try (RelationTables.names + RelationTables.views).reduce(0) { count, name in
      try count
        + exportQuery("SELECT * FROM \"\(name)\"")
        .copyRows(
          toDatabase: file, table: name, key: RelationTables.keys[name],
          types: RelationTables.computedTypes(of: name), named: destination)
    }
  }
}
