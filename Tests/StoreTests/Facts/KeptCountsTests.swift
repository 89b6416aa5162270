import Fixtures
import GRDB
import Model
import StoreTesting
import Testing

@testable import Store

@Suite("Kept counts")
struct KeptCountsTests {
  private let folder: TemporaryStore
  private let store: Store

  init() throws {
    (folder, store) = try TemporaryStore.opened()
  }

  /// What a report reads of the ledger, comparable; people by their ids, not by their numbers.
  private struct Reading: Equatable {
    var rows: [String: [String]] = [:]
    var values: [String: String] = [:]
    var parts: [AppDimension: AppDimension.Days] = [:]
    /// Without offers and filters, which are known from counts alone.
    var shares = ShareCounts()
    var otherPlatforms: [String: Int] = [:]
    var usesCounts = false
  }

  private static let relations = [
    "usage_hour": "SELECT * FROM usage_hour", "newest_day": "SELECT * FROM newest_day",
    "person": """
    SELECT user_id, first_day, account_day, in_period, is_active, saw_popup, was_blocked, tapped,
      tapped_after_block, subscribed_after_tap, stage, stage_in_whole, stage_in_before,
      is_new_subscriber, first_tap, second_tap, first_block, taps, free_taps, performed, free_blocked, country, platform, is_sampled,
      subscribed_at, newest_segment, first_at, new_until, free_from, came_through_limit,
      app_version
    FROM person
    """,
    "person_day": "SELECT user_id, day, is_free FROM person_day JOIN person USING (person)",
    "use_day": "SELECT * FROM use_day",
    "offer": "SELECT user_id, offer.* FROM offer JOIN person USING (person)",
    "price_shown": "SELECT user_id, price_shown.* FROM price_shown JOIN person USING (person)",
    "price_day": "SELECT user_id, price_day.* FROM price_day JOIN person USING (person)",
    "subscription_tap": """
    SELECT user_id, subscription_tap.* FROM subscription_tap JOIN person USING (person)
    """,
    "block": "SELECT user_id, block.* FROM block JOIN person USING (person)",
    "attempt": "SELECT user_id, attempt.* FROM attempt JOIN person USING (person)",
    "filter_use": "SELECT user_id, filter_use.* FROM filter_use JOIN person USING (person)",
    "popup": "SELECT user_id, popup.* FROM popup LEFT JOIN person USING (person)",
    "single_event": "SELECT * FROM single_event",
  ]

  private func reading(
    _ context: ReportContext, _ changes: [SettingChange], oneIn: Int?, usesCounts: Bool
  ) throws -> Reading {
    try store.read { reader in
      try reader.withRelations {
        let facts = try reader.dayFacts(RandomLedger.days, at: context.now, on: context.platform)
        let pass = try reader.ledgerPass(
          context, days: facts, changes: changes, oneIn: oneIn, usesCounts: usesCounts)
        let usage = try reader.usageData(pass)
        try reader.fill(ReportRelations(context, usage, runs: .none), of: pass)
        let people = try reader.peopleReading(pass)
        var reading = Reading(parts: usage.parts, shares: usage.shares)
        reading.shares.offers = [:]
        (reading.shares.filters, reading.shares.filtersWithoutResult) = ([], [])
        reading.otherPlatforms = try reader.otherPlatforms(pass, context)
        reading.usesCounts =
          try reader.count("SELECT count(*) FROM temp.sqlite_master WHERE name = 'counted_day'") > 0
        reading.values = [
          "hours": "\(Self.hours(of: usage.buckets))", "days": "\(usage.history.days)",
          "active": "\(usage.activeUsers) \(usage.previousActiveUsers)",
          "compared": "\(usage.comparedActiveUsers ?? -1) \(usage.hasUnnamedUsers)",
          "people": "\(people)",
        ]
        for (name, sql) in Self.relations {
          reading.rows[name] = try Row.fetchAll(reader.database, sql: sql).map { row in
            row.filter { $0.0 != "person" }.map { "\($0.0)=\($0.1)" }.joined(separator: " ")
          }.sorted()
        }
        return reading
      }
    }
  }

  /// The buckets by the hour: kept ones are hours, those of events are quarters.
  private static func hours(of buckets: [UsageData.Bucket]) -> [String] {
    var counts: [UsageData.Bucket: Int] = [:]
    for var bucket in buckets {
      let count = bucket.count
      bucket.startsAtSeconds -= bucket.startsAtSeconds % 3_600
      bucket.count = 0
      counts[bucket, default: 0] += count
    }
    return counts.map { "\($0)" }.sorted()
  }

