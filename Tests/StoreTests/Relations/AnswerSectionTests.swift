import Model
import StoreTesting
import Testing

@testable import Store

/// The tables that answer an owner's questions about features, popups and people, counted by their
/// queries on a small ledger: docs/reports/questions.md.
@Suite struct AnswerSectionTests {
  let folder: TemporaryStore
  let store: Store

  /// Two whole days from Monday, 2 March 2026.
  static let start = UsageSectionTests.start
  static let end = 2 * 86_400
  let context = ReportContext(
    appName: "ChatHub", now: start + .seconds(3 * 86_400), timeZone: "UTC", start: start,
    end: start + .seconds(end))

  init() throws {
    (folder, store) = try TemporaryStore.opened()
  }

  /// Facts of the period's days.
  var days: [DayFacts] {
    [0, 1].map { day in
      let start = Self.start + .seconds(day * 86_400)
      return DayFacts(start: start, end: start + .seconds(86_400))
    }
  }

  func event(
    _ kind: EventKind, _ seconds: Int, _ feature: Feature = .refresh, user: String = "u",
    _ type: UserType? = .freeUser, left uses: (limit: Int64, usage: Int64)? = nil,
    seconds open: Int64? = nil, version: String? = nil, platform: String = "ios"
  ) -> Event {
    var parameters: [String: EventValue] = [:]
    parameters["\(platform)_user_type"] = type.map { .string($0.rawValue) }
    parameters["\(platform)_usage_limit"] = uses.map { .integer($0.limit) }
    parameters["\(platform)_current_usage"] = uses.map { .integer($0.usage) }
    parameters["\(platform)_popup_seconds"] = open.map { .integer($0) }
    if open != nil { parameters["\(platform)_dismiss_reason"] = .string("dismissed") }
    var event = Event(
      name: FeatureEventName(platform: platform, feature: feature, kind: kind).text,
      at: Self.start + .seconds(seconds), userId: user, parameters: parameters)
    event.appVersion = version
    return event
  }

  func rows(
    of name: String, _ columns: String, _ events: [Event], days: [DayFacts] = [],
    settings: [SettingKey: String] = [:], prices: [Tier: String] = [:]
  ) throws -> [String] {
    try store.write { _ = try $0.append(events, source: "test") }
    return try store.rows(
      of: name, columns, context, days: days, prices: prices,
      settings: SettingsRule.resolve(fetched: [], workspace: settings))
  }

  // MARK: Which limit sells

  private func byFeature(_ events: [Event]) throws -> [String] {
    try rows(
      of: "usage/funnel-by-feature", "feature, saw, blocked_part, tapped_part, subscribed", events)
  }

