import Fixtures
import Model
import StoreTesting
import Testing

@testable import Store

@Suite("What the ledger knows of people")
struct PeopleReadingTests {
  let folder: TemporaryStore
  let store: Store

  static let day = 86_400.0
  /// A week, 60 days after the first events; `.morning` is a Saturday.
  static let start = Instant.morning + .seconds(60 * 86_400)
  let context = ReportContext(
    appName: "ChatHub", now: start + .seconds(7 * 86_400), timeZone: "UTC", start: start,
    end: start + .seconds(7 * 86_400))

  init() throws {
    (folder, store) = try TemporaryStore.opened()
  }

  /// A feature event `seconds` after the start of the period.
  func event(
    _ kind: EventKind, _ user: String = "u", _ seconds: Double, type: UserType? = .freeUser,
    feature: Feature = .refresh, _ parameters: [String: EventValue] = [:], country: String? = nil
  ) -> Event {
    var all = Dictionary(uniqueKeysWithValues: parameters.map { ("ios_" + $0.key, $0.value) })
    all["ios_user_type"] = type.map { .string($0.rawValue) }
    return Event(
      name: FeatureEventName(platform: "ios", feature: feature, kind: kind).text,
      at: Self.start + .microseconds(Int64(seconds * 1_000_000)), userId: user, parameters: all,
      country: country)
  }

  func reading(
    _ events: [Event], changes: [SettingChange] = [], oneIn: Int? = nil
  ) throws -> PeopleReading {
    try store.write { _ = try $0.append(events, source: "test") }
    return try store.read {
      try $0.peopleReading(context, changes: changes, oneIn: oneIn)
    }
  }

  /// The rows of a section, of the columns that are named.
  func rows(
    of name: String, _ columns: String, _ events: [Event],
    missing: [Int: DayFacts.Coverage] = [:], oneIn: Int? = nil
  ) throws -> [String] {
    try store.write { _ = try $0.append(events, source: "test") }
    return try store.rows(of: name, columns, context, days: facts(missing), oneIn: oneIn)
  }

  func offer(
    _ kind: EventKind, _ user: String, _ seconds: Double, usage: Int, limit: Int = 2
  ) -> Event {
    event(
      kind, user, seconds,
      ["current_usage": .integer(Int64(usage)), "usage_limit": .integer(Int64(limit))])
  }

  @Test func `an empty ledger has nobody`() throws {
    let found = try reading([])
    #expect(found.people.stages == PeopleData.Stages())
    #expect(!found.people.knowsUserTypes)
    #expect(found.activity.days.allSatisfy { $0.daily == 0 })
    #expect(found.demand.people == 0 && found.experiments.experiments.isEmpty)
  }

