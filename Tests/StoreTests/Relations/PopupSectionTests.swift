import Fixtures
import StoreTesting
import Testing

@testable import Model
@testable import Store

/// The tables of popups, moments and the rating dialog, counted by their queries on a small ledger.
extension UsageSectionTests {
  private func event(
    _ name: String, _ seconds: Int, _ parameters: [String: EventValue] = [:], user: String = "u"
  ) -> Event {
    let prefixed = parameters.map { ("ios_\($0.key)", $0.value) }
    return Event(
      name: name, at: Self.start + .seconds(seconds), userId: user,
      parameters: Dictionary(uniqueKeysWithValues: prefixed))
  }

  private func popup(
    _ kind: EventKind, _ seconds: Int, _ parameters: [String: EventValue] = [:],
    feature: Feature = .refresh, user: String = "u"
  ) -> Event {
    event(
      FeatureEventName(platform: "ios", feature: feature, kind: kind).text, seconds, parameters,
      user: user)
  }

  private func closed(
    _ seconds: Int, _ reason: String?, _ open: EventValue? = nil, user: String = "u"
  ) -> Event {
    var parameters: [String: EventValue] = [:]
    parameters["dismiss_reason"] = reason.map { .string($0) }
    parameters["popup_seconds"] = open
    return popup(.popupDismissed, seconds, parameters, user: user)
  }

  private func ends(_ events: [Event]) throws -> [String] {
    try rows(
      of: "usage/popups",
      "feature, shown, priced_part, acted_part, subscribed_part, by_hand_part, waited_part, "
        + "untold, left_part, stray", events)
  }

