import Fixtures
import Model
import StoreTesting
import Testing

@testable import Store

@Suite struct DayHistoryTests {
  let folder: TemporaryStore
  let store: Store

  /// Three days of 24, 25 and 23 hours from `morning`; the last is running.
  static let days: [Range<Instant>] = [
    at(0)..<at(24), at(24)..<at(49), at(49)..<at(72),
  ]
  let context = ReportContext(
    appName: "ChatHub", now: Self.at(50), timeZone: "UTC", start: Self.at(24), end: Self.at(50))

  private static func at(_ hours: Double) -> Instant { .morning + .seconds(hours * 3_600) }

  init() throws {
    (folder, store) = try TemporaryStore.opened()
  }

  private func event(
    _ kind: EventKind, _ user: String = "u1", at hours: Double, type: UserType? = .freeUser
  ) -> Event {
    Event(
      name: FeatureEventName(platform: "ios", feature: .refresh, kind: kind).text,
      at: Self.at(hours), userId: user,
      parameters: type.map { ["ios_user_type": .string($0.rawValue)] } ?? [:])
  }

  private func facts(
    _ events: [Event], source: String = "a.json", of userId: String? = nil
  ) throws -> [DayFacts] {
    try store.write { _ = try $0.append(events, source: source) }
    return try store.read {
      try $0.usageData(context, of: userId, days: Self.days)
    }.history.days
  }

  @Test func `events belong to the day that they lie in`() throws {
    let second = 1.0 / 3_600
    let days = try facts(
      [-second, 0, 24 - second, 24, 49 - second, 49, 72 - second, 72].map {
        event(.buttonTapped, at: $0)
      })
    #expect(days.map(\.taps) == [2, 2, 2])
    #expect(days.map(\.exportLines) == [2, 2, 2])
    #expect(days.map(\.activeUsers) == [1, 1, 1])
    #expect(days.map(\.start) == Self.days.map(\.lowerBound))
    #expect(days.map(\.coverage) == [.whole, .whole, .running])
  }

  @Test func `people are counted once a day, events each time`() throws {
    let days = try facts([
      event(.buttonTapped, "a", at: 1), event(.blockedCooldown, "a", at: 2),
      event(.buttonTapped, "a", at: 3), event(.blockedLimitReached, "a", at: 4),
      event(.blockedCooldown, "b", at: 5), event(.blockedCooldown, "", at: 6),
      event(.blockedCooldown, "a", at: 25), event(.popupShown, "a", at: 26),
      event(.popupDismissed, "a", at: 27), event(.performed, "a", at: 28),
      event(.subscriptionButtonTapped, "c", at: 29),
    ])
    #expect(days.map(\.activeUsers) == [2, 2, 0])
    #expect(days.map(\.blockedUsers) == [2, 1, 0])
    #expect(days.map(\.blocked) == [4, 1, 0])
    #expect(days[1].popups == 1 && days[1].dismissed == 1 && days[1].performed == 1)
    #expect(days[1].subscriptionTaps == 1)
  }

  @Test func `a part has what people of it do, by the first event of their day`() throws {
    var events = [
      event(.buttonTapped, "a", at: 1), event(.performed, "a", at: 2),
      event(.buttonTapped, "a", at: 3), event(.buttonTapped, "b", at: 25),
      event(.popupShown, "b", at: 26), event(.performed, "", at: 27),
    ]
    for (index, country) in ["India", "Chile", "", "India", "", "India"].enumerated() {
      events[index].country = country
    }
    try store.write { _ = try $0.append(events, source: "a.json") }
    let parts = try store.read { try $0.usageData(context, days: Self.days) }.parts
    let india = try #require(parts[AppDimension(.country, "India")])
    #expect(parts.count == 1 && india.people == [1, 1, 0] && india.events == [3, 2, 0])
    #expect(india.taps[Feature.refresh.position] == [2, 1, 0])
    #expect(india.performed[Feature.refresh.position] == [1, 0, 0])
    #expect(india.taps[Feature.search.position] == [0, 0, 0])
  }