  @Test func `a stage has those of the stage before it who went on, each once`() throws {
    var events: [Event] = []
    /// What one person did, a second after another.
    func add(_ user: String, _ kinds: [EventKind], subscribes: Bool = false) {
      for (second, kind) in kinds.enumerated() { events.append(event(kind, user, Double(second))) }
      if subscribes { events.append(event(.performed, user, 90, type: .liteSubscriber)) }
    }
    add("active", [.buttonTapped, .performed])
    add("popup", [.buttonTapped, .popupShown, .popupShown])
    add("blocked", [.buttonTapped, .popupShown, .blockedCooldown, .blockedCooldown])
    add("tapped", [.popupShown, .blockedLimitReached, .subscriptionButtonTapped])
    add("before", [.popupShown, .subscriptionButtonTapped, .blockedLimitReached])
    add("all", [.popupShown, .blockedCooldown, .subscriptionButtonTapped], subscribes: true)
    add("straight", [.popupShown, .subscriptionButtonTapped], subscribes: true)
    add("silent", [.performed], subscribes: true)
    events += [
      event(.performed, "subscriber", 1, type: .liteSubscriber),
      event(.popupShown, "new", 1, type: .newUser), event(.popupShown, "untold", 1, type: nil),
      event(.blockedCooldown, "early", -1), event(.popupShown, "late", 7 * Self.day),
      event(.popupShown, "", 3),
    ]
    let found = try reading(events).people
    #expect(
      found.stages
        == PeopleData.Stages(active: 8, popup: 6, blocked: 4, tapped: 2, subscribed: 1))
    #expect(
      try rows(of: "usage/funnel", "stage, people, of_previous_part, of_previous_whole, lost", [])
        == [
          "Active as a free user|8|-|-|-", "Saw a popup|6|6|8|2", "Was blocked|4|4|6|2",
          "Tapped to subscribe|2|2|4|2", "New subscriber|1|1|2|1",
        ])
    #expect(found.tappedAtAll == 4)
    #expect(found.newSubscribers == 3 && found.untyped == 1)
    #expect(found.knowsUserTypes)
  }

  @Test
  func `who was blocked before the period, and subscribes in it, is in every stage`() throws {
    var events = [
      event(.blockedCooldown, "a", -9), event(.subscriptionButtonTapped, "a", -8),
      // A tap before the block, a block as a new user, and a tap after the subscription.
      event(.subscriptionButtonTapped, "b", -9), event(.blockedCooldown, "b", -8),
      event(.blockedCooldown, "c", -9, type: .newUser), event(.subscriptionButtonTapped, "c", -8),
      event(.blockedCooldown, "d", -9), event(.subscriptionButtonTapped, "d", 6),
    ]
    events += ["a", "b", "c", "d"].map { user in
      event(.performed, user, 5, type: .liteSubscriber, country: "Kenya")
    }
    let found = try reading(events).people
    #expect(
      found.stages
        == PeopleData.Stages(active: 2, popup: 1, blocked: 1, tapped: 1, subscribed: 1))
    #expect(found.newSubscribers == 4 && found.tappedAtAll == 2)
    #expect(
      try rows(of: "usage/funnel-by-country", "country, active, blocked_part, subscribed", [])
        == ["not told|1|0|0", "Kenya|1|1|1"])
  }

  @Test
  func `a subscriber is new once, after an event that called the person free or new`() throws {
    let found = try reading([
      event(.performed, "a", -5, type: .newUser), event(.performed, "a", 5, type: .liteSubscriber),
      event(.performed, "b", -9), event(.performed, "b", -5, type: .liteSubscriber),
      event(.performed, "b", 4), event(.performed, "b", 5, type: .liteSubscriber),
      event(.performed, "c", 5, type: .liteSubscriber), event(.performed, "c", 6),
    ]).people
    #expect(found.newSubscribers == 1)
  }

  @Test
  func `the time to the first block is of those who were not blocked at their first tap`() throws {
    let events = [
      event(.buttonTapped, "a", 10), event(.buttonTapped, "a", 70),
      event(.blockedLimitReached, "a", 70), event(.buttonTapped, "a", 99),
      event(.blockedCooldown, "a", 99),
      event(.buttonTapped, "b", 10), event(.blockedCooldown, "b", 10),
      event(.buttonTapped, "b", 30),
      event(.buttonTapped, "c", 5), event(.buttonTapped, "c", 7),
      event(.blockedCooldown, "c", 7.5), event(.blockedCooldown, "d", 5),
    ]
    // "c" after 2 seconds, "a" after 60; between them the time is interpolated.
    #expect(
      try rows(
        of: "usage/time-to-block", "people, at_first_tap, quarter, median, three_quarters", events)
        == ["2|1|16.5|31.0|45.5"])
  }

  @Test
  func `popups are told apart by the uses left, and a tap belongs to those with as many`() throws {
    let events = [
      offer(.popupShown, "a", 1, usage: 0), offer(.popupShown, "a", 2, usage: 1),
      offer(.popupShown, "a", 3, usage: 2), offer(.subscriptionButtonTapped, "a", 4, usage: 2),
      offer(.popupShown, "b", 1, usage: 1), offer(.popupShown, "b", 2, usage: 1),
      offer(.subscriptionButtonTapped, "b", 3, usage: 1), offer(.popupShown, "c", 9, usage: 5),
      offer(.subscriptionButtonTapped, "d", 3, usage: 1), event(.popupShown, "e", 3),
    ]
    #expect(
      try rows(of: "usage/funnel-by-attempt", "left, people, tapped_part, tapped_whole", events)
        == ["no use left: blocked|2|1|2", "1 use left|2|1|2", "2 uses left|1|0|1"])
  }

  @Test func `a sample has all events of some people, and says of how many`() throws {
    let events = (0..<400).flatMap { user in
      (0..<3).map { offer(.popupShown, "user\(user)", Double($0), usage: $0) }
    }
    #expect(try reading(events).people.sampledOneIn == 1, "of a small ledger all are read")
    let found = try store.read { try $0.peopleReading(context, changes: [], oneIn: 4) }
    #expect(found.people.sampledOneIn == 4)
    #expect(found.people.stages.active == 400)
    let people = try rows(of: "usage/funnel-by-attempt", "people", [], oneIn: 4)
    #expect(people.count == 3 && Set(people).count == 1, "\(people)")
    #expect(abs((Int(people[0]) ?? 0) * 4 - 400) < 160, "\(people)")
  }

  @Test func `people are grouped by the country of their first event that names one`() throws {
    let events = [
      event(.performed, "a", 1), event(.popupShown, "a", 2, country: "Kenya"),
      event(.popupShown, "b", 1, country: "Kenya"), event(.performed, "c", 1),
      event(.performed, "d", 1, country: "Chile"), event(.performed, "e", 1, country: "Peru"),
      event(.blockedCooldown, "b", 3, country: "Peru"),
    ]
    #expect(
      try rows(of: "usage/funnel-by-country", "country, active, blocked_part, tapped_part", events)
        == ["Kenya|2|1|0", "not told|1|0|0", "Chile|1|0|0", "Peru|1|0|0"])
  }

  private func filter(
    _ kind: EventKind, _ user: String, _ seconds: Double, _ criteria: String,
    gender: String = "", country: String = "", results: Int? = nil
  ) -> Event {
    var parameters: [String: EventValue] = [
      "filter_criteria": .string(criteria), "filter_gender": .string(gender),
      "filter_country": .string(country),
    ]
    parameters["filter_result_count"] = results.map { .integer(Int64($0)) }
    return event(kind, user, seconds, feature: .filter, parameters)
  }

  @Test func `without a known result nothing is told of filters that found nobody`() throws {
    #expect(
      try rows(of: "users/filter-combinations", "says", [filter(.buttonTapped, "a", 1, "")])
        == ["The most frequent filter is one without a criterion: 1 of 1 taps."])
  }

  @Test
  func `filters are grouped by their criteria; a result belongs to those of its filter`() throws {
    let events = [
      filter(.buttonTapped, "a", 1, "gender Female, age 25-35", gender: "Female"),
      filter(.performed, "a", 2, "gender Female, age 25-35", gender: "Female", results: 0),
      filter(.buttonTapped, "b", 1, "age 18-20, gender Female", gender: "female"),
      filter(.performed, "b", 2, "age 18-20, gender Female", gender: "female", results: 10),
      filter(.buttonTapped, "b", 3, "", country: "Chile"),
      filter(.buttonTapped, "c", 1, "nearby"), filter(.buttonTapped, "d", 1, ""),
      event(.buttonTapped, "e", 1, feature: .search), filter(.performed, "c", 3, "nearby"),
    ]
    #expect(
      try rows(
        of: "users/filter-combinations",
        "criteria, taps_part, taps_whole, people_part, people_whole,"
          + " empty_part, empty_whole", events)
        == [
          "gender + age|2|5|2|4|1|2", "no criterion|1|5|1|4|-|-", "country|1|5|1|4|-|-",
          "nearby|1|5|1|4|-|-",
        ])
    #expect(
      Set(try rows(of: "users/filter-combinations", "says", []))
        == ["The most frequent filter is gender + age: 2 of 5 taps. 1 of 2 filters found nobody."])
    #expect(
      try rows(of: "users/demand-by-gender", "gender, people_part, people_whole", [])
        == ["Female|2|4"])
    #expect(
      try rows(of: "users/demand-by-country", "country, people_part, users_whole", [])
        == ["Chile|1|0"])
    #expect(
      try rows(of: "usage/funnel-by-criteria", "criterion, active", [])
        == ["Gender|2", "Country|1", "Age|2", "Nearby|1", "No criterion|1"])
    let all = try reading([]).demand
    #expect((all.people, all.taps, all.answered, all.empty) == (4, 5, 2, 1))
  }
}