  @Test func `each popup has the first of its ends, and only one`() throws {
    let events = [
      popup(.popupShown, -1), popup(.popupShown, 2 * 86_400), popup(.pricingDisplayed, 1),
      popup(.popupShown, 0, user: "a"), popup(.performed, 5, user: "a"),
      popup(.popupShown, 10, user: "c"), popup(.subscriptionButtonTapped, 13, user: "c"),
      closed(13, "subscribe", user: "c"), popup(.subscriptionButtonTapped, 14, user: "c"),
      popup(.popupShown, 20, user: "d"), closed(24, "dismissed", user: "d"),
      closed(9_000, "dismissed", user: "d"),
      popup(.popupShown, 30, user: "e"), popup(.cooldownCompleted, 150, user: "e"),
      closed(160, "dismissed", user: "e"),
      popup(.popupShown, 40, user: "f"), popup(.buttonTapped, 41, user: "f"),
      popup(.performed, 42, user: "f"),
      popup(.popupShown, 50, user: "g"), closed(51, "swiped", user: "g"),
      popup(.popupShown, 60, user: "h"), closed(61, nil, user: "h"),
      popup(.popupShown, 70, user: "i"), popup(.popupShown, 80, user: "i"),
      popup(.performed, 81, user: "j"), closed(82, "dismissed", user: "j"),
      popup(.popupShown, 90, feature: .search, user: "i"), closed(91, "dismissed", user: "i"),
    ]
    #expect(
      try ends(events)
        == ["refresh|9|1|1|1|2|1|2|2|1", "search|1|0|0|0|0|0|0|1|0", "all|10|1|1|1|2|1|2|3|1"])
  }

  @Test func `each kind of end has a median time of its own`() throws {
    let events = [
      popup(.popupShown, 0, user: "a"), popup(.performed, 5, user: "a"),
      popup(.popupShown, 0, user: "b"), popup(.performed, 8, user: "b"),
      popup(.popupShown, 10, user: "c"), popup(.subscriptionButtonTapped, 13, user: "c"),
      // The dismissal's own time wins over the time between the events.
      popup(.popupShown, 20, user: "d"), closed(24, "dismissed", .integer(40), user: "d"),
      popup(.popupShown, 20, user: "k"), closed(24, "dismissed", .string("x"), user: "k"),
      popup(.popupShown, 20, user: "l"), closed(26, "dismissed", .integer(-1), user: "l"),
      popup(.popupShown, 30, user: "e"), popup(.cooldownCompleted, 150, user: "e"),
    ]
    #expect(
      try rows(
        of: "usage/popup-times", "feature, ended, median, acted, subscribed, by_hand, waited",
        events) == ["refresh|7|6.0|6.5|3.0|6.0|120.0", "all|7|6.0|6.5|3.0|6.0|120.0"])
  }

  @Test(arguments: [(1_799, "1|0"), (1_800, "0|1")])
  func `an action ends a popup that is less than 30 minutes old`(
    seconds: Int, found: String
  ) throws {
    let events = [popup(.popupShown, 0), popup(.performed, seconds)]
    #expect(
      try rows(of: "usage/popups", "acted_part, left_part", events) == [found, found])
  }

  @Test func `events of one instant come in the order of the ledger`() throws {
    // A use closes the popup of a check, opens its own and acts, all at once.
    let events = [
      popup(.popupShown, 0), closed(9, "action"), popup(.buttonTapped, 9), popup(.popupShown, 9),
      popup(.performed, 9),
    ]
    #expect(
      try rows(of: "usage/popups", "shown, acted_part, left_part", events) == ["2|2|0", "2|2|0"])
  }

  @Test func `without popups there is no row`() throws {
    #expect(try rows(of: "usage/popups", "feature", [popup(.buttonTapped, 1)]).isEmpty)
  }

  @Test(arguments: [(600, 1), (601, 0), (0, 1), (-1, 0)])
  func `an allowance that a wait gave back is used at most 10 minutes later`(
    after: Int, used: Int
  ) throws {
    let events = [
      popup(.limitReset, 1_000), popup(.buttonTapped, 1_000 + after),
      popup(.buttonTapped, 1_001, feature: .search), popup(.buttonTapped, 1_001, user: "v"),
      popup(.limitReset, 50_000, ["reset_reason": .string("manual")], user: "v"),
      popup(.buttonTapped, 50_001, user: "v"),
    ]
    #expect(
      try rows(
        of: "usage/resets", "feature, resets, by_hand_part, people, used_part, used_whole", events)
        == ["refresh|2|1|1|\(used)|1"])
  }

  @Test func `clocks that went back are counted, also where no limit was reset`() throws {
    let events = [
      popup(.limitReset, 1), popup(.clockSkew, 2), popup(.clockSkew, 3, user: "v"),
      popup(.clockSkew, 4, feature: .search), popup(.clockSkew, -1), popup(.clockSkew, 2 * 86_400),
    ]
    #expect(
      try rows(of: "usage/resets", "feature, resets, skews", events)
        == ["refresh|1|2", "search|0|1"])
  }

  private func moment(
    _ event: MomentEvent, _ seconds: Int, _ trigger: String? = nil, tier: String = "free",
    previous: String? = nil, user: String = "u"
  ) -> Event {
    var parameters: [String: EventValue] = ["subscription_status": .string(tier)]
    parameters["paywall_trigger"] = trigger.map { .string($0) }
    parameters["previous_subscription_status"] = previous.map { .string($0) }
    return self.event(event.rawValue, seconds, parameters, user: user)
  }

  private var moments: [Event] {
    [
      moment(.added, 1), moment(.added, 1, user: "v"), moment(.added, 1, user: "w"),
      moment(.added, 1, tier: "lite", user: "x"), moment(.refused, 2, "daily_limit_reached"),
      moment(.paywallShown, 2, "daily_limit_reached"),
      moment(.refused, 3, "total_limit_reached", user: "v"),
      moment(.paywallShown, 3, "total_limit_reached", user: "v"),
      moment(.paywallShown, 4, "manual"),
      moment(.refused, -5, "daily_limit_reached", user: "w"),
    ]
  }

  @Test func `the last paywall before the subscription counts`() throws {
    let changes = [
      moment(.tierChanged, 5, tier: "lite", previous: "free"),
      // Before the paywall, another tier, and a subscription that ended: none is an upgrade after
      // it.
      moment(.tierChanged, 2, tier: "pro", previous: "free", user: "v"),
      moment(.tierChanged, 5, tier: "plus", previous: "lite", user: "v"),
      moment(.tierChanged, 6, tier: "free", previous: "lite", user: "v"),
    ]
    #expect(
      try rows(
        of: "limits/paywall", "trigger, refused, shown, people, upgraded_part, upgraded_whole",
        moments + changes)
        == [
          "daily_limit_reached|1|1|1|0|1", "manual|0|1|1|1|1", "total_limit_reached|1|1|1|0|1",
        ])
    #expect(
      Set(try rows(of: "limits/paywall", "says", []))
        == ["After a paywall 1 of 2 people subscribed: too few to tell whether a quota sells."])
  }

  @Test(arguments: [(9, ": too few to tell whether a quota sells."), (10, ".")])
  func `whether a quota sells is told of ten subscriptions after a paywall`(
    count: Int, end: String
  ) throws {
    let sold = (0..<count).flatMap { number in
      [
        moment(.paywallShown, 10, "manual", user: "s\(number)"),
        moment(.tierChanged, 11, tier: "lite", previous: "free", user: "s\(number)"),
      ]
    }
    #expect(
      Set(try rows(of: "limits/paywall", "says", sold))
        == ["After a paywall \(count) of \(count) people subscribed\(end)"])
  }

  @Test func `free people who logged moments are the whole of the quotas`() throws {
    #expect(
      try rows(of: "limits/quota-reach", "quota, reached_part, reached_whole", moments)
        == ["a day|1|3", "in all|1|3"])
    #expect(
      try TemporaryStore.opened().store.rows(of: "limits/quota-reach", "quota", context) == [])
  }

  private func dialog(
    _ kind: RatingPromptEvent.Kind, _ seconds: Int, sent: Int64?, received: Int64? = nil,
    tries: Int64 = 0, trigger: String = "due", user: String
  ) -> Event {
    var parameters: [String: EventValue] = [
      "rating_threshold": .integer(10), "rating_max_prompts": .integer(2),
      "rating_trigger": .string(trigger),
    ]
    if let sent {
      parameters["rating_sent"] = .integer(sent)
      parameters["rating_received"] = .integer(received ?? sent)
      parameters["rating_tries"] = .integer(tries)
    }
    return event(kind.rawValue, seconds, parameters, user: user)
  }

  @Test func `asked are those who saw the dialog, of those who met the conditions`() throws {
    let events = [
      dialog(.shown, 1, sent: 11, user: "asked"), dialog(.later, 1, sent: 11, user: "not asked"),
      dialog(.shown, 2, sent: 10, user: "at the threshold"),
      dialog(.shown, 2, sent: 50, received: 10, user: "too few received"),
      dialog(.shown, 2, sent: 11, tries: 2, user: "no try left"),
      dialog(.shown, 2, sent: 11, tries: 1, user: "one try left"),
      dialog(.shown, 3, sent: nil, user: "untold"),
      dialog(.shown, 3, sent: nil, trigger: "settings", user: "own"),
      dialog(.shown, 2 * 86_400, sent: 11, user: "later"),
    ]
    #expect(
      try rows(of: "ratings/show-rate", "week, asked_part, asked_whole, own, told", events)
        == ["2026-03-02|3|4|4|0"])
  }

  @Test func `who met the conditions and saw no dialog then or later was not asked`() throws {
    let events = [
      dialog(.due, 1, sent: 11, user: "never"), dialog(.due, 2, sent: nil, user: "untold"),
      dialog(.due, 1, sent: 10, user: "not met"),
      dialog(.due, 1, sent: 11, user: "later"), dialog(.shown, 90, sent: 14, user: "later"),
      dialog(.due, 5, sent: 11, user: "at once"), dialog(.shown, 5, sent: 11, user: "at once"),
      dialog(.shown, 4, sent: 3, trigger: "settings", user: "before"),
      dialog(.due, 5, sent: 11, user: "before"),
    ]
    #expect(
      try rows(of: "ratings/show-rate", "week, asked_part, asked_whole, own, told", events)
        == ["2026-03-02|2|5|0|5"])
  }

  private func prompt(
    _ kind: RatingPromptEvent.Kind, _ seconds: Int, _ user: String, stars: Int? = nil,
    version: String? = "2.4", threshold: Int? = 10
  ) -> Event {
    var parameters: [String: EventValue] = [:]
    parameters["rating_threshold"] = threshold.map { .integer(Int64($0)) }
    parameters["rating_max_prompts"] = threshold.map { _ in .integer(2) }
    parameters["rating_stars"] = stars.map { .integer(Int64($0)) }
    var prompt = event(kind.rawValue, seconds, parameters, user: user)
    prompt.appVersion = version
    return prompt
  }

  @Test func `rating dialogs have rows by week, version and thresholds, with what followed`() throws
  {
    let week = -7 * 86_400
    let events = [
      prompt(.shown, week, "a"), prompt(.later, week + 5, "a"), prompt(.shown, 0, "b"),
      prompt(.stars, 4, "b", stars: 4), prompt(.store, 5, "b"), prompt(.shown, 10, "c"),
      prompt(.stars, 12, "c", stars: 3), prompt(.feedback, 13, "c"),
      prompt(.shown, 20, "d", version: nil, threshold: nil), prompt(.stars, 30, "e", stars: 1),
      prompt(.shown, 2 * 86_400, "f"), prompt(.shown, week - 1, "g"),
    ]
    try store.write { _ = try $0.append(events, source: "test") }
    let counts =
      "shown, later_part, stars_part, feedback_part, feedback_whole, store_part, store_whole, unasked"
    #expect(
      try store.rows(of: "ratings/funnel-weeks", "week, \(counts)", context)
        == ["2026-02-23|1|1|0|0|0|0|0|0", "2026-03-02|3|0|2|1|1|1|1|1"])
    #expect(
      try store.rows(of: "ratings/funnel-versions", "version, \(counts)", context)
        == ["2.4|2|0|2|1|1|1|1|1", "Not told|1|0|0|0|0|0|0|0"])
    #expect(
      try store.rows(of: "ratings/funnel-thresholds", "messages, max_prompts, \(counts)", context)
        == ["10|2|2|0|2|1|1|1|1|1", "-|-|1|0|0|0|0|0|0|0"])
    #expect(
      try store.rows(of: "ratings/funnel-versions", "shown", context, user: "b") == ["1"])
  }

  private func settings(mostPrompts: Int = 2) -> Settings {
    Settings([
      EffectiveSetting(key: .ratingThreshold, value: 10, source: .builtIn),
      EffectiveSetting(key: .ratingMaxPrompts, value: mostPrompts, source: .builtIn),
    ])
  }

  private func save(_ counters: KeyValuePairs<String, (Int64, Int64, Int64)>) throws {
    try store.write { writer in
      for (name, (sent, received, tries)) in counters {
        var profile = Profile(name: name)
        profile.rating = RatingCounters(sent: sent, received: received, tries: tries)
        try writer.save(profile)
      }
    }
  }

  /// The steps from the question to the rating: of which part, of how many.
  private func steps(of user: String? = nil) throws -> [String] {
    try store.rows(
      of: "ratings/funnel", "step, share_part, share_whole", context, user: user,
      settings: settings())
  }

  @Test func `each step of the rating dialog has its denominator, to the microsecond`() throws {
    #expect(try steps().isEmpty)
    let end = 2 * 86_400
    var last = prompt(.shown, end, "last")
    last.at = last.at - .microseconds(1)
    var before = prompt(.shown, 0, "before")
    before.at = before.at - .microseconds(1)
    let events = [
      before, prompt(.stars, 1, "before", stars: 5), prompt(.shown, 0, "low"),
      prompt(.stars, 1, "low", stars: 3), prompt(.feedback, 2, "low"), prompt(.shown, 0, "high"),
      prompt(.stars, 1, "high", stars: 4), prompt(.store, 2, "high"), prompt(.shown, 0, "later"),
      prompt(.later, 1, "later"), prompt(.stars, 3, "unasked", stars: 5), last,
      prompt(.shown, end, "after"),
    ]
    try store.write { _ = try $0.append(events, source: "test") }
    #expect(
      try steps() == [
        "People asked|4|4", "Shown|4|4", "Maybe Later|1|4", "No answer|1|4", "Stars|2|4",
        "Feedback|1|1", "App Store|1|1",
      ])
    #expect(
      Set(try store.rows(of: "ratings/funnel", "says", context, settings: settings()))
        == ["4 of 4 people who met the conditions were asked; 2 of 4 dialogs ended with stars."])
    #expect(try steps(of: "unasked").map { $0.suffix(4) } == Array(repeating: "|0|0", count: 7))
    #expect(try steps(of: "after").isEmpty)
  }

  @Test func `asked are people whose events, or whose profiles now, meet the conditions`() throws {
    let events = [
      dialog(.shown, 1, sent: 11, user: "asked"), dialog(.shown, 2, sent: 12, user: "asked"),
      // Neither too few messages nor used up tries are the conditions.
      dialog(.shown, 1, sent: 10, user: "few"),
      dialog(.shown, 1, sent: 11, tries: 2, user: "tired"),
      dialog(.shown, 1, sent: nil, trigger: "settings", user: "settings"),
      // Rated by the way of the settings, though the question was due.
      dialog(.stars, 1, sent: 11, user: "unasked"), dialog(.shown, -1, sent: 11, user: "before"),
      // An app whose events have no counters asks those who met them.
      dialog(.shown, 1, sent: nil, user: "app"), dialog(.due, 1, sent: 11, user: "told"),
      dialog(.due, 1, sent: 10, user: "few"), dialog(.due, 1, sent: nil, user: "app2"),
    ]
    try store.write { _ = try $0.append(events, source: "test") }
    #expect(try steps().first == "People asked|2|5")
    try save(["waits": (11, 11, 0), "young": (10, 11, 0)])
    #expect(try steps().first == "People asked|2|6")
    #expect(try steps(of: "profile waits").first == "People asked|0|1")
  }

  @Test func `profiles are counted by what comes next, each once`() throws {
    func counts(mostPrompts: Int = 2) throws -> [String] {
      try store.rows(
        of: "ratings/asking", "count, share_whole", context,
        settings: settings(mostPrompts: mostPrompts))
    }
    #expect(try counts().isEmpty)
    try save([
      "a": (11, 11, 0), "b": (10, 11, 0), "c": (11, 10, 1), "d": (50, 50, 2),
      "e": (-999_999_999, -999_999_999, 0),
    ])
    #expect(try counts() == ["1|5", "2|5", "1|5", "1|5", "0|5"])
    #expect(try counts(mostPrompts: 0) == ["0|5", "0|5", "0|5", "0|5", "5|5"])
  }

  @Test(arguments: [(6, "2026-02-23|0|0|0"), (7, "2026-02-23|-|-|-")])
  func `a week of which nothing is known has no count of dialogs, with one known day it has`(
    days: Int, row: String
  ) throws {
    let events = [popup(.buttonTapped, -7 * 86_400), prompt(.shown, 0, "a")]
    try store.write { _ = try $0.append(events, source: "test") }
    var context = context
    context.unknownDays = (1...days).map { Self.start - .seconds(86_400 * $0) }
    #expect(
      try store.rows(of: "ratings/funnel-weeks", "week, shown, later_whole, unasked", context)
        == [row, "2026-03-02|1|1|0"])
  }

  @Test func `weeks of dialogs begin on Monday at midnight of the zone, and empty ones are there`()
    throws
  {
    // The clocks of Berlin go forward on 29 March.
    let (first, second) = (503 * 3_600, 670 * 3_600)
    let context = ReportContext(
      appName: "ChatHub", now: Self.start + .seconds(40 * 86_400), timeZone: "Europe/Berlin",
      start: Self.start + .seconds(first), end: Self.start + .seconds(second + 168 * 3_600))
    let shown = [first - 1, first, second - 1, second].map { prompt(.shown, $0, "\($0)") }
    let events = [popup(.buttonTapped, 180 * 3_600)] + shown
    try store.write { _ = try $0.append(events, source: "test") }
    #expect(
      try store.rows(of: "ratings/funnel-weeks", "week, shown", context)
        == ["2026-03-09|0", "2026-03-16|1", "2026-03-23|2", "2026-03-30|1"])
  }
}