  @Test(arguments: [(99, 0), (100, 1), (101, 1)])
  func `a tap on a feature's button counts from the block at that feature on`(
    second: Int, tapped: Int
  ) throws {
    let events = [
      event(.popupShown, 49, .search), event(.blockedLimitReached, 50, .search),
      event(.blockedLimitReached, 100, .message),
      event(.subscriptionButtonTapped, second, .message),
    ]
    #expect(
      try byFeature(events)
        == ["search|1|1|0|0", "message|1|1|\(tapped)|0", "all|1|1|1|0"])
  }

  @Test(arguments: [(0, 1), (-1, 0), (AnswerSectionTests.end - 1, 1), (AnswerSectionTests.end, 0)])
  func `of who did not subscribe the blocks of the period count`(second: Int, blocked: Int) throws {
    let events = [
      event(.popupShown, 10, .search), event(.popupShown, 10, .message),
      event(.blockedLimitReached, 20, .message), event(.blockedLimitReached, second, .search),
    ]
    #expect(
      try byFeature(events)
        == ["search|1|\(blocked)|0|0", "message|1|1|0|0", "all|1|1|0|0"])
  }

  @Test(arguments: [(199, "message"), (200, "search"), (201, "search")])
  func `a subscription belongs to the feature of the last tap before it, blocked there or not`(
    subscribedAt: Int, feature: String
  ) throws {
    let events = [
      event(.popupShown, 1), event(.blockedLimitReached, 2), event(.popupShown, 90, .message),
      event(.subscriptionButtonTapped, 100, .message),
      event(.subscriptionButtonTapped, 200, .search),
      event(.performed, subscribedAt, .refresh, .liteSubscriber),
    ]
    let found = try byFeature(events)
    #expect(found.first == "refresh|1|1|0|0" && found.last == "all|1|1|1|1")
    #expect(found.filter { $0.hasSuffix("|1") }.count == 2)
    #expect(found.contains { $0.hasPrefix("\(feature)|") && $0.hasSuffix("|1") })
  }

  @Test
  func `who came through the limit was blocked up to the subscription, also before the period`()
    throws
  {
    let events = [
      event(.popupShown, -50), event(.blockedLimitReached, -40),
      event(.subscriptionButtonTapped, -30), event(.blockedCooldown, 11, .message),
      event(.blockedCooldown, 10, .search), event(.performed, 10, .refresh, .liteSubscriber),
    ]
    let found = try byFeature(events)
    #expect(found == ["refresh|1|1|1|1", "search|1|1|0|0", "all|1|1|1|1"])
  }

  @Test func `the funnel by version takes the first day whose first event names one`() throws {
    let events = [
      event(.buttonTapped, 1, user: "a", version: nil),
      event(.buttonTapped, 2, user: "a", version: "1.0"),
      event(.buttonTapped, 86_400, user: "a", version: "1.1"),
      event(.blockedLimitReached, 86_401, user: "a", version: "1.2"),
      event(.popupShown, 86_402, user: "a", version: "1.2"),
      event(.buttonTapped, 3, user: "b", version: nil),
    ]
    let columns =
      "version, active, blocked_part, blocked_whole, verdict_from_whole, verdict_to_whole"
    let found = try rows(of: "usage/funnel-by-version", columns, events, days: days)
    #expect(found == ["not told|1|0|1|1|1", "1.1|1|1|1|1|1"])
  }

  @Test func `the funnel by platform needs two of them`() throws {
    let columns = "platform, active, blocked_part, tapped_part, subscribed_part"
    let mine = [
      event(.popupShown, 1, user: "a"), event(.blockedLimitReached, 2, user: "a"),
      event(.subscriptionButtonTapped, 3, user: "a"), event(.buttonTapped, 3, user: "c"),
      event(.performed, 4, .refresh, user: "a", .liteSubscriber),
    ]
    #expect(try rows(of: "usage/funnel-by-platform", columns, mine) == [])
    let other = [event(.buttonTapped, 5, user: "b", platform: "android")]
    #expect(
      try rows(of: "usage/funnel-by-platform", columns, other)
        == ["ios|2|1|1|1", "android|1|0|0|0"])
    let verdict = ["from_part", "from_whole", "to_part", "to_whole"].map { "verdict_\($0)" }
    #expect(
      try rows(of: "usage/funnel-by-platform", verdict.joined(separator: ", "), [])
        == ["0|1|1|2", "1|2|0|1"])
  }

  @Test func `a stage of the way needs those before it, in each table of the funnel`() throws {
    let way: [EventKind] = [
      .buttonTapped, .popupShown, .blockedLimitReached, .subscriptionButtonTapped,
    ]
    let skipping: [EventKind] = [.buttonTapped, .blockedLimitReached, .subscriptionButtonTapped]
    let people = (1...4).map { Array(way.prefix($0)) } + [way, skipping]
    let events =
      people.enumerated().flatMap { number, kinds in
        kinds.enumerated().map { event($1, $0, .filter, user: "u\(number)") }
      } + [
        event(.performed, 9, .filter, user: "u4", .liteSubscriber),
        event(.buttonTapped, 9, .filter, user: "other", platform: "android"),
      ]
    #expect(try rows(of: "usage/funnel", "people", events) == ["7", "4", "3", "2", "1"])
    func parts(_ table: String, _ name: String, _ subscribed: String) throws -> [String] {
      try rows(
        of: "usage/funnel-by-\(table)", "\(name), active, blocked_part, tapped_part, \(subscribed)",
        [])
    }
    #expect(
      try parts("platform", "platform", "subscribed_part") == ["ios|6|3|2|1", "android|1|0|0|0"])
    #expect(try parts("version", "version", "subscribed_part") == ["not told|7|3|2|1"])
    #expect(try parts("country", "country", "subscribed") == ["not told|7|3|2|1"])
    #expect(try parts("criteria", "criterion", "subscribed") == ["No criterion|7|3|2|1"])
  }

  // MARK: Blocks

  @Test func `first blocks and those of the wait are those of people whom a limit can block`()
    throws
  {
    let events = [
      event(.blockedLimitReached, 0), event(.blockedCooldown, 1), event(.blockedCooldown, 2),
      event(.blockedCooldown, -1), event(.blockedLimitReached, Self.end),
      event(.blockedCooldown, -1, user: "early"),
      event(.blockedLimitReached, Self.end, user: "late"),
      event(.blockedCooldown, 3, .refresh, .newUser),
      event(.blockedCooldown, 3, .refresh, .liteSubscriber),
      event(.blockedLimitReached, 4, .filter, nil),
      // Rows of the feature in which nobody was blocked come last.
      event(.performed, 5, .filter, .liteSubscriber), event(.performed, 5, .search),
    ]
    #expect(
      try rows(
        of: "usage/waits", "feature, blocked, in_wait_part, people, again_part, again_whole", events
      )
        == ["refresh|3|2|1|1|1", "filter|1|0|1|0|1", "all|4|2|1|1|1"])
    #expect(
      Set(try rows(of: "usage/waits", "says", [])) == [
        "Of 1 person who was blocked 1 tried again during the wait; of 4 blocks 2 were such tries."
      ])
    let others = [
      event(.blockedLimitReached, 10, .filter, user: "other"),
      event(.blockedCooldown, 11, .filter, user: ""),
    ]
    #expect(
      try rows(of: "usage/waits", "people, again_part, says", others)
        == [
          "1|1", "2|0", "2|1",
        ].map {
          "\($0)|Of 2 people who were blocked 1 tried again during the wait; of 6 blocks 3 were such "
            + "tries."
        })
  }

  @Test func `hours of blocks have all hours of the day, and free taps beside them`() throws {
    let events = [
      event(.buttonTapped, 3_599), event(.buttonTapped, 3_600), event(.buttonTapped, 3_601),
      event(.blockedLimitReached, 3_602), event(.blockedCooldown, 86_400 + 7_199),
      event(.blockedCooldown, 7_200, .refresh, .newUser),
    ]
    let columns = "hour, blocked, share_part, share_whole"
    let found = try rows(of: "usage/blocked-hours", columns, events)
    #expect(found.count == 24 && found[0] == "00:00|0|0|1" && found[1] == "01:00|2|2|2")
    #expect(found[2...].allSatisfy { $0.hasSuffix("|0|0|0") })
  }

  @Test func `without a block of a free person there is no hour, and no wait`() throws {
    let events = [event(.blockedLimitReached, 1, .refresh, .newUser), event(.buttonTapped, 1)]
    #expect(try rows(of: "usage/blocked-hours", "hour", events) == [])
    #expect(try rows(of: "usage/waits", "feature", []) == [])
  }

  // MARK: People

  @Test func `uses a day are counted by person, day and feature, of six or more together`() throws {
    var events = [
      event(.buttonTapped, 1, user: "none"), event(.performed, 1, user: "once"),
      event(.performed, 86_400, user: "once"), event(.performed, -1, user: "once"),
      event(.performed, Self.end, user: "once"), event(.performed, 3, .search, user: "once"),
    ]
    events += (0..<5).map { event(.performed, 10 + $0, user: "five") }
    events += (0..<6).map { event(.performed, 10 + $0, user: "six") }
    events += (0..<7).map { event(.performed, 10 + $0, .refresh, user: "lite", .liteSubscriber) }
    #expect(
      try rows(
        of: "usage/uses-a-day",
        "feature, uses, free_part, free_whole, subscribers_part, subscribers_whole", events,
        days: days) == [
          "refresh|0|1|5|0|1", "refresh|1|2|5|0|1", "refresh|5|1|5|0|1",
          "refresh|6 or more|1|5|1|1", "search|1|1|1|0|0",
        ])
  }

  @Test(arguments: [(1_799, ["refresh|2|1|1"]), (1_800, ["refresh|1|2|2"])])
  func `half an hour without an event of any feature begins another session`(
    pause: Int, rows: [String]
  ) throws {
    let columns = "feature, uses, free_part, free_whole"
    let both = [event(.performed, 100), event(.performed, 100 + pause)]
    #expect(try self.rows(of: "usage/uses-a-session", columns, both, days: days) == rows)
    // Another person's events join no session, and neither do those of nobody.
    let others = ["v", ""].map { event(.popupShown, 100 + pause - 900, .search, user: $0) }
    #expect(try self.rows(of: "usage/uses-a-session", columns, others, days: days) == rows)
    let between = [event(.popupShown, 100 + pause - 900, .search)]
    #expect(
      try self.rows(of: "usage/uses-a-session", columns, between, days: days) == ["refresh|2|1|1"])
  }

  @Test func `uses in a session are counted by feature, of six or more together`() throws {
    var events = [
      event(.buttonTapped, 1, user: "none"), event(.performed, 1, user: "once"),
      event(.performed, 5_000, user: "once"), event(.performed, -1, user: "once"),
      event(.performed, Self.end, user: "once"), event(.performed, 3, .search, user: "once"),
      // The newest event that says it decides, also of two at one instant.
      event(.performed, 9, .filter, user: "new", .newUser),
      event(.performed, 9, .filter, user: "new", .liteSubscriber),
      event(.popupShown, 9, .filter, user: "new", nil),
    ]
    events += (0..<5).map { event(.performed, 10 + $0, user: "five") }
    events += (0..<6).map { event(.performed, 10 + $0, user: "six") }
    events += (0..<7).map { event(.performed, 10 + $0, .refresh, user: "lite", .liteSubscriber) }
    #expect(
      try rows(
        of: "usage/uses-a-session",
        "feature, uses, free_part, free_whole, subscribers_part, subscribers_whole", events,
        days: days) == [
          "refresh|0|1|5|0|1", "refresh|1|2|5|0|1", "refresh|5|1|5|0|1",
          "refresh|6 or more|1|5|1|1", "filter|2|0|0|1|1", "search|1|1|1|0|0",
        ])
  }

  @Test(arguments: [(29_997, 2), (29_998, 1)])
  func `of 30,000 events on those of every second person are read for sessions`(
    taps: Int, sessions: Int
  ) throws {
    // Two people have an event each; those of nobody count, too.
    let many = (0..<taps).map { event(.buttonTapped, $0, user: "") }
    let two = [event(.performed, 5, user: "a"), event(.performed, 6, user: "b")]
    #expect(
      try rows(of: "usage/uses-a-session", "uses, free_part", two + many, days: days)
        == ["1|\(sessions)"])
  }

  private static let unnamed = "Anonymous, or of a profile without a user id"

  @Test func `signed in are those with an id of the app, and all others are anonymous`() throws {
    let columns =
      "who, people, taps, performed, blocked_part, blocked_whole, popups, subscribed_part"
    let named = [
      event(.buttonTapped, 1, user: "a"), event(.performed, 2, user: "b"),
      event(.popupShown, 3, user: "a"), event(.subscriptionButtonTapped, 4, user: "a"),
      event(.buttonTapped, -1, user: "c"),
    ]
    #expect(try rows(of: "usage/signed-in", columns, named) == [])
    let nobody = [event(.blockedLimitReached, 5, user: "")]
    #expect(
      try rows(of: "usage/signed-in", columns, nobody)
        == ["Signed in|2|1|1|0|1|1|1", "\(Self.unnamed)|-|0|0|1|0|0|0"])
    let more = [
      event(.buttonTapped, 6, user: ""), event(.popupShown, 7, user: "profile default"),
      event(.performed, 8, user: "profile default"),
    ]
    #expect(
      try rows(of: "usage/signed-in", columns, more)
        == ["Signed in|2|1|1|0|1|1|1", "\(Self.unnamed)|-|1|1|1|1|1|0"])
  }

  // MARK: Popups

  @Test func `popups are told apart by the fewest uses that they say are left`() throws {
    let events = [
      event(.popupShown, 0, user: "a", left: (2, 2)),
      event(.popupShown, 0, user: "a", left: (2, 0)),
      event(.popupShown, 1, user: "b", left: (2, 1)),
      event(.popupShown, 2, user: "c", left: (2, 0)),
      event(.popupShown, 3, user: "d", left: (9, 0)), event(.popupShown, 4, user: "e"),
      event(.popupShown, 5, user: "f", left: (1, 7)),
    ]
    #expect(
      try rows(of: "usage/popup-outcomes", "outcome, shown, left_part", events)
        == ["No use left: blocked|3|3", "1 use left|1|1", "2 uses left or more|2|2"])
  }

  @Test(arguments: [([4], "4.0"), ([4, 9], "6.5"), ([4, 9, 10], "9.0"), ([4, 4, 9, 10], "6.5")])
  func `of popups with an end the middle one tells how long they were open`(
    seconds: [Int64], median: String
  ) throws {
    let ended = seconds.enumerated().flatMap { place, open in
      [
        event(.popupShown, 0, user: "\(place)", left: (2, 2)),
        event(.popupDismissed, 50, user: "\(place)", seconds: open),
      ]
    }
    var swiped = event(.popupDismissed, 60, user: "s", seconds: 4)
    swiped.parameters["ios_dismiss_reason"] = .string("swiped")
    let others = [
      event(.popupShown, 0, user: "open", left: (2, 2)),
      event(.popupShown, 0, user: "s", left: (2, 1)), swiped,
    ]
    #expect(
      try rows(
        of: "usage/popup-outcomes", "shown, by_hand_part, untold, left_part, median",
        ended + others)
        == ["\(seconds.count + 1)|\(seconds.count)|0|1|\(median)", "1|0|1|0|4.0"])
  }
}