/// The days, weeks and changes of settings.
extension PeopleReadingTests {
  /// An event on a day of the period's week, or before it.
  func seen(_ user: String, _ days: Int...) -> [Event] {
    days.map { event(.performed, user, Double($0) * Self.day + 3_600) }
  }

  @Test
  func `days have the people of one, 7 and 28 days, as soon as the ledger has as many`() throws {
    let found = try reading(seen("a", -21, -1, 5, 6) + seen("b", 6) + seen("c", 0)).activity
    let last = try #require(found.days.last)
    // The period ends at eight o'clock on 8 April.
    #expect(last.start == Instant(iso8601: "2026-04-07T00:00:00Z"))
    #expect((last.daily, last.weekly, last.fourWeekly) == (2, 3, 3))
    #expect(found.days.count == 28)
    #expect(found.days.first?.weekly == nil && found.days.first?.daily == 1)
    #expect(found.days[26].fourWeekly == nil && found.days[6].weekly == 1)
  }

  @Test
  func `a cohort is of a week, and a day after it is blank until it is over for all`() throws {
    // Day 0 is Wednesday, 1 April: "a" and "b" came in the week of 2 March, "c" in the next one.
    // 30 days after its Sunday is 7 April, the last day that is over.
    let events =
      seen("old", -60, -20, -19) + seen("a", -26, -25, -19, 4) + seen("b", -24, -23)
      + seen("c", -20, 10)
    let found = try rows(of: "users/cohorts", Self.cohort, events)
    #expect(found.contains("2026-03-02|2|2|2|1|2|1|2"))
    #expect(found.contains("2026-03-09|1|0|1|0|1|0|-"))
    // The ledger begins on Saturday, 31 January: the first week that is told is two weeks later.
    #expect(found.first?.hasPrefix("2026-02-16|0|0|0|") == true, "\(found)")
    // Sunday's people come back until the day after the week.
    #expect(found.last == "2026-03-30|0|0|0|0|-|0|-", "\(found)")
  }

