import Fixtures
import GRDB
import Model
import StoreTesting
import Testing

@testable import Store

/// The money page's tables, counted by their queries on a small ledger: docs/money.md.
@Suite struct MoneySectionTests {
  let folder: TemporaryStore
  let store: Store

  /// Monday, 2 March 2026; the report is of the week from then on.
  static let start = Instant(unixSeconds: 1_772_409_600)
  let context = ReportContext(
    appName: "ChatHub", now: start + .seconds(7 * 86_400), timeZone: "UTC", start: start,
    end: start + .seconds(7 * 86_400))

  init() throws {
    (folder, store) = try TemporaryStore.opened()
  }

  func event(
    _ kind: EventKind, _ user: String, day: Double, _ type: UserType? = .freeUser,
    price: String? = nil
  ) -> Event {
    var parameters: [String: EventValue] = [:]
    if let type { parameters["ios_user_type"] = .string(type.rawValue) }
    if let price { parameters["ios_subscription_price_displayed"] = .string(price) }
    return Event(
      name: FeatureEventName(platform: "ios", feature: .refresh, kind: kind).text,
      at: Self.start + .microseconds(Int64(day * 86_400_000_000)), userId: user,
      parameters: parameters)
  }

  /// Was free a week before, and subscribes; through the limit when asked.
  private func sale(_ user: String, day: Double, throughLimit: Bool = false) -> [Event] {
    let way =
      throughLimit
      ? [
        event(.popupShown, user, day: day - 0.03),
        event(.blockedLimitReached, user, day: day - 0.02),
        event(.subscriptionButtonTapped, user, day: day - 0.01),
      ] : []
    return [event(.buttonTapped, user, day: day - 8)] + way
      + [event(.performed, user, day: day, .liteSubscriber)]
  }

  func rows(
    of name: String, _ columns: String, _ events: [Event], prices: [Tier: String] = [:]
  ) throws -> [String] {
    try store.write { _ = try $0.append(events, source: "test") }
    return try store.rows(of: name, columns, context, prices: prices)
  }