  /// Compares the lines that came by import with those of all events, by random bounds.
  private func expectEqualLines(_ random: inout SeededGenerator, comment: String) throws {
    let days = RandomLedger.days
    var bounds = (0..<random.integer(2...6)).map { _ in
      days[random.integer(0...49)].lowerBound.microseconds
        + Int64(random.integer(0...86_399_999_999))
    }
    bounds += stride(
      from: days[20].lowerBound.microseconds, to: days[22].upperBound.microseconds,
      by: 1_800_000_000 * random.integer(1...5))
    bounds.sort()
    let found = try store.read { try ImportLines($0).counts(between: bounds) }
    let counted = try store.read {
      try ImportLines($0, readsKept: false).counts(between: bounds)
    }
    #expect(found == counted, "\(comment): lines")
  }

  private func expectEqual(
    _ context: ReportContext, _ changes: [SettingChange] = [], oneIn: Int? = nil, comment: String
  ) throws -> Bool {
    let counted = try reading(context, changes, oneIn: oneIn, usesCounts: true)
    var passed = try reading(context, changes, oneIn: oneIn, usesCounts: false)
    passed.usesCounts = counted.usesCounts
    for (name, rows) in passed.rows where counted.rows[name] != rows {
      let found = counted.rows[name, default: []]
      let missing = rows.filter { !found.contains($0) }.prefix(3)
      let extra = found.filter { !rows.contains($0) }.prefix(3)
      Issue.record("\(comment): \(name) lacks \(missing), has \(extra)")
    }
    for (name, value) in passed.values {
      #expect(counted.values[name] == value, "\(comment): \(name)")
    }
    #expect(counted.parts == passed.parts, "\(comment)")
    #expect(counted.shares == passed.shares, "\(comment)")
    #expect(counted.otherPlatforms == passed.otherPlatforms, "\(comment)")
    return counted.usesCounts
  }

  private func context(_ random: inout SeededGenerator, _ ledger: inout RandomLedger)
    -> ReportContext
  {
    let days = RandomLedger.days
    let now = ledger.instant()
    let start = random.flip() ? days[random.integer(41...48)].lowerBound : ledger.instant()
    let end = random.flip() ? now : max(start, ledger.instant())
    var context = ReportContext(
      appName: "ChatHub", now: max(now, start + .seconds(1)), timeZone: "UTC", start: start,
      end: max(end, start + .seconds(1)))
    context.platform = random.integer(0...3) == 0 ? nil : "ios"
    return context
  }

  @Test(arguments: FuzzCases.seeds(40, orMany: 1_000))
  func `after any changes the counts of days are those of a pass over all events`(
    seed: UInt64
  ) throws {
    var ledger = RandomLedger(store, seed: seed)
    var random = SeededGenerator(seed: seed &* 7_919)
    var bounds = SeededGenerator(seed: seed &* 104_729)
    for step in 0..<random.integer(2...8) {
      try ledger.change()
      if random.flip() { try ledger.keep() }
      let context = context(&random, &ledger)
      let changes = (0..<random.integer(0...2)).map { _ in
        SettingChange(
          wireName: "freeRefreshLimit", source: .appSettings, oldValue: "2", newValue: "3",
          changedAt: ledger.instant())
      }
      _ = try expectEqual(
        context, changes, oneIn: random.flip() ? 2 : nil, comment: "seed \(seed), step \(step)")
      try expectEqualLines(&bounds, comment: "seed \(seed), step \(step)")
    }
    try ledger.keep(on: "ios")
    var context = context(&random, &ledger)
    context.platform = "ios"
    #expect(try expectEqual(context, comment: "seed \(seed), at the end"), "counts were not used")
  }

  /// The rows of a relation, of these events and a period from day 45 on; what counts and a pass
  /// say of them is the same.
  private func rows(
    of relation: String, _ events: [(kind: EventKind, at: Instant)],
    until end: Instant = RandomLedger.days[47].lowerBound, price: String? = nil
  ) throws -> [String] {
    var parameters: [String: EventValue] = ["ios_user_type": .string("free_user")]
    parameters["ios_subscription_price_displayed"] = price.map { .string($0) }
    let events = events.map { kind, at in
      Event(
        name: FeatureEventName(platform: "ios", feature: .refresh, kind: kind).text, at: at,
        userId: "ada", parameters: parameters)
    }
    _ = try store.write { try $0.append(events, source: "test") }
    try store.keepCounts(of: RandomLedger.days, in: "UTC", on: nil)
    let days = RandomLedger.days
    let context = ReportContext(
      appName: "ChatHub", now: days[47].lowerBound, timeZone: "UTC", start: days[45].lowerBound,
      end: end)
    #expect(try expectEqual(context, comment: relation), "counts were not used")
    return try reading(context, [], oneIn: nil, usesCounts: true).rows[relation, default: []]
  }