  @Test func `people seen again on each day after their first are those for whom it is known`()
    throws
  {
    // "c" comes back on a day that the period does not have, 30 days later.
    let events =
      seen("old", -60) + seen("a", -26, -25, -19, 4) + seen("b", -24, -23) + seen("c", -20, 10)
    let columns = "after, seen_part, seen_whole"
    let found = try rows(of: "users/retention", columns, events)
    #expect(found.count == 30)
    #expect(found.prefix(2) == ["1|2|3", "2|0|3"] && found[6] == "7|1|3" && found[29] == "30|1|2")
    let known = try rows(of: "users/retention", columns, [], missing: [-25: .partial])
    #expect(known.first == "1|1|2")
  }

  private static let cohort =
    "week, people, day_1_part, day_1_whole, day_7_part, day_7_whole, day_30_part, day_30_whole"

  /// The civil days of the ledger that begin so many days after the period's first.
  private func facts(_ coverage: [Int: DayFacts.Coverage]) -> [DayFacts] {
    let midnight = LocalDay(of: Self.start, in: "UTC").start
    return coverage.sorted { $0.key < $1.key }.map { day, coverage in
      let start = midnight + .seconds(86_400 * day)
      return DayFacts(start: start, end: start + .seconds(86_400), coverage: coverage)
    }
  }

  func reading(
    _ events: [Event], changes: [SettingChange] = [], missing: [Int: DayFacts.Coverage]
  ) throws -> PeopleReading {
    try store.write { _ = try $0.append(events, source: "test") }
    return try store.read {
      try $0.peopleReading(context, changes: changes, days: facts(missing))
    }
  }

  @Test func `who would have come back on a day without lines is in neither number`() throws {
    // "a" came on 6 March, day -26, "b" on 8 March, day -24; the day after "a" came is missing.
    let events = seen("old", -60) + seen("a", -26, -19) + seen("b", -24, -23)
    let found = try reading(events, missing: [-25: .partial, -3: .none]).activity
    let weeks = try rows(of: "users/cohorts", Self.cohort, [], missing: [-25: .partial, -3: .none])
    #expect(weeks.contains { $0.hasPrefix("2026-03-02|2|1|1|1|2|") }, "\(weeks)")
    #expect(found.missingDays == facts([-25: .partial, -3: .none]).map(\.start))
    #expect(found.days.filter { $0.coverage != .whole }.map(\.coverage) == [.none], "of 28 days")
    let none = try rows(of: "users/cohorts", Self.cohort, [], missing: [-25: .none, -23: .none])
    #expect(none.contains { $0.hasPrefix("2026-03-02|2|0|-|") }, "\(none)")
  }

  @Test
  func `7 days are those from the first whole day on, and awaited days are still to come`() throws {
    let found = try reading(
      seen("a", -9, -1, 5), missing: [-9: .partial, 6: .awaited]
    ).activity
    #expect(found.days.first?.coverage == .partial)
    #expect(found.days[6].weekly == nil && found.days[7].weekly == 0)
    #expect(found.days.last?.start == facts([5: .whole])[0].start)
    #expect(found.missingDays.isEmpty)
  }

  @Test func `a person is new when the account was made, unless an event came before`() throws {
    func made(_ uid: String, _ day: Int) throws {
      let at = (Self.start + .seconds(86_400 * day)).microseconds
      try folder.execute(
        """
        INSERT INTO auth_users (uid, email_verified, providers, created_at, disabled, factors,
          synced_at, pass) VALUES ('\(uid)', 0, '[]', \(at), 0, 0, 0, 1)
        """)
    }
    // "b" was there long before, "c" came a week before the first event, "d" has events before.
    try made("a", -26)
    try made("b", -90)
    try made("c", -26)
    try made("d", 0)
    try made("nobody", -26)
    let events =
      seen("old", -60) + seen("a", -26, -25) + seen("b", -26) + seen("c", -19) + seen("d", -26)
    let found = try reading(events).activity
    let weeks = try rows(of: "users/cohorts", "week, people, day_1_part, day_7_part", [])
    #expect(weeks.filter { !$0.contains("|0|") } == ["2026-03-02|3|1|1"], "\(weeks)")
    #expect(found.knownAccounts == 4 && found.people == 5)
  }
}