  @Test func `new subscribers of a day, of 7 days and of the period are one number`() throws {
    let events: [Event] = [
      sale("a", day: 6.5, throughLimit: true),
      sale("b", day: 3),
      sale("c", day: 0),
      sale("d", day: -0.0001),
      [event(.performed, "e", day: 3, .liteSubscriber)],
    ].flatMap(\.self)
    let found = try rows(
      of: "money/new-subscribers",
      "\"when\", new, through, at_least, estimate, estimate_currency, at_most", events,
      prices: [.lite: "$2.99/week"])
    #expect(
      found == [
        "8 Mar 2026|1|1|0.53|2.99|$|16.94", "7 days up to 8 Mar 2026|3|1|3.05|8.97|$|26.38",
        "The period|3|1|3.05|8.97|$|26.38",
      ])
    let people = try store.read { try $0.peopleReading(context, changes: []) }.people
    #expect(people.newSubscribers == 3 && people.stages.subscribed == 1)
    let said = try store.rows(of: "money/new-subscribers", "index_says", context)
    #expect(
      said[0] == "New subscribers: 1 yesterday, 3 in the period, 1 of them through the limit.")
  }

  @Test func `who came through the limit is one number, wherever the period begins`() throws {
    // The period begins in the middle of the seven days.
    let context = ReportContext(
      appName: "ChatHub", now: Self.start + .seconds(7 * 86_400), timeZone: "UTC",
      start: Self.start + .seconds(4 * 86_400), end: Self.start + .seconds(7 * 86_400))
    let early = [
      event(.blockedLimitReached, "late", day: -9),
      event(.subscriptionButtonTapped, "late", day: -8),
      event(.performed, "late", day: 5, .liteSubscriber),
      // A tap before the block is none through the limit; nor is one as a new user.
      event(.subscriptionButtonTapped, "before", day: -9),
      event(.blockedLimitReached, "before", day: -8),
      event(.performed, "before", day: 5, .liteSubscriber),
      event(.blockedLimitReached, "new", day: -9, .newUser),
      event(.subscriptionButtonTapped, "new", day: -8),
      event(.performed, "new", day: 5, .liteSubscriber),
    ]
    let events = early + sale("a", day: 1, throughLimit: true) + sale("b", day: 5)
    try store.write { _ = try $0.append(events, source: "test") }
    #expect(
      try store.rows(of: "money/new-subscribers", "new, through", context) == ["0|0", "5|2", "4|1"])
    let people = try store.read { try $0.peopleReading(context, changes: []) }.people
    #expect(people.newSubscribers == 4 && people.stages.subscribed == 1)
  }

  @Test(arguments: ["free", "0", "$0.00/week"])
  func `a price of 0 or a text brings nothing, and nobody subscribes without an event`(
    price: String
  ) throws {
    let name = "money/new-subscribers"
    #expect(try store.rows(of: name, "new", context, prices: [.lite: price]) == [])
    let found = try rows(of: name, "new, estimate", sale("a", day: 1), prices: [.lite: price])
    #expect(found == ["0|-", "1|-", "1|-"])
  }

  private func account(_ id: String, _ tier: String?, namesOther: Bool = false) throws {
    try store.write { writer in
      try writer.database.execute(
        sql: """
          INSERT INTO auth_users (uid, email_verified, providers, disabled, factors, tier,
            names_other_tier, synced_at, pass)
          VALUES (?, 0, '[]', 0, 0, ?, ?, 0, 1)
          """, arguments: [id, tier, namesOther])
    }
  }

  private static let baseColumns =
    "tier, people, people_most, monthly, monthly_most, told, is_total"

  @Test func `claims are sure, who was seen paying may be, and a tier that nobody named is told`()
    throws
  {
    for id in ["a", "b"] { try account(id, "lite") }
    try account("c", "pro")
    try account("d", nil, namesOther: true)
    try account("e", nil)
    try account("f", "free")
    let events: [Event] = [
      sale("a", day: 1),
      sale("e", day: 2),
      sale("f", day: 3),
      sale("h", day: 3),
      [event(.buttonTapped, "g", day: 1)],
    ].flatMap(\.self)
    let found = try rows(
      of: "money/base", Self.baseColumns, events, prices: [.lite: "$7/week", .plus: "$9/month"])
    #expect(
      found == [
        "Lite|2|3|60.88|91.31|-|0", "Pro|1|1|-|-|No price: set prices.pro.|0",
        "Another word|0|1|-|-|Their claim stands for no tier.|0",
        "All with a price, in $|2|3|60.88|91.31|-|1",
      ])
    let said = try store.rows(
      of: "money/base", "index_says", context, prices: [.lite: "$7/week"])
    #expect(
      said[0] == "3 to 5 people seem to pay: $61 to $91 a month; 2 at unknown prices.")
    let dear = try store.rows(
      of: "money/base", "index_says", context, prices: [.lite: "700.10 JPY/week"])
    #expect(dear[0].contains("seem to pay: 6,088 to 9,133 JPY a month"))
  }

  /// Of two accounts that both were seen paying, the other one's claim is given.
  @Test(arguments: [(nil, ["2|2"]), ("free", []), ("lite", ["1|1"])] as [(String?, [String])])
  func `an account without a tier is free once another account has one`(
    other: String?, counts: [String]
  ) throws {
    try account("a", nil)
    try account("b", other)
    let found = try rows(
      of: "money/base", "people, people_most", sale("a", day: 1) + sale("b", day: 1))
    #expect(found == counts)
  }

  @Test(arguments: [(-21.0, 1), (-21.0001, 0)])
  func `without claims, who was seen paying in 28 days is sure`(day: Double, least: Int) throws {
    let found = try rows(of: "money/base", "people, people_most", sale("a", day: day))
    #expect(found == ["\(least)|1"])
  }

  @Test(arguments: [
    ("free", "The price is not one number above 0."),
    ("$2-$4/week", "The price is not one number above 0."),
    ("$7", "The price names no term, such as /week."), ("7/week", "The price names no currency."),
  ])
  func `what a price does not say is told`(price: String, told: String) throws {
    let found = try rows(
      of: "money/base", "told", sale("a", day: 1), prices: [.lite: price])
    #expect(found[0] == told)
  }

  @Test func `other prices in a currency widen the month, and none is added to another`() throws {
    try account("c", "pro")
    let events: [Event] = [
      sale("a", day: 1),
      [
        event(.pricingDisplayed, "b", day: 1, price: "$14/week"),
        event(.pricingDisplayed, "b", day: 1, price: "€1/week"),
      ],
    ].flatMap(\.self)
    let found = try rows(
      of: "money/base", "tier, monthly, monthly_most, monthly_currency", events,
      prices: [.lite: "$7/week", .pro: "€20 per month"])
    #expect(
      found == [
        "Lite|0.0|60.88|$", "Pro|20.0|20.0|€", "All with a price, in $|0.0|60.88|$",
        "All with a price, in €|20.0|20.0|€",
      ])
  }

  @Test func `a month's forecast holds what was so far, and needs 14 known days`() throws {
    // One sale a day of the four weeks up to Sunday, 8 March; 23 days of the month are to come.
    let events = (-21...6).flatMap { (day: Int) -> [Event] in
      sale("u\(day + 50)", day: Double(day) + 0.5)
    }
    let found = try rows(
      of: "money/forecast", "month, so_far, days_left, at_least, forecast, at_most", events)
    #expect(found == ["2026-03|8|23|19|31|46"])
    #expect(
      try store.rows(of: "money/forecast", "index_says", context) == [
        "New subscribers this month: 8 so far, 19 to 46 by its end."
      ])
    for (price, words) in [
      ("$2.99/week", "$57 to $138"), ("2.99 EUR", "€57 to €138"), ("2.99 CHF", "57 to 138 CHF"),
    ] {
      #expect(
        try store.rows(of: "money/forecast", "index_says", context, prices: [.lite: price]) == [
          "New subscribers this month: 8 so far, 19 to 46 by its end, \(words) in first terms."
        ])
    }
  }

  /// The ledger begins with the day 8 days before the sale, and ends with the day 6.
  @Test(arguments: [(1.5, true), (2.5, false)])
  func `13 known days are too few for a forecast, and 14 are enough`(day: Double, isTold: Bool)
    throws
  {
    let found = try rows(of: "money/forecast", "forecast IS NOT NULL", sale("a", day: day))
    #expect(found == [isTold ? "1" : "0"])
  }

  /// Shown one price on a day, taps, and subscribes the day after.
  private func shown(
    _ user: String, _ price: String, day: Double, taps: Bool = false, subscribes: Bool = false
  ) -> [Event] {
    var events = [event(.pricingDisplayed, user, day: day, price: price)]
    if taps { events.append(event(.subscriptionButtonTapped, user, day: day + 0.01)) }
    if subscribes { events.append(event(.performed, user, day: day + 1, .liteSubscriber)) }
    return events
  }

  /// 600 people over 20 days, half of them with each price.
  private func planted(_ prices: [String], taps: [Int]) -> [Event] {
    (0..<600).flatMap { (number: Int) -> [Event] in
      let (side, place) = (number % 2, number / 2)
      let day = Double(number / 30) - 20
      return shown(
        "p\(number)", prices[side], day: day, taps: place < taps[side],
        subscribes: place < taps[side] / 2)
    }
  }

  @Test func `a price test of 600 people is shown and judged`() throws {
    let events = planted(["$2.99", "$4.99"], taps: [30, 9])
    #expect(
      try rows(
        of: "money/price-test", "price, people, tapped_part, subscribed_part, revenue, told", events
      )
        == ["$2.99|300|30|15|0.1495|-", "$4.99|300|9|4|0.0665|-"])
    #expect(
      try store.rows(
        of: "money/price-answer",
        "measure, first_part, second_part, second_whole, verdict, until", context)
        == [
          "tapped to subscribe, $2.99 beside $4.99|30|9|300|lower|There is a difference.",
          "are new subscribers, $2.99 beside $4.99|15|4|300|lower|There is a difference.",
        ])
    #expect(
      try store.rows(of: "money/price-revenue", "first, second, verdict", context)
        == ["0.1495|0.0665|not proven"])
  }

  @Test(arguments: [
    ([30, 30], "None in sight: no difference so far."), ([30, 22], "About"),
  ])
  func `without a proof it is said when there may be one`(taps: [Int], until: String) throws {
    let found = try rows(
      of: "money/price-answer", "verdict, until", planted(["$2.99", "$4.99"], taps: taps))
    #expect(found[0].hasPrefix("not proven|\(until)"), "\(found)")
  }

  @Test func `who saw two prices is in no comparison, as are two currencies`() throws {
    let events: [Event] = [
      shown("a", "$2.99", day: 1),
      shown("a", "$4.99", day: 2),
      shown("b", "$2.99", day: 1),
      shown("c", "€4.99", day: 1),
      shown("d", "free", day: 1),
      shown("e", "0", day: 1),
      shown("f", "5", day: 1),
    ].flatMap(\.self)
    #expect(
      try rows(of: "money/price-test", "price, people, revenue_currency, told", events) == [
        "$2.99|1|$|-", "0|1|¤|Not one number above 0, so no price.",
        "5|1|¤|The price names no currency.", "free|1|¤|Not one number above 0, so no price.",
        "€4.99|1|€|-", "several|1|-|Saw several prices: in no comparison.",
      ])
    #expect(try store.rows(of: "money/price-answer", "measure", context) == [])
  }

  @Test func `prices of different weeks are told to be one after the other`() throws {
    let events = (0..<40).flatMap { (number: Int) -> [Event] in
      shown("p\(number)", number < 20 ? "$2.99" : "$4.99", day: number < 20 ? -10.0 : 1.0)
    }
    let found = try rows(of: "money/price-answer", "measure", events)
    #expect(found.first == "tapped to subscribe, $2.99 and at other times $4.99")
  }

  /// The time of both prices begins with the first dear one and ends with the last cheap one; one
  /// person at its edge, or across it, makes two of a day that saw different prices.
  @Test(arguments: [
    ([[-2.5], [0.5], [1.5]], [0.25, 3.5]), ([[-2.5], [1.5]], [0.25, 1.25, 3.5]),
    ([[-2.5], [0.24, 0.4], [1.5]], [0.25, 3.5]), ([[-2.5], [1.5, 1.6]], [0.25, 1.25, 3.5]),
  ])
  func `who saw a price at the first or at the last moment of both met the other one`(
    cheap: [[Double]], dear: [Double]
  ) throws {
    let events = [("$2.99", cheap), ("$4.99", dear.map { [$0] })].flatMap { price, people in
      people.flatMap { days in days.flatMap { shown("\(price) \(days[0])", price, day: $0) } }
    }
    let found = try rows(of: "money/price-answer", "measure", events)
    #expect(found.first == "tapped to subscribe, $2.99 beside $4.99")
  }

  private func setting(_ name: String, _ value: String, condition: String? = nil) throws {
    try store.write { writer in
      guard let condition else {
        return try writer.database.execute(
          sql: "INSERT INTO settings VALUES ('app-settings', ?, ?, 0)", arguments: [name, value])
      }
      try writer.database.execute(
        sql: "INSERT INTO conditional_settings VALUES (?, ?, 'true', ?, NULL, NULL)",
        arguments: [name, condition, value])
    }
  }

  @Test func `new people are told by the free period that their events show`() throws {
    try setting("newUserFreePeriodSeconds", "7200")
    try setting("newUserFreePeriodSeconds", "25200", condition: "long")
    func newcomer(_ user: String, hours: Double, subscribes: Bool = false) -> [Event] {
      let day = -29.0
      var events = [
        event(.buttonTapped, "old", day: -60), event(.buttonTapped, user, day: day, .newUser),
        event(.buttonTapped, user, day: day + (hours - 0.5) / 24, .newUser),
        event(.buttonTapped, user, day: day + (hours + 0.5) / 24),
      ]
      if subscribes { events.append(event(.performed, user, day: day + 20, .liteSubscriber)) }
      return events
    }
    let events: [Event] = [
      newcomer("a", hours: 2),
      newcomer("b", hours: 2, subscribes: true),
      newcomer("c", hours: 7),
      newcomer("d", hours: 4),
    ].flatMap(\.self)
    let found = try rows(
      of: "money/grace",
      "period, people, week_part, month_part, subscribed_part, subscribed_whole, still_open, "
        + "difference_from_part", events)
    #expect(found == ["2 h|2|0|1|1|2|0|-", "7 h|1|0|0|0|1|0|1", "none fits|1|-|-|-|-|-|-"])
  }

  @Test func `limits that people lived under are matched with the listed values`() throws {
    try setting("freeRefreshLimit", "2")
    try setting("freeRefreshLimit", "5", condition: "long")
    func popup(_ user: String, limit: Int64, _ kind: EventKind = .popupShown) -> Event {
      var popup = event(kind, user, day: 1)
      popup.parameters["ios_usage_limit"] = .integer(limit)
      popup.parameters["ios_current_usage"] = .integer(0)
      return popup
    }
    let events = [
      popup("a", limit: 2), popup("b", limit: 5), popup("b", limit: 5, .subscriptionButtonTapped),
      popup("c", limit: 7), popup("d", limit: 2), popup("d", limit: 5),
      // Without a limit, and with one that no report can show.
      popup("e", limit: .max), popup("f", limit: 1_000_000_000_000_001),
      popup("g", limit: 1_000_000_000_000_000),
      event(.buttonTapped, "a", day: 2),
    ]
    let found = try rows(
      of: "money/conditions", "feature, \"limit\", listed, people, tapped_part, again_part", events)
    #expect(
      found == [
        "refresh|2|no condition|1|0|1", "refresh|5|condition long|1|1|0", "refresh|7|nowhere|1|0|0",
        "refresh|1000000000000000|nowhere|1|0|0",
      ])
  }
}
