import Fixtures
import GRDB
import Model
import StoreTesting
import Testing

@testable import Store

@Suite struct UsageDataTests {
  let folder: TemporaryStore
  let store: Store

  /// One day from `morning`, which is over and compared with the same day a week earlier.
  let context = ReportContext(
    appName: "ChatHub", now: .morning + .seconds(3 * 86_400), timeZone: "UTC", start: .morning,
    end: .morning + .seconds(86_400))

  init() throws {
    (folder, store) = try TemporaryStore.opened()
  }

  /// A feature event `offset` seconds after the context's start.
  private func event(
    _ kind: EventKind, _ user: String = "u1", at offset: Double, type: UserType? = .freeUser,
    feature: Feature = .refresh
  ) -> Event {
    Event(
      name: FeatureEventName(platform: "ios", feature: feature, kind: kind).text,
      at: .morning + .microseconds(Int64(offset * 1_000_000)), userId: user,
      parameters: type.map { ["ios_user_type": .string($0.rawValue)] } ?? [:])
  }

  private func data(_ events: [Event]) throws -> UsageData {
    try store.write { _ = try $0.append(events, source: "test") }
    return try store.read { try $0.usageData(context) }
  }

  private func bucket(
    _ offset: Int64, _ kind: EventKind, _ type: UserType?, _ count: Int,
    feature: Feature = .refresh
  ) -> UsageData.Bucket {
    UsageData.Bucket(
      startsAtSeconds: Instant.morning.unixSeconds + offset, feature: feature, kind: kind,
      userType: type, platform: "ios", count: count)
  }

  @Test func `an empty ledger has empty data`() throws {
    let data = try data([])
    #expect(data.buckets.isEmpty)
    #expect(data.activeUsers == 0)
    #expect(data.previousActiveUsers == 0)
    #expect(data.newestEventAt == nil)
  }

