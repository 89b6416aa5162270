import Fixtures
import Model
import StoreTesting
import Testing

@testable import Store

/// The history of tiers: docs/jobs/sync-auth.md#history.
@Suite struct TierChangesTests {
  let folder: TemporaryStore
  let store: Store

  /// 2026-01-31, the morning.
  private let first = Instant.morning

  init() throws {
    (folder, store) = try TemporaryStore.opened()
  }

  /// Reads accounts with these tiers in one whole pass.
  private func read(
    _ tiers: [String: Tier?], others: [String] = [], pass: Int, isFirst: Bool? = nil,
    at now: Instant
  ) throws {
    try store.write { writer in
      let users = tiers.sorted { $0.key < $1.key }.map { uid, tier in
        var user = AuthUser(uid: uid)
        user.tier = tier
        return user
      }
      let unknown = others.map { uid in
        var user = AuthUser(uid: uid)
        user.namesOtherTier = true
        return user
      }
      _ = try writer.upsert(users + unknown, pass: pass, isFirst: isFirst ?? (pass == 1), at: now)
      _ = try writer.deleteAccounts(unseenBy: pass, at: now)
    }
  }

  /// Who changed from what to what, and how many hours after the first pass.
  private func history() throws -> [String] {
    try SQLiteFile.text(
      folder.path,
      """
      SELECT uid || ' ' || ifnull(from_tier, '-') || ' ' || ifnull(to_tier, '-') || ' '
        || ((seen_at - \(first.microseconds)) / 3.6e9)
      FROM tier_changes ORDER BY seen_at, id
      """)
  }

  @Test func `the first pass finds subscribers, and of later ones each change is kept once`() throws
  {
    try read(["a": .lite, "b": nil, "c": .free, "d": .pro], pass: 1, at: first)
    #expect(try history() == ["a - lite 0.0", "d - pro 0.0"])
    let second = first + .seconds(3_600)
    try read(
      ["a": nil, "b": .plus, "c": nil, "d": .lite, "e": .lite, "f": .free], pass: 2, at: second)
    let changes = ["a lite free 1.0", "b free plus 1.0", "d pro lite 1.0", "e free lite 1.0"]
    #expect(try history().dropFirst(2) == changes[...])
    try read(
      ["a": nil, "b": .plus, "c": nil, "d": .lite, "e": .lite, "f": .free], pass: 3,
      at: second + .seconds(60))
    #expect(try history().count == 6)
  }

  @Test func `a claim that stands for no tier is neither left nor come, whatever follows`() throws {
    try read(["a": .lite, "b": .lite, "c": .lite, "d": nil], pass: 1, at: first)
    let hour = Duration.seconds(3_600)
    try read([:], others: ["a", "b", "c", "d"], pass: 2, at: first + hour)
    #expect(try history().count == 3)
    try read(["a": .lite, "b": nil, "d": nil], pass: 3, at: first + hour + hour)
    #expect(try history().dropFirst(3) == ["b lite free 2.0", "c lite - 2.0"])
  }

  @Test func `a first pass that starts over finds subscribers, and none of them came`() throws {
    try read(["a": .lite], pass: 1, at: first)
    try read(["a": .lite, "b": .pro], pass: 2, isFirst: true, at: first)
    try read(["a": .lite, "b": .pro, "c": .lite], pass: 3, at: first)
    #expect(try history() == ["a - lite 0.0", "b - pro 0.0", "c free lite 0.0"])
  }

  private func tiers() throws -> [String] {
    try store.rows(
      of: "users/tiers", "tier, accounts",
      ReportContext(appName: "A", now: first, timeZone: "UTC", start: first, end: first))
  }

  @Test func `accounts whose claim cannot be read count with the tier that is known`() throws {
    try read(["a": .lite, "b": .pro, "c": nil], pass: 1, at: first)
    try read(["b": .pro, "c": nil], others: ["a", "d"], pass: 2, at: first + .seconds(60))
    #expect(try tiers() == ["free|2", "lite|1", "plus|0", "pro|1"])
    try read([:], others: ["a", "b", "d"], pass: 3, at: first + .seconds(120))
    #expect(try tiers() == ["free|1", "lite|1", "plus|0", "pro|1"])
    try read(["c": nil], others: ["d"], pass: 4, at: first + .seconds(180))
    #expect(try tiers() == [])
  }

