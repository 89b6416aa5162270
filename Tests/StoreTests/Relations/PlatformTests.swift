import Fixtures
import GRDB
import Model
import Reports
import StoreTesting
import Testing

@testable import Store

/// Reports count one platform, unless all are asked for: docs/reports/events.md#platforms.
@Suite struct PlatformTests {
  let folder: TemporaryStore
  let store: Store

  init() throws {
    (folder, store) = try TemporaryStore.opened()
  }

  /// One day from `morning`, on which 4 taps of iOS and 2 of Android lie.
  private func context(_ platform: String?) -> ReportContext {
    var context = ReportContext(
      appName: "ChatHub", now: .morning + .seconds(86_400), timeZone: "UTC", start: .morning,
      end: .morning + .seconds(86_400))
    context.platform = platform
    return context
  }

  private func event(
    _ platform: String, _ kind: EventKind, _ user: String, at seconds: Int
  ) -> Event {
    Event(
      name: FeatureEventName(platform: platform, feature: .refresh, kind: kind).text,
      at: .morning + .seconds(seconds), userId: user,
      parameters: ["\(platform)_user_type": .string("free_user")], country: "Spain",
      appVersion: "1.0")
  }

  private func rating(_ stars: Int, at seconds: Int, _ platform: String?) -> Event {
    Event(
      name: "app_events", at: .morning + .seconds(seconds), userId: "r\(seconds)",
      parameters: ["rating_ChatHub_\(stars)": .integer(1)], appVersion: "1.0", platform: platform)
  }

  private func prompt(at seconds: Int, _ platform: String?) -> Event {
    Event(
      name: "rating_prompt_shown", at: .morning + .seconds(seconds), userId: "r\(seconds)",
      platform: platform)
  }

  private var ledger: [Event] {
    (0..<4).map { event("ios", .buttonTapped, "i\($0 % 3)", at: $0) }
      + (0..<2).map { event("android", .buttonTapped, "a\($0)", at: 10 + $0) }
      + [
        event("ios", .blockedCooldown, "i0", at: 5), event("android", .popupShown, "a0", at: 12),
        event("android", .buttonTapped, "a9", at: -1),
        event("android", .buttonTapped, "a9", at: 86_400),
        rating(5, at: 20, "ios"), rating(1, at: 21, "android"), rating(3, at: 22, nil),
        prompt(at: 23, "ios"), prompt(at: 24, "android"), prompt(at: 25, nil),
      ]
  }

  private func filled<T>(
    _ platform: String?, _ body: (Reader, LedgerPass, UsageData) throws -> T
  ) throws -> T {
    try store.write { _ = try $0.append(ledger, source: "test") }
    let context = context(platform)
    return try store.read { reader in
      try reader.withRelations {
        let facts = try reader.dayFacts(
          [context.start..<context.end], at: context.now, on: platform)
        let pass = try reader.ledgerPass(context, days: facts, changes: [])
        let data = try reader.usageData(pass)
        try reader.fill(ReportRelations(context, data, runs: .none), of: pass)
        return try body(reader, pass, data)
      }
    }
  }

  @Test(arguments: [
    ("ios", "4,1,3", 3), ("android", "2,0,2", 2), (nil, "6,1,5", 5), ("web", "0,0,0", 0),
  ])
  func `taps, blocks and people are those of the platform, or of all together`(
    platform: String?, found: String, active: Int
  ) throws {
    try filled(platform) { reader, _, data in
      let counts = try String.fetchOne(
        reader.database,
        sql: """
          SELECT ifnull(sum(taps), 0) || ',' || ifnull(sum(blocked), 0) || ','
            || (SELECT count(*) FROM person WHERE in_period)
          FROM usage_day WHERE in_period
          """)
      #expect(counts == found)
      #expect(data.activeUsers == active)
    }
  }

  @Test(arguments: [("ios", "5,3", 2), ("android", "1,3", 2), (nil, "5,1,3", 3)])
  func `ratings that name no platform count with each`(
    platform: String?, stars: String, dialogs: Int
  ) throws {
    try filled(platform) { reader, _, data in
      let found = try String.fetchOne(
        reader.database,
        sql: "SELECT group_concat(stars) FROM (SELECT stars FROM rating ORDER BY at)")
      #expect(found == stars)
      let shown = try Int.fetchOne(reader.database, sql: "SELECT count(*) FROM rating_dialog")
      #expect(shown == dialogs)
      let (context, settings) = (self.context(platform), Settings([]))
      let ratings = try reader.ratingsData(context, settings: settings, newest: 1)
      #expect(ratings.ratings.map { String($0.stars) }.joined(separator: ",") == stars)
      #expect(data.history.days[0].stars.reduce(0, +) == ratings.ratings.count)
      #expect(ratings.versionDays.flatMap(\.stars).reduce(0, +) == ratings.ratings.count)
    }
  }

  @Test(arguments: [
    ("ios", ["android": 5]), ("android", ["ios": 7]), (nil, [:]),
    ("web", ["android": 5, "ios": 7]),
  ])
  func `events of other platforms are told, of the period alone`(
    platform: String?, others: [String: Int]
  ) throws {
    try filled(platform) { reader, pass, _ in
      let found = try reader.otherPlatforms(pass, self.context(platform))
      #expect(found == others)
    }
  }

  @Test func `a use of another platform ends no attempt, and fills no state`() throws {
    try store.write { _ = try $0.append(ledger, source: "test") }
    func uses(_ platform: String?) throws -> [String] {
      var found: [String] = []
      try store.read { reader in
        try reader.forEachFeatureUse(to: .morning + .seconds(86_400), on: platform) {
          found.append($0.userId)
        }
      }
      return found
    }
    #expect(try uses("android") == ["a9", "a0", "a1"])
    #expect(try uses("ios") == ["i0", "i1", "i2", "i0", "i0"])
    #expect(try uses(nil).count == 8)
  }

  @Test(arguments: [("ios", 0), (nil, 2)])
  func `platforms have a section where several are counted`(
    platform: String?, count: Int
  ) throws {
    try store.write { _ = try $0.append(ledger, source: "test") }
    let usage = try store.rows(of: "usage/by-platform", "platform, taps, people", context(platform))
    #expect(usage == (count == 0 ? [] : ["ios|4|3", "android|2|2"]))
    let ratings = try store.rows(
      of: "ratings/by-platform", "platform, count, mean_total", context(platform))
    #expect(
      ratings == (count == 0 ? [] : ["android|1|1", "ios|1|5", "Not told|1|3"]))
  }

  @Test func `a platform is a part of the app only beside another`() throws {
    try filled(nil) { _, _, data in
      let names = data.parts.keys.filter { $0.kind == .platform }.map(\.name).sorted()
      #expect(names == ["android", "ios"])
    }
    try filled("ios") { _, _, data in
      #expect(!data.parts.keys.contains { $0.kind == .platform })
    }
  }
}
