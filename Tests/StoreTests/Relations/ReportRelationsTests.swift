import Fixtures
import GRDB
import Model
import Reports
import StoreTesting
import Testing

@testable import Store

@Suite struct ReportRelationsTests {
  let folder: TemporaryStore
  let store: Store

  /// One day from `morning`, a Saturday, which is over and compared with the same day a week
  /// before.
  let context = ReportContext(
    appName: "ChatHub", now: .morning + .seconds(3 * 86_400), timeZone: "UTC", start: .morning,
    end: .morning + .seconds(86_400))

  init() throws {
    (folder, store) = try TemporaryStore.opened()
  }

  private func event(
    _ kind: EventKind, _ user: String = "u1", at offset: Double, type: UserType? = .freeUser,
    feature: Feature = .refresh
  ) -> Event {
    Event(
      name: FeatureEventName(platform: "ios", feature: feature, kind: kind).text,
      at: .morning + .microseconds(Int64(offset * 1_000_000)), userId: user,
      parameters: type.map { ["ios_user_type": .string($0.rawValue)] } ?? [:])
  }

  /// The rows of a query on the relations, each as its values between commas.
  private func rows(
    _ sql: String, of events: [Event], _ context: ReportContext? = nil
  ) throws -> [String] {
    try store.write { _ = try $0.append(events, source: "test") }
    let context = context ?? self.context
    return try store.read { reader in
      let days = [-8, -7, -1, 0, 1, 2, 3].map { context.start + .seconds($0 * 86_400) }
      return try reader.withRelations {
        let facts = try reader.dayFacts(
          days.map { $0..<$0 + .seconds(86_400) }, at: context.now)
        let pass = try reader.ledgerPass(context, days: facts, changes: [])
        let data = try reader.usageData(pass)
        try reader.fill(ReportRelations(context, data, runs: .none), of: pass)
        return try Row.fetchAll(reader.database, sql: sql).map { row in
          row.databaseValues.map { $0.isNull ? "NULL" : "\($0)" }.joined(separator: ",")
        }
      }
    }
  }

  @Test func `the program's own view is read, also where a job's table has its name`() throws {
    try store.write { writer in
      try writer.database.execute(
        sql: "DROP VIEW v_users; CREATE TABLE v_users (a); INSERT INTO v_users VALUES (1)")
    }
    let found = try rows("SELECT count(*), count(user_name) FROM v_users", of: [])
    #expect(found == ["0,0"])
    #expect(try store.read { try Int.fetchAll($0.database, sql: "SELECT a FROM v_users") } == [1])
  }

  @Test(arguments: [
    (-604_800.000001, "0,0,0"), (-604_800, "0,0,1"), (-518_400.000001, "0,0,1"),
    (-518_400, "0,0,0"), (-0.000001, "0,0,0"), (0, "1,1,0"), (86_399.999999, "1,1,0"),
    (86_400, "0,0,0"),
  ])
  func `usage says on which side of the report it lies`(offset: Double, sides: String) throws {
    let found = try rows(
      "SELECT in_period, in_whole, in_before FROM usage_day",
      of: [event(.buttonTapped, at: offset)])
    #expect(found == [sides])
  }

  @Test func `an end that cuts a quarter counts the events before it alone`() throws {
    var context = context
    context.end = .morning + .seconds(1_000)
    context.now = context.end
    let found = try rows(
      "SELECT in_period, sum(taps) FROM usage_hour GROUP BY in_period ORDER BY 1",
      of: [
        event(.buttonTapped, at: 950), event(.buttonTapped, at: 999.999999),
        event(.buttonTapped, at: 1_000), event(.buttonTapped, at: 1_001),
        event(.buttonTapped, at: 1_002),
      ], context)
    #expect(found == ["0,3", "1,2"])
  }

