import Fixtures
import Model
import StoreTesting
import Testing

@testable import Store

/// The tables of usage and ratings, counted by their queries on a small ledger.
@Suite struct UsageSectionTests {
  let folder: TemporaryStore
  let store: Store

  /// The two whole days from Monday, 2 March 2026, compared with the two of the week before.
  static let start = Instant(unixSeconds: 1_772_409_600)
  let context = ReportContext(
    appName: "ChatHub", now: start + .seconds(3 * 86_400), timeZone: "UTC", start: start,
    end: start + .seconds(2 * 86_400))

  init() throws {
    (folder, store) = try TemporaryStore.opened()
  }

  private func event(
    _ kind: EventKind, _ hours: Double, _ type: UserType? = .freeUser, _ feature: Feature = .refresh
  ) -> Event {
    Event(
      name: FeatureEventName(platform: "ios", feature: feature, kind: kind).text,
      at: Self.start + .microseconds(Int64(hours * 3_600_000_000)), userId: "u",
      parameters: type.map { ["ios_user_type": .string($0.rawValue)] } ?? [:])
  }

  func rows(
    of name: String, _ columns: String, _ events: [Event], days: [DayFacts] = [],
    unknown: [Instant] = [], awaited: Instant? = nil
  ) throws -> [String] {
    try store.write { _ = try $0.append(events, source: "test") }
    var context = context
    context.unknownDays = unknown
    if let awaited { (context.now, context.awaitedToday) = (awaited + .seconds(43_200), awaited) }
    return try store.rows(of: name, columns, context, days: days)
  }

  private static let features = [(1.0, UserType.freeUser), (25, .freeUser), (26, .liteSubscriber)]

  private var usage: [Event] {
    Self.features.map { event(.buttonTapped, $0.0, $0.1) } + [
      event(.performed, 26.5, .liteSubscriber), event(.blockedCooldown, 25.5),
      event(.blockedLimitReached, 27, .newUser), event(.popupShown, 25.4),
      event(.popupDismissed, 25.6), event(.liteSubscriberBypass, 26.4, .liteSubscriber),
      event(.buttonTapped, 2, nil, .search), event(.buttonTapped, -167, .freeUser),
      event(.buttonTapped, -120, .freeUser), event(.buttonTapped, -168.01, .freeUser),
      event(.buttonTapped, 48, .freeUser),
    ]
  }

