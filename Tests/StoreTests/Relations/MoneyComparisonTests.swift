import Fixtures
import GRDB
import Model
import StoreTesting
import Testing

@testable import Store

/// What the money page compares, with people among whom there is no difference: docs/money.md.
extension MoneySectionTests {
  /// A free period of 2 hours, of which the history knows, and one of 7 for half of the people.
  ///
  /// Of 2,000 people half leave at once; each tenth of those who stay subscribes, in both halves.
  @Test
  func `the free period of who leaves early is nobody's, so no share moves without an effect`()
    throws
  {
    try store.write { writer in
      try writer.database.execute(
        sql: """
          INSERT INTO settings VALUES ('app-settings', 'newUserFreePeriodSeconds', '7200', 0);
          INSERT INTO conditional_settings
            VALUES ('newUserFreePeriodSeconds', 'long', 'true', '25200', NULL, NULL);
          INSERT INTO settings_history (source, wire_name, old_value, new_value, changed_at)
            VALUES ('app-settings', 'newUserFreePeriodSeconds', NULL, '7200', 1);
          """)
    }
    let events = (0..<2_000).flatMap { (number: Int) -> [Event] in
      let (user, day, stays) = ("p\(number)", -33.5, number / 2 % 2 == 0)
      var events = [event(.buttonTapped, user, day: day, .newUser)]
      guard stays else { return events }
      events.append(
        event(.buttonTapped, user, day: day + 0.2, number % 2 == 0 ? .newUser : .freeUser))
      events.append(event(.buttonTapped, user, day: day + 0.4))
      if number / 4 % 10 == 0 {
        events.append(event(.performed, user, day: day + 3, .liteSubscriber))
      }
      return events
    }
    let found = try rows(
      of: "money/grace", "period, people, subscribed_part, subscribed_whole, difference_from_part",
      [event(.buttonTapped, "old", day: -60)] + events)
    #expect(found == ["2 h|500|50|500|-", "7 h|500|50|500|50", "several fit|1000|-|-|-"])
    #expect(try store.rows(of: "money/grace", "says", context) == ["-", "-", "-"])
    try store.write { try $0.database.execute(sql: "DELETE FROM conditional_settings") }
    // The value that was in force is everybody's, but of those whose events contradict it.
    #expect(
      try store.rows(of: "money/grace", "period, people", context)
        == ["2 h|1500", "none fits|500"])
    #expect(
      try store.rows(of: "money/grace", "says", context).first?.hasPrefix("One free period") == true
    )
  }

  /// Who comes back depends on the day alone: nobody of day -3, everybody of day -2.
  @Test func `people who were not blocked weigh as the days of those who were`() throws {
    func people(_ count: Int, day: Double, blocked: Bool, comesBack: Bool) -> [Event] {
      (0..<count).flatMap { (number: Int) -> [Event] in
        let user = "\(blocked) \(day) \(number)"
        return [event(blocked ? .buttonTapped : .performed, user, day: day)]
          + (blocked ? [event(.blockedLimitReached, user, day: day + 0.01)] : [])
          + (comesBack ? [event(.buttonTapped, user, day: day + 1)] : [])
      }
    }
    let events: [Event] = [
      people(10, day: -3.5, blocked: true, comesBack: false),
      people(90, day: -3.5, blocked: false, comesBack: false),
      people(30, day: -1.5, blocked: true, comesBack: true),
      people(30, day: -1.5, blocked: false, comesBack: true),
    ].flatMap(\.self)
    let found = try rows(
      of: "money/blocks",
      "within, blocked_part, blocked_whole, others_part, others_whole", events)
    // Kish: 1 / (0.25² / 90 + 0.75² / 30).
    #expect(found[0] == "1 day|30|40|39|51")
  }

  @Test func `who is blocked on a later day stays among those who were not`() throws {
    let events = [
      event(.performed, "later", day: -3.5), event(.blockedCooldown, "first", day: -3.5),
      event(.blockedCooldown, "later", day: -2.5),
    ]
    let found = try rows(of: "money/blocks", "others_part, others_whole, blocked_whole", events)
    #expect(found[0] == "1|1|2")
  }

  private func shown(_ prices: [(String, Range<Int>)], each: Int = 40) -> [Event] {
    prices.flatMap { price, days in
      days.flatMap { (day: Int) -> [Event] in
        (0..<each / days.count).map { number in
          event(
            .pricingDisplayed, "\(price) \(day) \(number)", day: Double(day) + 0.5, price: price)
        }
      }
    }
  }

  @Test(arguments: [
    // Raised and taken back, lowered and taken back, and two in turns of a day and less.
    ([("$2.99", -20 ..< -16), ("$4.99", -15 ..< -11), ("$2.99", -10 ..< -6)], "at other times"),
    ([("$4.99", -20 ..< -16), ("$2.99", -15 ..< -11), ("$4.99", -10 ..< -6)], "at other times"),
    ([("$2.99", -20 ..< -10), ("$4.99", -20 ..< -10)], "beside"),
  ])
  func `a price that was raised and taken back was never shown beside the other`(
    prices: [(String, Range<Int>)], words: String
  ) throws {
    let found = try rows(
      of: "money/price-answer", "measure, first_whole, second_whole", shown(prices))
    #expect(found.first?.contains("$2.99 \(words == "beside" ? "" : "and ")\(words)") == true)
    #expect(found.first?.contains("|0") == false, "\(found)")
  }

  /// One or two people a day for 50 days, by the price that they see.
  @Test(arguments: [
    (["ab", "aa", "bb"], "beside"), (["ab", "aa", "bb", "aa", "bb"], "and at other times"),
    (["aa", "bb"], "and at other times"), (["a", "b"], "and at other times"),
  ])
  func `two prices are beside each other when people of one day see different ones as by lot`(
    days: [String], words: String
  ) throws {
    let events = (0..<50).flatMap { (day: Int) -> [Event] in
      days[day % days.count].enumerated().map { number, price in
        event(
          .pricingDisplayed, "p\(day) \(number)", day: Double(day) - 49.5,
          price: price == "a" ? "$2.99" : "$4.99")
      }
    }
    let found = try rows(of: "money/price-answer", "measure", events)
    #expect(found.first == "tapped to subscribe, $2.99 \(words) $4.99")
  }

  /// Two people a day for 16 days, as many of whom see different prices as given.
  @Test(arguments: [(3, "and at other times"), (4, "and at other times"), (5, "beside")])
  func `half as often as by lot is not beside, one day more is`(
    mixed: Int, words: String
  ) throws {
    let rest = (0..<(16 - mixed)).map { $0 % 2 == 0 ? "aa" : "bb" }
    // The first day and the last one are mixed, so that the time of both prices has all days.
    let days = Array(repeating: "ab", count: mixed - 1) + rest + ["ab"]
    let events = days.enumerated().flatMap { day, prices in
      prices.enumerated().map { number, price in
        event(
          .pricingDisplayed, "p\(day) \(number)", day: Double(day) - 15.5,
          price: price == "a" ? "$2.99" : "$4.99")
      }
    }
    let found = try rows(of: "money/price-answer", "measure", events)
    #expect(found.first == "tapped to subscribe, $2.99 \(words) $4.99")
  }

  @Test(arguments: [(-1, "and at other times"), (0, "beside"), (1, "beside")])
  func `prices are beside each other from a day on`(microseconds: Int, words: String) throws {
    let events = [0, 1].flatMap { day in
      ["$2.99", "$4.99"].map { price -> Event in
        var shown = event(.pricingDisplayed, "\(price) \(day)", day: -3, price: price)
        if day == 1 { shown.at = shown.at + .seconds(86_400) + .microseconds(microseconds) }
        return shown
      }
    }
    let found = try rows(of: "money/price-answer", "measure", events)
    #expect(found.first == "tapped to subscribe, $2.99 \(words) $4.99")
  }

  @Test func `a price that a tap alone carries was shown to nobody`() throws {
    let events = (0..<40).flatMap { (number: Int) -> [Event] in
      [
        event(.popupShown, "p\(number)", day: 1, price: "$2.99"),
        event(.subscriptionButtonTapped, "q\(number)", day: -9, price: "$2.99"),
      ]
    }
    #expect(
      try rows(of: "money/price-test", "price, people, tapped_part", events) == ["$2.99|40|0"])
  }

  @Test(arguments: [(29, "Not known with under 30"), (30, "None in sight")])
  func `no answer is foretold with fewer than 30 people on a side`(people: Int, until: String)
    throws
  {
    let events = (0..<2 * people).map { (number: Int) -> Event in
      let price = number % 2 == 0 ? "$2.99" : "$4.99"
      return event(
        .pricingDisplayed, "p\(number)", day: -6 + Double(number / 2) / 10, price: price)
    }
    #expect(try rows(of: "money/price-answer", "until", events)[0].hasPrefix(until))
  }

  /// 40 people a price, on the same days, and the two that are compared.
  @Test(
    arguments: [
      (["$2.99", "$4.99"], "$2.99 beside $4.99"), (["$2.99", "€4.99"], nil),
      (["2.99", "4.99"], nil), (["$2.99", "$2.99/week"], nil),
      (["$2.99/week", "$29.99/year"], nil),
      (["$2.99/week", "$2.99 a week"], nil), (["$2.99", "$4.99/week"], nil),
      (["$2.99/week", "$29.99/year", "$4.99 a week"], "$2.99/week beside $4.99 a week"),
      (["$2.99 a week", "$2.99/week", "$4.99/week"], "$2.99 a week beside $4.99/week"),
    ] as [([String], String?)])
  func `two amounts of one known currency and one term alone are compared`(
    prices: [String], compared: String?
  ) throws {
    let found = try rows(
      of: "money/price-answer", "measure", shown(prices.map { ($0, -20 ..< -10) }))
    #expect(found.first == compared.map { "tapped to subscribe, \($0)" })
  }

  /// 21 a week is 91.31 a month.
  @Test(
    arguments: [
      (1, 0, "$21/week", "1 person seems to pay: $91 a month."),
      (1, 1, "$21/week", "1 to 2 people seem to pay: $91 to $183 a month."),
      (2, 0, "$10.50/week", "2 people seem to pay: $91 a month."),
      (0, 1, "21 zł/week", "0 to 1 people seem to pay: 0 to 91 zł a month."),
      (1, 0, "21/week", "1 person seems to pay: 91 of no currency a month."),
      (1, 1, "21 EUR/week", "1 to 2 people seem to pay: €91 to €183 a month."),
      (1, 0, "21 CHF/week", "1 person seems to pay: 91 CHF a month."),
    ])
  func `the index says one amount where both ends are equal`(
    sure: Int, maybe: Int, price: String, said: String
  ) throws {
    // While no claim names a tier, an event in the newest 28 days is sure.
    let events = [(sure, 1.0), (maybe, -40.0)].flatMap { (count: Int, day: Double) -> [Event] in
      (0..<count).flatMap { (number: Int) -> [Event] in
        [
          event(.buttonTapped, "\(day) \(number)", day: day - 8),
          event(.performed, "\(day) \(number)", day: day, .liteSubscriber),
        ]
      }
    }
    let found = try rows(of: "money/base", "index_says", events, prices: [.lite: price])
    #expect(found.first == said)
  }

  @Test(arguments: [
    (["$2.99/week"], "$2.99/week"), (["$3.99/week"], "$2.99/week, up to $3.99/week"),
    (["$1.99/week"], "$2.99/week, from $1.99/week"), (["€9/week"], "$2.99/week"),
    (["$3.99/week", "$1.99/week"], "$2.99/week, from $1.99/week, up to $3.99/week"),
  ])
  func `the price of Lite names the other prices that popups showed`(
    shown: [String], words: String
  ) throws {
    let events =
      [event(.performed, "a", day: 1, .liteSubscriber)]
      + shown.map { event(.pricingDisplayed, "to \($0)", day: 2, price: $0) }
    #expect(
      try rows(of: "money/base", "price", events, prices: [.lite: "$2.99/week"]) == [words, "-"])
  }
}
