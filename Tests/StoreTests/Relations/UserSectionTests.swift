import Model
import StoreTesting
import Testing

@testable import Store

/// The tables of users, counted by their queries on a few of them.
@Suite struct UserSectionTests {
  let folder: TemporaryStore
  let store: Store
  private static let start = UsageSectionTests.start

  init() throws {
    (folder, store) = try TemporaryStore.opened()
  }

  private func rows(of name: String, _ columns: String) throws -> [String] {
    try store.rows(
      of: name, columns,
      ReportContext(
        appName: "ChatHub", now: Self.start + .seconds(60), timeZone: "UTC", start: Self.start,
        end: Self.start + .seconds(60)))
  }

  private func add(ages: [String]) throws {
    try store.merge(
      ages.enumerated().map { OnlineUser([.userId: .text("u\($0)"), .name: "N", .age: .text($1)]) })
  }

  @Test func `names are counted most frequent first, genders in any case`() throws {
    try store.merge([
      OnlineUser([.userId: "a", .name: "A", .gender: "Male", .country: "Peru", .language: "x"]),
      OnlineUser([.userId: "b", .name: "B", .gender: "Male", .country: "Chile"]),
      OnlineUser([.userId: "c", .name: "C", .gender: "male", .country: "Peru"]),
      OnlineUser([.userId: "d", .name: "D", .country: "Austria"]),
    ])
    #expect(
      try rows(of: "users/by-gender", "gender, users, share_part, share_whole")
        == ["Male|3|3|4", "Not told|1|1|4"])
    #expect(
      try rows(of: "users/by-country", "country, users") == ["Peru|2", "Austria|1", "Chile|1"])
    #expect(try rows(of: "users/by-language", "language, users") == ["Not told|3", "x|1"])
  }

  @Test(arguments: [
    ("17", "Under 18"), ("18", "18–24"), ("24", "18–24"), ("25", "25–34"), ("34", "25–34"),
    ("35", "35–44"), ("44", "35–44"), ("45", "45–54"), ("54", "45–54"), ("55", "55–64"),
    ("64", "55–64"), ("65", "65 and over"), ("130", "65 and over"), ("020", "18–24"),
    ("-1", "Not told"), ("+25", "Not told"), ("", "Not told"), ("old", "Not told"),
    ("31.5", "Not told"),
  ])
  func `bands of ages at their borders, and what is no age`(age: String, band: String) throws {
    try add(ages: [age])
    let found = try rows(of: "users/by-age", "age, users, share_part, share_whole")
    #expect(found.count == 8)
    #expect(found.filter { !$0.hasSuffix("|0|0|1") } == ["\(band)|1|1|1"])
  }

  /// Users by what their time is in SQL, in which `now` stands for the second of the report.
  private func add(seen times: [String]) throws {
    try add(ages: times.map { _ in "" })
    let now = (Self.start + .seconds(60)).unixSeconds
    try store.write { writer in
      for (place, time) in times.enumerated() {
        let value = time.replacing("now", with: "\(now)")
        _ = try writer.run(
          "UPDATE OnlineUsers SET user_last_time_seen = \(value) WHERE user_id = 'u\(place)'")
      }
    }
  }

  @Test(
    arguments: [
      ("now + 200", 0), ("now", 0), ("now - 3599", 0), ("now - 3600", 1), ("now - 3600.5", 1),
      ("now - 7199", 1), ("now - 82799", 22), ("now - 86399", 23), ("now - 86400", nil),
      ("'soon'", nil), ("''", nil), ("x'ff'", nil), ("NULL", nil),
    ] as [(String, Int?)])
  func `a user falls into the whole hours since it was seen`(time: String, hour: Int?) throws {
    try add(seen: [time])
    let found = try rows(of: "users/last-seen", "hours_ago, users")
    #expect(found.filter { !$0.hasSuffix("|0") } == (hour.map { ["\($0)|1"] } ?? []))
    #expect(found.count == (hour == nil ? 0 : 24))
  }

  @Test func `each user is in the narrowest step that fits, to the second`() throws {
    let ago = [0, 3_599, 3_600, 86_399, 86_400, 604_799, 604_800, 2_591_999, 2_592_000]
    try add(seen: ago.map { "now - \($0)" } + ["NULL", "'soon'"])
    #expect(
      Set(try rows(of: "users/last-seen", "says"))
        == ["2 were seen in the hour before the report, 4 in the day before it."])
    #expect(
      try rows(of: "users/last-seen-bands", "last_seen, users, share_part, share_whole")
        == [
          "Within an hour|2|2|11", "1 to 24 hours ago|2|2|11", "1 to 7 days ago|2|2|11",
          "7 to 30 days ago|2|2|11", "Earlier|3|3|11",
        ])
  }

  @Test func `without users there is no row`() throws {
    for name in [
      "by-age", "by-country", "by-gender", "by-language", "last-seen", "last-seen-bands",
    ] {
      #expect(try rows(of: "users/\(name)", "users").isEmpty)
    }
  }

  @Test func `who was seen last comes first, of one second the newer row, and who never was last`()
    throws
  {
    try add(seen: ["now - 50", "now - 10", "NULL", "now - 10"])
    #expect(
      try rows(of: "users/newest", "user_id, last_seen_at IS NULL, age, city, total_count")
        == ["u3|0|-|-|4", "u1|0|-|-|4", "u0|0|-|-|4", "u2|1|-|-|4"])
  }

  @Test func `tiers are those of the workspace's profiles until an account claims one`() throws {
    func tiers() throws -> [String] {
      try rows(of: "users/tiers", "tier, accounts, profiles, share_part, share_whole")
    }
    func add(_ uid: String, _ tier: Tier?, pass: Int) throws {
      var user = AuthUser(uid: uid)
      user.tier = tier
      try store.write {
        _ = try $0.upsert([user], pass: pass, isFirst: pass == 1, at: Self.start)
      }
    }
    #expect(try tiers() == [])
    try store.write { writer in
      for (name, tier) in [("a", Tier.free), ("b", .free), ("c", .lite)] {
        try writer.save(Profile(name: name, tier: tier))
      }
    }
    let own = ["free|-|2|2|3", "lite|-|1|1|3", "plus|-|0|0|3", "pro|-|0|0|3"]
    #expect(try tiers() == own)
    try add("u", nil, pass: 1)
    #expect(try tiers() == own)
    try add("v", .plus, pass: 2)
    #expect(try tiers() == ["free|1|-|1|2", "lite|0|-|0|2", "plus|1|-|1|2", "pro|0|-|0|2"])
  }

  @Test(
    arguments: [
      ("'soon'", nil), ("''", nil), ("x'ff'", nil), ("NULL", nil), ("-1", nil), ("0", 0),
      ("4102444800", 4_102_444_800_000_000), ("4102444801", nil),
    ] as [(String, Int64?)])
  func `a time that is no number, or of no year before 2100, is never`(
    time: String, lastSeen: Int64?
  ) throws {
    try add(seen: [time])
    #expect(
      try rows(of: "users/newest", "user_id, last_seen_at")
        == ["u0|" + (lastSeen.map { "\($0)" } ?? "-")])
  }

  @Test(arguments: [999, 1_000, 1_001])
  func `at most a thousand users seen last are listed, of all that there are`(count: Int) throws {
    try add(ages: Array(repeating: "", count: count))
    #expect(
      try rows(of: "users/newest", "count(*), min(total_count), max(total_count)")
        == ["\(min(count, 1_000))|\(count)|\(count)"])
  }

  @Test func `users online are counted by day, of the loads of the period up to now`() throws {
    let day = 86_400
    let loads = [
      (-1, 99), (0, 40), (3_600, 30), (day, 12), (3 * day - 2, 7), (3 * day - 1, 98), (3 * day, 97),
    ]
    try store.write { writer in
      for (seconds, online) in loads {
        let at = Self.start + .seconds(seconds)
        try writer.record(
          OnlineCount(at: at, online: online, isMinimum: online == 30), job: "users")
      }
    }
    let context = ReportContext(
      appName: "ChatHub", now: Self.start + .seconds(3 * day - 2), timeZone: "UTC",
      start: Self.start, end: Self.start + .seconds(3 * day))
    #expect(
      try store.rows(of: "users/online", "day, loads, most, last, \"limit\"", context)
        == [
          "2026-03-02|2|40|30|no: at least so many", "2026-03-03|1|12|12|yes",
          "2026-03-04|1|7|7|yes",
        ])
    #expect(
      try store.rows(of: "users/newest-online", "day, online", context)
        == ["2026-03-04|7", "2026-03-03|12", "2026-03-02|30", "2026-03-01|99"])
  }

  @Test func `a sample, by the last load up to now, has no shares`() throws {
    func record(_ seconds: Int, isSample: Bool) throws {
      let count = OnlineCount(
        at: Self.start + .seconds(seconds), online: 1, isSample: isSample, isMinimum: false)
      try store.write { try $0.record(count, job: "users") }
    }
    try add(ages: ["20"])
    try record(61, isSample: true)
    #expect(try rows(of: "users/by-gender", "share_whole") == ["1"])
    try record(60, isSample: true)
    for name in ["by-country", "by-gender", "by-language"] {
      #expect(try rows(of: "users/\(name)", "users, share_whole") == ["1|-"])
    }
    for (name, count) in [("by-age", 8), ("last-seen-bands", 5)] {
      #expect(
        try rows(of: "users/\(name)", "share_whole") == Array(repeating: "-", count: count))
    }
    try record(59, isSample: false)
    #expect(try rows(of: "users/by-gender", "share_whole") == ["-"])
  }
}