  @Test(arguments: [(-0.000001, false), (0, true), (86_399.999999, true), (86_400, false)])
  func `queries find the closed and priced popups and the resets of the period, also of nobody`(
    offset: Double, isFound: Bool
  ) throws {
    let found = try rows(
      """
      SELECT single_event.kind, single_event.feature, at FROM single_event JOIN v_events USING (id)
      ORDER BY 1
      """,
      of: EventKind.allCases.map { event($0, "", at: offset) })
    let at = (Instant.morning + .microseconds(Int64(offset * 1_000_000))).microseconds
    #expect(
      found
        == (isFound ? ["clock_skew", "limit_reset", "popup_dismissed", "pricing_displayed"] : [])
        .map {
          "\"\($0)\",\"refresh\",\(at)"
        })
  }

  @Test func `usage is summed by day, hour, feature and segment`() throws {
    let found = try rows(
      """
      SELECT date, hour, feature, segment, taps, free_taps, performed, blocked, free_blocked, popups,
        dismissed, bypassed, subscription_taps FROM usage_hour JOIN day USING (day) ORDER BY 1, 2, 3, 4
      """,
      of: [
        event(.buttonTapped, at: 1), event(.buttonTapped, at: 3_599, type: .liteSubscriber),
        event(.blockedCooldown, at: 3_600), event(.blockedLimitReached, at: 3_601, type: .newUser),
        event(.performed, at: 3_602), event(.popupShown, at: 3_603, feature: .search),
        event(.popupDismissed, at: 3_604, type: nil, feature: .search),
        event(.subscriptionButtonTapped, at: 3_605),
        event(.newUserBypass, at: 3_606, type: .newUser),
      ])
    let day = LocalDay(of: .morning, in: "UTC").text
    let hour = (Instant.morning.unixSeconds % 86_400) / 3_600
    #expect(
      found
        == [
          "\(day),\(hour),\"refresh\",\"free_user\",1,1,0,0,0,0,0,0,0",
          "\(day),\(hour),\"refresh\",\"lite_subscriber\",1,0,0,0,0,0,0,0,0",
          "\(day),\(hour + 1),\"refresh\",\"free_user\",0,0,1,1,1,0,0,0,1",
          "\(day),\(hour + 1),\"refresh\",\"new_user\",0,0,0,1,0,0,0,1,0",
          "\(day),\(hour + 1),\"search\",NULL,0,0,0,0,0,0,1,0,0",
          "\(day),\(hour + 1),\"search\",\"free_user\",0,0,0,0,0,1,0,0,0",
        ].map { $0.replacing("\(day),", with: "\"\(day)\",") })
  }

  @Test func `hours are those of the clock, and the one that comes twice is one`() throws {
    // 25 October 2026: at 03:00 in Berlin the clocks went back to 02:00.
    guard let night = Instant(iso8601: "2026-10-24T22:00:00Z") else { return }
    let context = ReportContext(
      appName: "ChatHub", now: night + .seconds(3 * 86_400), timeZone: "Europe/Berlin",
      start: night, end: night + .seconds(25 * 3_600))
    let offset = (night - .morning).fractionalSeconds
    let found = try rows(
      "SELECT date, hour, taps FROM usage_hour JOIN day USING (day) ORDER BY 2",
      of: [
        event(.buttonTapped, at: offset), event(.buttonTapped, at: offset + 2.5 * 3_600),
        event(.buttonTapped, at: offset + 3.5 * 3_600),
        event(.buttonTapped, at: offset + 4 * 3_600),
      ], context)
    #expect(
      found == ["\"2026-10-25\",0,1", "\"2026-10-25\",2,2", "\"2026-10-25\",3,1"])
  }

  @Test func `days follow each other and say what the ledger knows of them`() throws {
    let found = try rows(
      """
      SELECT count(*), min(day), max(day) + 1 - count(*), sum(in_period), sum(in_whole),
        sum(in_before), sum("end" = lead) FROM (
          SELECT *, lead(start) OVER (ORDER BY day) AS lead FROM day)
      """, of: [])
    let parts = found[0].split(separator: ",")
    #expect(parts[1...2] == ["0", "0"])
    // A period that begins within a day touches two.
    let touched = Instant.morning.unixSeconds % 86_400 == 0 ? "1" : "2"
    #expect(parts[3...5] == [touched[...], touched[...], touched[...]])
    #expect(Int(parts[6]) == (Int(parts[0]) ?? 0) - 1)
  }

  @Test func `a day names the first of the whole days in a row that end with it`() throws {
    let end = Instant(unixSeconds: 1_772_409_600)
    let context = ReportContext(
      appName: "ChatHub", now: end, timeZone: "UTC", start: end - .seconds(86_400), end: end)
    let coverages: [DayFacts.Coverage] = [
      .whole, .whole, .partial, .whole, .none, .whole, .awaited, .whole, .whole, .whole,
    ]
    var data = try store.read { reader in
      try reader.withRelations {
        try reader.usageData(try reader.ledgerPass(context, days: [], changes: []))
      }
    }
    // The last day begins as the period ends.
    data.history.days = coverages.enumerated().map { place, coverage in
      let start = end + .seconds((place - 9) * 86_400)
      return DayFacts(start: start, end: start + .seconds(86_400), coverage: coverage)
    }
    let days = ReportRelations(context, data, runs: .none).days.suffix(coverages.count)
    let first = try #require(days.first).number
    #expect(
      days.map { $0.wholeFrom.map { $0 - first } }.suffix(8)
        == [nil, 3, nil, 5, nil, 7, 7, nil])
  }

  @Test func `a person is one row, with what happened in the period and when they came`() throws {
    let found = try rows(
      """
      SELECT user_id, first_day IS NULL AS earlier, in_period, is_active, saw_popup, was_blocked,
        tapped, tapped_after_block, subscribed_after_tap, is_new_subscriber, taps, free_taps,
        performed, free_blocked, (SELECT count(*) FROM person_day AS d WHERE d.person = p.person)
      FROM person AS p ORDER BY user_id
      """,
      of: [
        event(.buttonTapped, "a", at: 0), event(.popupShown, "a", at: 1),
        event(.blockedLimitReached, "a", at: 2), event(.subscriptionButtonTapped, "a", at: 3),
        event(.performed, "a", at: 4, type: .liteSubscriber),
        event(.buttonTapped, "b", at: -86_400), event(.performed, "b", at: 86_400),
      ])
    #expect(found == ["\"a\",0,1,1,1,1,1,1,1,1,1,1,1,1,1", "\"b\",0,0,0,0,0,0,0,0,0,0,0,0,0,1"])
  }

  @Test func `who was seen only before the days that are followed is no row`() throws {
    // Of 150 days people are followed through the period alone, and the 150 before are counted.
    let context = ReportContext(
      appName: "ChatHub", now: .morning, timeZone: "UTC", start: .morning - .seconds(150 * 86_400),
      end: .morning)
    let events = [
      event(.buttonTapped, "before", at: -200 * 86_400), event(.buttonTapped, "in", at: -86_400),
      event(.performed, "first", at: -149 * 86_400),
    ]
    let found = try rows(
      "SELECT user_id, first_day IS NULL FROM person ORDER BY 1", of: events, context)
    #expect(found == ["\"first\",1", "\"in\",0"])
    let activity = try store.read { try $0.peopleReading(context, changes: []) }.activity
    #expect(activity.people == 2)
  }

  @Test func `offers and filters are rows with what their parameters say`() throws {
    func detailed(_ kind: EventKind, _ feature: Feature, _ parameters: [String: EventValue])
      -> Event
    {
      var all = Dictionary(uniqueKeysWithValues: parameters.map { ("ios_" + $0.key, $0.value) })
      all["ios_user_type"] = .string("free_user")
      return Event(
        name: FeatureEventName(platform: "ios", feature: feature, kind: kind).text, at: .morning,
        userId: "u", parameters: all, country: "Kenya")
    }
    let events = [
      detailed(.popupShown, .refresh, ["usage_limit": .integer(3), "current_usage": .integer(1)]),
      detailed(
        .subscriptionButtonTapped, .search,
        ["usage_limit": .integer(2), "current_usage": .integer(5)]),
      detailed(.popupShown, .refresh, ["usage_limit": .integer(0), "current_usage": .integer(0)]),
      detailed(
        .buttonTapped, .filter,
        [
          "filter_criteria": .string("gender Female, age 20-30"),
          "filter_gender": .string("Female"),
        ]),
      detailed(
        .performed, .filter,
        ["filter_criteria": .string("nearby"), "filter_result_count": .integer(0)]),
    ]
    #expect(
      try rows(
        "SELECT feature, usage_limit, uses_left, is_tap FROM offer ORDER BY feature", of: events)
        == ["\"refresh\",3,2,0", "\"search\",2,0,1"])
    #expect(
      try rows(
        "SELECT is_tap, segment, criteria, gender, country, results FROM filter_use ORDER BY 1",
        of: [])
        == [
          "0,\"free_user\",\"nearby\",NULL,NULL,0",
          "1,\"free_user\",\"gender age\",\"Female\",NULL,NULL",
        ])
    #expect(try rows("SELECT country, is_sampled FROM person", of: []) == ["\"Kenya\",1"])
  }

  @Test(arguments: ShippedSections.all.map(\.name))
  func `a shipped query reads nothing but what the file of the relations has`(name: String) throws {
    let path = folder.path + ".relations"
    _ = try store.read { reader in
      try reader.withRelations {
        let pass = try reader.ledgerPass(context, days: [], changes: [])
        let relations = ReportRelations(context, try reader.usageData(pass), runs: .none)
        try reader.fill(relations, of: pass)
        return try reader.copyRelations(toDatabase: path, named: path)
      }
    }
    let file = try #require(ShippedSections.all.first { $0.name == name })
    try DatabaseQueue(path: path).read {
      _ = try $0.makeStatement(sql: file.sql)
      let keys = try String.fetchSet($0, sql: "SELECT name FROM sqlite_schema WHERE type = 'index'")
      #expect(
        keys == [
          "attempt_key", "block_key", "day_key", "payment_key", "person_day_key", "person_key",
          "popup_key", "single_event_key", "subscription_tap_key",
        ])
    }
  }

  @Test func `attempts are first uses of days, and first returns after these and after blocks`()
    throws
  {
    let midnight = -28_800.0
    let uses = [-100, -90, -80, -0.000001, 0, 1, 2, 3.5, 4]
    let found = try rows(
      "SELECT at - day.start, is_use FROM attempt, day WHERE date = '2026-01-31' ORDER BY at",
      of: uses.map { event(.performed, at: midnight + $0) } + [
        // At the instant of the day's first use; a block soon after an attempt is no return.
        event(.performed, at: midnight, feature: .search),
        event(.blockedLimitReached, at: midnight + 3),
        event(.performed, "subscriber", at: midnight + 5, type: .liteSubscriber),
      ])
    #expect(
      found == ["-100000000,1", "-90000000,1", "0,1", "0,1", "1000000,1", "3500000,1"])
  }

  @Test func `the relations go, and the connection writes as before`() throws {
    _ = try rows("SELECT 1", of: [event(.buttonTapped, at: 1)])
    let left = try store.read {
      try Int.fetchOne($0.database, sql: "SELECT count(*) FROM temp.sqlite_master")
    }
    #expect(left == 0)
    #expect(throws: (any Error).self) {
      try store.read { try $0.database.execute(sql: "DELETE FROM events") }
    }
    try store.write { _ = try $0.append([event(.performed, at: 9)], source: "test") }
  }

  @Test func `a failure within the relations leaves none behind`() throws {
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try store.read { reader in try reader.withRelations { throw Stop() } }
    }
    let left = try store.read {
      try Int.fetchOne($0.database, sql: "SELECT count(*) FROM temp.sqlite_master")
    }
    #expect(left == 0)
  }
}