  @Test func `events are counted by quarter, feature, kind and segment, oldest first`() throws {
    let found = try data([
      event(.performed, at: 900), event(.buttonTapped, at: 0),
      event(.buttonTapped, at: 899.999999), event(.buttonTapped, at: 900),
      event(.buttonTapped, at: 1, type: .newUser), event(.buttonTapped, at: 2, type: nil),
      event(.buttonTapped, at: 3, feature: .search),
    ])
    #expect(
      found.buckets == [
        bucket(0, .buttonTapped, nil, 1), bucket(0, .buttonTapped, .freeUser, 2),
        bucket(0, .buttonTapped, .newUser, 1),
        bucket(0, .buttonTapped, .freeUser, 1, feature: .search),
        bucket(900, .buttonTapped, .freeUser, 1), bucket(900, .performed, .freeUser, 1),
      ])
  }

  @Test(arguments: [
    (-604_800.000001, 0), (-604_800, 1), (-0.000001, 1), (0, 1), (86_399.999999, 1), (86_400, 0),
  ])
  func `the period before counts too; its start is included, the end is not`(
    offset: Double, buckets: Int
  ) throws {
    #expect(
      try data([event(.buttonTapped, at: offset)]).buckets.filter { $0.span != .other }
        .map(\.count) == [Int](repeating: 1, count: buckets))
  }

  @Test func `users are counted once in each of the two periods`() throws {
    let found = try data([
      event(.buttonTapped, "a", at: 1), event(.performed, "a", at: 2),
      event(.buttonTapped, "b", at: 3), event(.buttonTapped, "a", at: -604_795),
      event(.buttonTapped, "", at: 4), Event(name: "app_events", at: .morning, userId: "c"),
    ])
    #expect(found.activeUsers == 2)
    #expect(found.previousActiveUsers == 1)
  }

  @Test(arguments: [
    (-604_800.000001, 0, 0), (-604_800, 1, 0), (-518_400.000001, 1, 0), (-518_400, 0, 0),
    (-0.000001, 0, 0), (0, 0, 1), (86_399.999999, 0, 1), (86_400, 0, 0),
  ])
  func `a user belongs to the period that the event's instant lies in`(
    offset: Double, previous: Int, current: Int
  ) throws {
    let found = try data([event(.buttonTapped, "a", at: offset)])
    #expect(found.previousActiveUsers == previous)
    #expect(found.activeUsers == current)
  }

  @Test func `the heaviest users come by blocks, then taps, with their names where known`()
    throws
  {
    try store.merge([OnlineUser([.userId: "b", .name: "Bea"])])
    let events = [
      event(.buttonTapped, "a", at: 1), event(.buttonTapped, "b", at: 2),
      event(.buttonTapped, "b", at: 3), event(.performed, "b", at: 4),
      event(.blockedCooldown, "b", at: 5), event(.blockedLimitReached, "b", at: 6),
      event(.blockedCooldown, "b", at: 6.5, type: .liteSubscriber),
      event(.buttonTapped, "c", at: 7), event(.performed, "c", at: 8),
      event(.buttonTapped, "z", at: -1), event(.buttonTapped, "", at: 9),
    ]
    _ = try data(events)
    let columns = "user_id, name, blocks, blocked_part, blocked_whole, taps, performed, total_count"
    #expect(
      try store.rows(of: "usage/heaviest-users", columns, context)
        == ["b|Bea|2|2|2|2|1|3", "c|-|0|0|1|1|1|3", "a|-|0|0|1|1|0|3"])
    let says = { try Set(store.rows(of: "usage/heaviest-users", "says", context)) }
    #expect(try says() == ["One person was blocked 2 times, the most of this period."])
    _ = try data([event(.blockedCooldown, "a", at: 10), event(.blockedCooldown, "a", at: 11)])
    #expect(try says() == ["2 people were blocked 2 times each, the most of this period."])
  }

  @Test func `of many groups and hours every event is counted once, in the order of the names`()
    throws
  {
    var events: [Event] = []
    for number in 0..<3_000 {
      let kind = EventKind.allCases[number % EventKind.allCases.count]
      let feature = Feature.allCases[number % Feature.allCases.count]
      let type = ([nil] + UserType.allCases.map { $0 as UserType? })[number % 4]
      events.append(event(kind, at: Double(number % 1_999), type: type, feature: feature))
    }
    let buckets = try data(events).buckets
    #expect(buckets.reduce(0) { $0 + $1.count } == (try store.read { try $0.eventsCount() }))
    let keys = buckets.map {
      ($0.startsAtSeconds, $0.feature.rawValue, $0.kind.rawValue, $0.userType?.rawValue ?? "")
    }
    #expect(keys.elementsEqual(keys.sorted { $0 < $1 }) { $0 == $1 })
    #expect(Set(keys.map { "\($0)" }).count == keys.count)
  }

  @Test(arguments: [(-1, -900), (-900_000_000, -900), (-900_000_001, -1_800), (0, 0)])
  func `a quarter begins before what lies in it, before 1970 too`(at: Int64, start: Int64) throws {
    try store.write {
      _ = try $0.append(
        [
          Event(
            name: "ios_refresh_performed", at: Instant(microseconds: at), userId: "u")
        ], source: "test")
    }
    let context = ReportContext(
      appName: "ChatHub", now: Instant(unixSeconds: 10_000), timeZone: "UTC",
      start: Instant(unixSeconds: -10_000), end: Instant(unixSeconds: 10_000))
    let buckets = try store.read { try $0.usageData(context) }.buckets
    #expect(buckets.map(\.startsAtSeconds) == [start])
  }

  @Test func `of thousands of users each is counted by itself, as SQLite counts them`() throws {
    let events = (0..<9_000).map { number in
      event(
        EventKind.allCases[number % 5], "user\(number * number % 4_001)",
        at: Double(number % 3_600) - (number % 3_600 < 900 ? 600_900 : 900))
    }
    let found = try data(events)
    let users = Set(events.filter { $0.at >= .morning }.map(\.userId))
    #expect(found.activeUsers == users.count)
    #expect(
      found.previousActiveUsers == Set(events.filter { $0.at < .morning }.map(\.userId)).count)
    #expect(
      try store.rows(of: "usage/heaviest-users", "user_id, blocks, taps, performed", context)
        .prefix(50)
        == (try heaviestBySQLite(50))[...])
  }

  private func heaviestBySQLite(_ limit: Int) throws -> [String] {
    try store.read { reader in
      try String.fetchAll(
        reader.reader.database,
        sql: """
          WITH one AS (
            SELECT user_id, sum(kind GLOB 'blocked_*') AS blocks,
              sum(kind = 'button_tapped') AS taps, sum(kind = 'performed') AS performed
            FROM events WHERE at >= ? GROUP BY user_id)
          SELECT user_id || '|' || blocks || '|' || taps || '|' || performed FROM one
          ORDER BY blocks DESC, taps DESC, performed DESC, user_id LIMIT ?
          """, arguments: [Instant.morning.microseconds, limit])
    }
  }

  @Test func `the query is answered from the index alone`() throws {
    let plan = try store.read { try $0.plan(LedgerPass.eventsQuery, [1, 2]) }
    #expect(plan == ["SEARCH events USING COVERING INDEX events_usage (at>? AND at<?)"])
  }
}