  @Test func `prices of popups are those of the period, and one at midnight is of its new day`()
    throws
  {
    let (start, midnight) = (RandomLedger.days[45].lowerBound, RandomLedger.days[46].lowerBound)
    let found = try rows(
      of: "price_day",
      [
        (.popupShown, start - .microseconds(1)), (.popupShown, start),
        (.subscriptionButtonTapped, midnight - .microseconds(1)),
        (.subscriptionButtonTapped, midnight),
      ], price: "$2.99")
    let places = [(start, 0), (start, 1), (midnight, 1)]
    #expect(found.count == places.count, "\(found)")
    for (day, isTap) in places {
      #expect(
        found.contains { $0.contains("start=\(day.microseconds) is_tap=\(isTap) ") }, "\(found)")
    }
  }

  private static let noon = RandomLedger.days[45].lowerBound + .seconds(43_200)

  @Test func `a return at the instant of a block leaves it waiting for the next`() throws {
    let block = Self.noon + .seconds(60)
    let found = try rows(
      of: "attempt",
      [
        (.performed, Self.noon), (.blockedCooldown, block), (.performed, block),
        (.buttonTapped, block + .seconds(1_800)), (.buttonTapped, block + .seconds(3_600)),
      ])
    #expect(found.count == 3, "\(found)")
  }

  @Test(arguments: [(1_799, 3), (1_800, 4)])
  func `the first tap of a day is a return after half an hour, whose midnight it may be`(
    pause: Int, told: Int
  ) throws {
    let midnight = RandomLedger.days[46].lowerBound
    let last = midnight - .seconds(600)
    let found = try rows(
      of: "attempt",
      [
        (.performed, last), (.buttonTapped, last + .seconds(pause)),
        (.performed, last + .seconds(pause + 60)), (.performed, last + .seconds(pause + 120)),
      ])
    #expect(found.count == told, "\(found)")
  }

  @Test(arguments: [(-1, true), (0, false)])
  func `a popup that ends when the period does has no end in it`(
    offset: Int, hasEnd: Bool
  ) throws {
    // Noon: the day is cut.
    let end = Self.noon
    let found = try rows(
      of: "popup",
      [
        (.popupShown, end - .seconds(60)),
        (.subscriptionButtonTapped, end + .microseconds(Int64(offset))),
      ], until: end)
    #expect(found.count == 1)
    #expect(found[0].contains("ending=NULL") == !hasEnd, "\(found)")
  }

  @Test(arguments: [(1_799, true), (1_800, false)])
  func `a success ends a popup of the day before within half an hour`(
    seconds: Int, isEnd: Bool
  ) throws {
    let shown = RandomLedger.days[46].lowerBound - .seconds(60)
    let found = try rows(
      of: "popup", [(.popupShown, shown), (.performed, shown + .seconds(seconds))])
    #expect(found.count == 1)
    #expect(found[0].contains("ending=\"action\"") == isEnd, "\(found)")
  }

  @Test func `the hours of a week ago are compared up to a quarter within one`() throws {
    let days = RandomLedger.days
    let events = [days[39], days[46]].flatMap { day in
      [33_000, 34_800].map { second in
        Event(
          name: "ios_refresh_button_tapped", at: day.lowerBound + .seconds(second), userId: "ada")
      }
    }
    _ = try store.write { try $0.append(events, source: "test") }
    try store.keepCounts(of: days, in: "UTC", on: nil)
    let now = days[46].lowerBound + .seconds(42_600)
    var context = ReportContext(
      appName: "ChatHub", now: now, timeZone: "UTC", start: days[46].lowerBound, end: now)
    context.newestLine = days[46].lowerBound + .seconds(33_600)
    #expect(try expectEqual(context, comment: "today"), "counts were not used")
    let rows = try reading(context, [], oneIn: nil, usesCounts: true)
      .rows["usage_hour", default: []]
    #expect(rows.count { $0.contains("in_before=1") && $0.contains(" taps=1 ") } == 1, "\(rows)")
  }

  @Test(arguments: [(25, false), (26, true)])
  func `counts are used once more days are kept than are not`(kept: Int, areUsed: Bool) throws {
    try store.keepCounts(of: Array(RandomLedger.days.prefix(kept)), in: "UTC", on: nil)
    let days = RandomLedger.days
    let context = ReportContext(
      appName: "ChatHub", now: days[49].lowerBound, timeZone: "UTC", start: days[45].lowerBound,
      end: days[47].lowerBound)
    let reading = try reading(context, [], oneIn: nil, usesCounts: true)
    #expect(reading.usesCounts == areUsed)
  }
}