  @Test func `taps of subscribers and new users cannot be blocked`() throws {
    let days = try facts(
      [.freeUser, nil, .newUser, .liteSubscriber].enumerated().map { index, type in
        event(.buttonTapped, at: Double(index), type: type)
      })
    #expect(days[0].taps == 4)
    #expect(days[0].freeTaps == 2)
  }

  @Test
  func `blocks of subscribers and new users, which an import may bring, are no share of these`()
    throws
  {
    let days = try facts(
      [.freeUser, nil, .newUser, .liteSubscriber].enumerated().map { index, type in
        event(index == 0 ? .blockedLimitReached : .blockedCooldown, at: Double(index), type: type)
      })
    #expect(days[0].blocked == 4 && days[0].freeBlocked == 2)
  }

  @Test func `a person becomes a subscriber once, after being seen as none`() throws {
    let days = try facts([
      event(.performed, "always", at: 1, type: .liteSubscriber),
      event(.performed, "untold", at: 1, type: nil),
      event(.performed, "untold", at: 2, type: .liteSubscriber),
      event(.performed, "a", at: 1), event(.performed, "b", at: 1, type: .newUser),
      event(.performed, "a", at: 25, type: .liteSubscriber),
      event(.performed, "a", at: 26, type: .liteSubscriber), event(.performed, "a", at: 27),
      event(.performed, "a", at: 50, type: .liteSubscriber),
      event(.performed, "b", at: 51, type: .liteSubscriber),
    ])
    #expect(days.map(\.newSubscribers) == [0, 1, 1])
  }

  @Test func `the program's own events are no lines of the export`() throws {
    _ = try facts([event(.buttonTapped, "own", at: 1)], source: Event.ownSource)
    let days = try facts([
      event(.buttonTapped, at: 1), Event(name: "app_events", at: Self.at(30), userId: "c"),
    ])
    #expect(days.map(\.exportLines) == [1, 1, 0])
    #expect(days.map(\.taps) == [2, 0, 0])
    let hours = try store.read { try $0.importHours(Self.at(0.5)..<Self.at(3)) }
    #expect(hours == ImportHours(start: Self.at(0), counts: [0, 1, 0]))
  }

  @Test func `the ledger begins with the first import, else with the first event`() throws {
    func begins() throws -> Instant? { try store.read { try $0.ledgerBeginsAt() } }
    #expect(try begins() == nil)
    _ = try facts([event(.buttonTapped, at: 1)], source: Event.ownSource)
    #expect(try begins() == Self.at(1))
    _ = try facts([event(.buttonTapped, at: 3)])
    #expect(try begins() == Self.at(3))
  }

  @Test func `of one user, counts are the user's and lines everybody's`() throws {
    let days = try facts(
      [event(.buttonTapped, "a", at: 1), event(.buttonTapped, "b", at: 1)], of: "a")
    #expect(days[0].taps == 1)
    #expect(days[0].exportLines == 2)
  }

  @Test func `a period before the days and the days are both read`() throws {
    try store.write {
      _ = try $0.append(
        [-50, -30, -10, 1].map { event(.buttonTapped, at: $0) }, source: "a.json")
    }
    let old = ReportContext(
      appName: "ChatHub", now: Self.at(50), timeZone: "UTC", start: Self.at(-40),
      end: Self.at(-20))
    let data = try store.read { try $0.usageData(old, days: Self.days) }
    #expect(data.buckets.map(\.count) == [1, 1, 1])
    #expect(data.buckets.map(\.span) == [.before, .period, .other])
    #expect(data.activeUsers == 1)
    #expect(data.history.days.map(\.taps) == [1, 0, 0])
  }

  @Test(arguments: [(false, 0), (true, 1)])
  func `hours that no export has brought are on no side of a change`(
    isThere: Bool, days: Int
  ) throws {
    // 24.5 hours before now, and 23.5 before today began.
    let change = SettingChange(
      wireName: "freeRefreshLimit", source: .appSettings, oldValue: "2", newValue: "1",
      changedAt: Self.at(25.5))
    let history = try facts(
      ([0, 26] + (isThere ? [49.5] : [])).map { event(.performed, at: $0) })
    let found = try store.read {
      try $0.peopleReading(context, changes: [change], days: history).experiments.experiments
    }
    #expect(found.map(\.days) == [days])
  }
}