  @Test func `attempts by feature are those of the period, beside the same weekdays before`() throws
  {
    #expect(
      try rows(
        of: "usage/by-feature",
        "feature, taps, change_now, change_previous, blocked_part, blocked_whole, taps_by_day",
        usage)
        == ["refresh|3|3|1|1|2|[1,2]", "search|1|1|0|0|1|[1,0]"])
  }

  @Test func `of today before its export 0 is no count, and courses end before it`() throws {
    let today = Self.start + .seconds(86_400)
    #expect(
      try rows(of: "usage/by-feature", "feature, taps, taps_by_day", usage, awaited: today)
        == ["refresh|3|[1,null]", "search|1|[1,null]"])
    #expect(
      try rows(
        of: "usage/by-day", "day, taps, performed, popups, is_gap", [], awaited: today
      ).last == "2026-03-03|2|1|1|1")
    // More were blocked than tapped.
    let columns = "bypassed, dismissed, other, not_blocked"
    #expect(try rows(of: "usage/by-day", columns, [], awaited: today).last == "1|1|-1|-")
  }

  @Test func `a day that is over keeps its 0s while its export is awaited`() throws {
    let days = [
      DayFacts(start: Self.start, end: Self.start + .seconds(86_400), coverage: .awaited)
    ]
    #expect(
      try rows(of: "usage/by-feature", "feature, taps_by_day", usage, days: days)
        == ["refresh|[1,2]", "search|[1,0]"])
    #expect(
      try rows(of: "usage/by-day", "day, taps, performed, is_gap", [], days: days).first
        == "2026-03-02|2|0|1")
  }

  @Test func `each number of a feature has its change`() throws {
    let found = try rows(
      of: "usage/changes", "feature, what, count, change_now, change_previous", usage)
    #expect(
      found.prefix(7) == [
        "refresh|Taps|3|3|1", "refresh|Performed|1|1|0", "refresh|Blocked|2|2|0",
        "refresh|Other|0|0|1", "refresh|Popups|1|1|0", "refresh|Dismissed|1|1|0",
        "refresh|Bypassed|1|1|0",
      ])
    #expect(found.count == 14)
  }

  @Test func `segments come in their order and add up to the line under them`() throws {
    #expect(
      try rows(
        of: "usage/by-segment",
        "feature, segment, taps, performed, blocked, other, popups, bypassed, is_total", usage)
        == [
          "refresh|lite_subscriber|1|1|0|0|0|1|0", "refresh|new_user|0|0|1|-1|0|0|0",
          "refresh|free_user|2|0|1|1|1|0|0", "refresh|all|3|1|2|0|1|1|1",
          "search|-|1|0|0|1|0|0|0", "search|all|1|0|0|1|0|0|1",
        ])
  }

  @Test func `a feature of the days before alone has a line of zeros`() throws {
    #expect(
      try rows(
        of: "usage/by-segment", "feature, segment, taps",
        [event(.buttonTapped, -167, .freeUser, .filter)]) == ["filter|all|0"])
  }

  @Test func `every day, feature and segment has a row, the newest day first`() throws {
    #expect(
      try rows(
        of: "usage/by-feature-segment-day",
        "day, feature, segment, taps, performed, blocked, other, popups", usage)
        == [
          "2026-03-03|refresh|lite_subscriber|1|1|0|0|0", "2026-03-03|refresh|new_user|0|0|1|-1|0",
          "2026-03-03|refresh|free_user|1|0|1|0|1", "2026-03-02|refresh|free_user|1|0|0|1|0",
          "2026-03-02|search|-|1|0|0|1|0",
        ])
  }

  @Test func `a day without events is 0, and one of which nothing is known is nothing`() throws {
    let events = [event(.buttonTapped, -200), event(.buttonTapped, 25)]
    let columns = "day, taps, performed, other, not_blocked, is_gap"
    #expect(
      try rows(of: "usage/by-day", columns, events)
        == ["2026-03-02|0|0|0|0|0", "2026-03-03|1|0|1|1|0"])
    let lost = DayFacts(start: Self.start, end: Self.start + .seconds(86_400), coverage: .none)
    #expect(
      try rows(of: "usage/by-day", columns, [], days: [lost], unknown: [Self.start])
        == ["2026-03-02|-|-|-|-|1", "2026-03-03|1|0|1|1|0"])
    #expect(
      try rows(
        of: "usage/by-feature", "taps_by_day", [], days: [lost], unknown: [Self.start])
        == ["[null,1]"])
  }

  @Test func `beside a day is the day as far into the period before, where it is known`() throws {
    let taps = [-168.01, -168, -144.01, -144, -120.01, -120, 0, 24].map {
      event(.buttonTapped, $0)
    }
    let others = [event(.blockedCooldown, -167), event(.performed, -167)]
    #expect(
      try rows(of: "usage/by-day", "day, before", taps + others)
        == ["2026-03-02|2", "2026-03-03|2"])
    let lost = DayFacts(
      start: Self.start - .seconds(6 * 86_400), end: Self.start - .seconds(5 * 86_400),
      coverage: .none)
    #expect(
      try rows(of: "usage/by-day", "day, before", [], days: [lost], unknown: [lost.start])
        == ["2026-03-02|2", "2026-03-03|-"])
  }

  @Test func `beside the last days of March is nothing, since February is shorter`() throws {
    let march = ReportContext(
      appName: "ChatHub", now: Self.start + .seconds(40 * 86_400), timeZone: "UTC",
      start: Self.start - .seconds(86_400), end: Self.start + .seconds(30 * 86_400))
    // On 28 February and on 1 March.
    try store.write {
      _ = try $0.append([-40, -20].map { event(.buttonTapped, $0) }, source: "test")
    }
    let days = try store.rows(of: "usage/by-day", "day, before", march, days: [])
    #expect(days.count == 31)
    #expect(days[27...29] == ["2026-03-28|1", "2026-03-29|-", "2026-03-30|-"])
  }

  @Test func `today is counted up to its last full quarter, beside the same hours a week ago`()
    throws
  {
    var context = ReportContext(
      appName: "ChatHub", now: Self.start + .seconds(43_620), timeZone: "UTC", start: Self.start,
      end: Self.start + .seconds(43_620))
    let taps = [0, 11.9, 12, -168.01, -168, -156.1, -156].map { event(.buttonTapped, $0) }
    let others = [
      event(.performed, 1), event(.blockedCooldown, 2), event(.blockedLimitReached, 3),
      event(.subscriptionButtonTapped, 4), event(.popupShown, -160),
    ]
    var unnamed = event(.buttonTapped, 5)
    unnamed.userId = ""
    try store.write { _ = try $0.append(taps + others + [unnamed], source: "test") }
    func today(of user: String? = nil) throws -> [String] {
      try store.rows(
        of: "usage/today", "what, so_far, week_before, change_now, change_previous", context,
        user: user)
    }
    let found = [
      "People active|1|1|1|1", "Taps|3|2|3|2", "Performed|1|0|1|0", "Blocked|2|0|2|0",
      "Subscription taps|1|0|1|0",
    ]
    #expect(try today() == found)
    #expect(try today(of: "u")[1] == "Taps|2|2|2|2")
    context.todayFault = .emptyLedger
    #expect(try today()[1] == "Taps|3|-|3|-")
    context.end = Self.start
    context.start = Self.start - .seconds(86_400)
    #expect(try today() == [])
  }

  @Test func `the newest days end with the newest known one, and unknown ones have no count`()
    throws
  {
    var facts = (0..<40).map { place in
      let start = Self.start + .seconds((place - 38) * 86_400)
      var day = DayFacts(start: start, end: start + .seconds(86_400))
      (day.activeUsers, day.blockedUsers, day.reads) = (place, 1, 5)
      return day
    }
    for place in [30, 31, 39] { facts[place].coverage = .none }
    facts[31].stars = [1, 0, 0, 0, 2]
    let people = try rows(of: "usage/people-by-day", "day, active, \"limit\"", [], days: facts)
    #expect(people.count == 28 && people.first == "2026-03-02|38|1")
    #expect(people.last == "2026-02-03|11|1" && people[8] == "2026-02-22|-|-")
    let stars = try rows(
      of: "ratings/by-day", "day, count, mean_total, mean_count, stars_5", [], days: facts)
    #expect(stars[19...20] == ["2026-02-22|-|-|-|-", "2026-02-23|3|11|3|2"])
    // Reads are those of the runs, whatever is known of the events.
    var runs = RunsData.none
    runs.beginsAt = facts[20].end - .microseconds(1)
    let reads = try store.rows(
      of: "runs/newest-reads", "day, reads", context, days: facts, runs: runs)
    #expect(reads.count == 28 && reads[8] == "2026-02-22|5")
    #expect(reads[18...19] == ["2026-02-12|5", "2026-02-11|-"])
    runs.beginsAt = facts[20].end
    let later = try store.rows(
      of: "runs/newest-reads", "day, reads", context, days: facts, runs: runs)
    #expect(later[17...18] == ["2026-02-13|5", "2026-02-12|-"])
    facts.removeFirst(38)
    #expect(try rows(of: "usage/people-by-day", "day", [], days: facts) == ["2026-03-02"])
    #expect(try rows(of: "usage/people-by-day", "day", [], days: [facts[1]]) == [])
  }

  @Test func `a period without events has no rows`() throws {
    for name in [
      "usage/by-day", "usage/by-feature", "usage/changes", "usage/by-segment", "usage/funnel",
      "usage/heaviest-users", "usage/time-to-block", "ratings/by-week", "ratings/by-version",
      "ratings/stars",
    ] {
      #expect(try rows(of: name, "1", []).isEmpty, "\(name)")
    }
  }

  private func rating(
    _ stars: Int, _ hours: Double, _ country: String?, _ version: String?
  ) -> Event {
    Event(
      name: "app_events", at: Self.start + .microseconds(Int64(hours * 3_600_000_000)), userId: "u",
      parameters: ["rating_ChatHub_\(stars)": .integer(1)], country: country, appVersion: version)
  }

  private var ratings: [Event] {
    [
      rating(5, 1, "Kenya", "3.2"), rating(2, 47.9, "Kenya", "3.1"), rating(4, 3, nil, "3.2"),
      rating(1, 4, "Chile", nil), rating(1, -168, "Peru", "3.0"), rating(3, -168.1, "Peru", "3.0"),
      rating(3, 48, "Peru", "3.0"),
    ]
  }

  @Test func `ratings of the period are counted by version and country, those not told last`()
    throws
  {
    let columns = "count, mean_total, mean_count, stars_5, stars_4, stars_3, stars_2, stars_1"
    #expect(
      try rows(of: "ratings/by-version", "version, \(columns)", ratings)
        == ["3.2|2|9|2|1|1|0|0|0", "3.1|1|2|1|0|0|0|1|0", "Not told|1|1|1|0|0|0|0|1"])
    #expect(
      try rows(of: "ratings/by-country", "country, \(columns)", [])
        == ["Kenya|2|7|2|1|0|0|1|0", "Chile|1|1|1|0|0|0|0|1", "Not told|1|4|1|0|1|0|0|0"])
  }

  @Test func `ratings of the period are counted by stars, also those that nobody gave`() throws {
    #expect(
      try rows(of: "ratings/stars", "stars, count, share_part, share_whole", ratings)
        == ["5|1|1|4", "4|1|1|4", "3|0|0|4", "2|1|1|4", "1|1|1|4"])
    #expect(
      Set(try rows(of: "ratings/stars", "says", [rating(3, 5, nil, nil), rating(4, 6, nil, nil)]))
        == [
          "3 of 6 ratings have four or five stars and lead to the App Store, 3 have three or fewer and "
            + "ask for feedback."
        ])
  }

  @Test(arguments: [(167.0, " so far"), (168, ""), (169, "")])
  func `the last week is told so far until its seventh day is over`(
    hours: Double, words: String
  ) throws {
    let end = Self.start + .seconds(Int64(hours * 3_600))
    let context = ReportContext(
      appName: "ChatHub", now: end, timeZone: "UTC", start: Self.start - .seconds(7 * 86_400),
      end: min(end, Self.start + .seconds(168 * 3_600)))
    let given = [rating(5, -100, nil, nil), rating(4, -99, nil, nil), rating(2, 10, nil, nil)]
    try store.write { _ = try $0.append([event(.buttonTapped, -400)] + given, source: "test") }
    #expect(
      try store.rows(of: "ratings/by-week", "says", context).last
        == "Mean stars: 2.00 of 1 rating in the last week\(words), 4.50 of 2 in the one before.")
  }

  @Test func `weeks begin on Monday and hold the period and the one before it`() throws {
    let columns = "week, count, mean_total, mean_count, stars_5, stars_1"
    #expect(
      try rows(of: "ratings/by-week", columns, ratings)
        == ["2026-02-23|1|1|1|0|1", "2026-03-02|4|12|4|1|1"])
    let unknown = (0..<7).map { Self.start - .seconds(86_400 * ($0 + 1)) }
    #expect(
      try rows(of: "ratings/by-week", columns, [], unknown: unknown).first
        == "2026-02-23|1|1|1|0|1",
      "a rating is there")
  }

  @Test func `weeks begin on Monday at midnight of the zone, and empty ones are there`() throws {
    // The clocks of Berlin go forward on 29 March.
    let context = ReportContext(
      appName: "ChatHub", now: Self.start + .seconds(40 * 86_400), timeZone: "Europe/Berlin",
      start: Self.start + .seconds(503 * 3_600), end: Self.start + .seconds(838 * 3_600))
    let given = [502.99, 503, 669.99, 670].map { rating(5, $0, nil, nil) }
    try store.write { _ = try $0.append([event(.buttonTapped, 180)] + given, source: "test") }
    #expect(
      try store.rows(of: "ratings/by-week", "week, count", context)
        == ["2026-03-09|0", "2026-03-16|1", "2026-03-23|2", "2026-03-30|1"])
  }

  @Test(arguments: [(6, "2026-02-23|0|0"), (7, "2026-02-23|-|-")])
  func `a week of which nothing is known has no count, with one known day it has`(
    days: Int, row: String
  ) throws {
    let unknown = (1...days).map { Self.start - .seconds(86_400 * $0) }
    let events = [event(.buttonTapped, -168), rating(5, 1, nil, nil)]
    #expect(
      try rows(of: "ratings/by-week", "week, count, stars_5", events, unknown: unknown)
        == [row, "2026-03-02|1|1"])
  }
}