  @Test func `an account that is gone left, if it subscribed`() throws {
    try read(["a": .lite, "b": nil], pass: 1, at: first)
    try read([:], pass: 2, at: first + .seconds(3_600))
    #expect(try history() == ["a - lite 0.0", "a lite - 1.0"])
  }

  @Test func `a page that is read again changes nothing`() throws {
    try read(["a": .lite], pass: 1, at: first)
    try read(["a": .lite], pass: 1, at: first)
    #expect(try history().count == 1)
  }

  @Test func `a person who is erased is in the history no more`() throws {
    try read(["a": .lite, "b": .lite], pass: 1, at: first)
    let held = try store.erasing { try $0.erasePerson(id: "a") }
    #expect(held.places.first { $0.place == "accounts" }?.count == 2)
    #expect(try history() == ["b - lite 0.0"])
    try store.write { _ = try $0.deleteAccounts(unseenBy: 9, at: first) }
    // Known by the history alone, and erased all the same.
    #expect(try store.read { try $0.isSomebody(id: "b", userCollections: []) })
  }

  private let context = ReportContext(
    appName: "ChatHub", now: Instant(unixSeconds: 1_777_766_400), timeZone: "UTC",
    start: Instant(unixSeconds: 1_777_161_600), end: Instant(unixSeconds: 1_777_766_400))

  /// The report of 2026-05-03, of a history with rows `uid from to day`.
  private func rows(_ section: String, _ columns: String, _ history: [String]) throws -> [String] {
    for row in history {
      let words = row.split(separator: " ").map { $0 == "-" ? "NULL" : "'\($0)'" }
      try folder.execute(
        """
        INSERT INTO tier_changes (uid, from_tier, to_tier, seen_at)
        VALUES (\(words[0]), \(words[1]), \(words[2]), unixepoch(\(words[3])) * 1000000)
        """)
    }
    return try store.rows(of: section, columns, context)
  }

  private static let history = [
    "a - lite 2026-01-05", "b - plus 2026-01-05", "c free lite 2026-01-10",
    "c lite free 2026-01-20", "d free lite 2026-01-15", "a lite free 2026-01-31",
    "d lite pro 2026-02-01", "d pro - 2026-03-02", "e free lite 2026-03-05",
    "e lite free 2026-04-05", "e free lite 2026-04-06",
  ]

  @Test func `months add up, and churn is of those who were there before`() throws {
    #expect(
      try rows(
        "users/subscribers",
        "month, at_start, found, came, returned, changed, left, at_end, churn_part, churn_whole",
        Self.history
      )
        == [
          "2026-05|2|0|0|0|0|0|2|-|2", "2026-04|2|0|0|1|0|1|2|1|2", "2026-03|2|0|1|0|0|1|2|1|2",
          "2026-02|2|0|0|0|1|0|2|0|2", "2026-01|0|2|2|0|0|2|2|-|2",
        ])
  }

  @Test func `who left within the month is not there after it, and an open month is blank`() throws
  {
    #expect(
      try rows(
        "users/subscriber-cohorts",
        "month, people, after_1_part, after_1_whole, after_3_part, after_3_whole, after_6_whole",
        Self.history)
        == ["2026-04|1|1|-|1|-|-", "2026-03|1|0|1|0|-|-", "2026-01|2|1|2|0|2|-"])
  }

  @Test func `a subscriber who leaves a second after the month was there after it`() throws {
    func after(_ time: String) throws -> [String] {
      try folder.execute("DELETE FROM tier_changes")
      _ = try rows("users/subscribers", "month", ["x free lite 2026-01-10"])
      try folder.execute(
        """
        INSERT INTO tier_changes (uid, from_tier, to_tier, seen_at)
        VALUES ('x', 'lite', NULL, unixepoch('\(time)') * 1000000)
        """)
      return try store.rows(of: "users/subscriber-cohorts", "after_1_part", context)
    }
    #expect(try after("2026-02-10 00:00:00") == ["0"])
    #expect(try after("2026-02-10 00:00:01") == ["1"])
  }

  @Test func `without a history there is no row`() throws {
    for section in ["users/subscribers", "users/subscriber-cohorts"] {
      #expect(try rows(section, "month", []).isEmpty)
    }
  }
}
