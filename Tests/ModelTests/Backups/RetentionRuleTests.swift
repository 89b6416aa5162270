import Fixtures
import Testing

@testable import Model

/// Held against `docs/backup.md#retention`.
struct RetentionRuleTests {
  private typealias Kept = [String: Set<RetentionRule.Reason>]

  private func kept(
    _ texts: [String], _ policy: RetentionPolicy, timeZone: String = "UTC"
  ) throws -> Kept {
    let instants = try texts.map { try #require(Instant(iso8601: "\($0)Z"), "\($0)") }
    var generator = SeededGenerator(seed: UInt64(instants.count))
    let kept = RetentionRule.kept(
      instants.shuffled(using: &generator), by: policy, timeZone: timeZone)
    return Dictionary(
      uniqueKeysWithValues: kept.map { (String($0.key.description.dropLast()), $0.value) })
  }

  @Test func `nothing stays of nothing, and of a policy that keeps nothing`() throws {
    #expect(try kept([], RetentionPolicy(daily: 7)).isEmpty)
    #expect(try kept(["2026-01-31T03:00:00"], RetentionPolicy(daily: 0)).isEmpty)
    #expect(RetentionPolicy(daily: 0).keepsNone)
    for policy in [
      RetentionPolicy(daily: 1), RetentionPolicy(daily: 0, weekly: 1),
      RetentionPolicy(daily: 0, monthly: 1),
    ] {
      #expect(!policy.keepsNone)
      #expect(try kept(["2026-01-31T03:00:00"], policy).count == 1)
    }
  }

  @Test(arguments: [
    (1, ["31T10"]), (2, ["31T10", "30T03"]), (3, ["31T10", "30T03", "27T03"]),
    (4, ["31T10", "30T03", "27T03"]),
  ])
  func `the last copy of each of the newest days that have one stays`(
    days: Int, stay: [String]
  ) throws {
    let texts = ["27T03", "30T02", "30T03", "31T03", "31T10"].map { "2026-01-\($0):00:00" }
    let expected = stay.map { ("2026-01-\($0):00:00", Set([RetentionRule.Reason.daily])) }
    #expect(
      try kept(texts, RetentionPolicy(daily: days)) == Dictionary(uniqueKeysWithValues: expected))
  }

  @Test func `a day ends at midnight of the time zone, to the second`() throws {
    // Midnight in Berlin is 23:00 in UTC in winter.
    let texts = ["2026-01-30T22:59:59", "2026-01-30T23:00:00"]
    #expect(try kept(texts, RetentionPolicy(daily: 2), timeZone: "Europe/Berlin").count == 2)
    #expect(
      Set(try kept(texts, RetentionPolicy(daily: 2)).keys) == ["2026-01-30T23:00:00"])
    #expect(try kept(texts, RetentionPolicy(daily: 2), timeZone: "No/Where").count == 1)
  }

  @Test(arguments: [
    // Berlin's clocks go forward on 2026-03-29, a Sunday, and back on 2026-10-25.
    ("2026-03-28T22:59:59", "2026-03-28T23:00:00", "2026-03-29T21:59:59", "2026-03-29T22:00:00"),
    ("2026-10-24T21:59:59", "2026-10-24T22:00:00", "2026-10-25T22:59:59", "2026-10-25T23:00:00"),
  ])
  func `a day of 23 or 25 hours is one day`(
    before: String, first: String, last: String, after: String
  ) throws {
    let kept = try kept(
      [before, first, last, after], RetentionPolicy(daily: 9), timeZone: "Europe/Berlin")
    #expect(Set(kept.keys) == [before, last, after])
  }

  @Test func `a week ends with Sunday, also across the end of a year`() throws {
    // 2026-01-04 is a Sunday, 2026-01-05 a Monday; 2025-12-29 is a Monday.
    let texts = [
      "2025-12-28T23:59:59", "2025-12-29T00:00:00", "2026-01-01T03:00:00", "2026-01-04T23:59:59",
      "2026-01-05T00:00:00",
    ]
    let weekly = RetentionPolicy(daily: 0, weekly: 9)
    #expect(
      Set(try kept(texts, weekly).keys)
        == ["2025-12-28T23:59:59", "2026-01-04T23:59:59", "2026-01-05T00:00:00"])
    #expect(
      Set(try kept(texts, RetentionPolicy(daily: 0, weekly: 2)).keys)
        == ["2026-01-04T23:59:59", "2026-01-05T00:00:00"])
  }

  @Test func `a week before 1970 is one week, too`() throws {
    // 1969-12-22 was a Monday, 1969-12-28 a Sunday.
    let texts = [
      "1969-12-21T00:00:00", "1969-12-22T00:00:00", "1969-12-28T23:00:00",
      "1969-12-29T00:00:00", "1970-01-04T00:00:00", "1970-01-05T00:00:00",
    ]
    #expect(
      Set(try kept(texts, RetentionPolicy(daily: 0, weekly: 9)).keys) == [
        "1969-12-21T00:00:00", "1969-12-28T23:00:00", "1970-01-04T00:00:00",
        "1970-01-05T00:00:00",
      ])
  }

  @Test func `a month ends with its last day, leap years included`() throws {
    let texts = [
      "2024-02-28T12:00:00", "2024-02-29T12:00:00", "2024-03-01T00:00:00", "2025-03-01T00:00:00",
    ]
    #expect(
      try kept(texts, RetentionPolicy(daily: 0, monthly: 9)) == [
        "2024-02-29T12:00:00": [.monthly], "2024-03-01T00:00:00": [.monthly],
        "2025-03-01T00:00:00": [.monthly],
      ])
  }

  @Test func `the newest copy has every reason, and a copy stays for any`() throws {
    let texts = [
      "2025-12-31T03:00:00", "2026-01-18T03:00:00", "2026-01-24T03:00:00", "2026-01-25T03:00:00",
      "2026-01-30T03:00:00", "2026-01-31T03:00:00",
    ]
    #expect(
      try kept(texts, RetentionPolicy(daily: 2, weekly: 3, monthly: 2)) == [
        "2026-01-31T03:00:00": [.daily, .weekly, .monthly], "2026-01-30T03:00:00": [.daily],
        "2026-01-25T03:00:00": [.weekly], "2026-01-18T03:00:00": [.weekly],
        "2025-12-31T03:00:00": [.monthly],
      ])
  }

  @Test func `daily copies of two years shrink to as many as the policy says`() throws {
    let start = try #require(Instant(iso8601: "2024-01-31T03:15:00Z"))
    let policy = RetentionPolicy(daily: 7, weekly: 4, monthly: 6)
    var stored: Set<Instant> = []
    for day in 0..<730 {
      stored.insert(start + .seconds(86_400 * day))
      stored = Set(RetentionRule.kept(stored, by: policy, timeZone: "UTC").keys)
    }
    let kept = RetentionRule.kept(stored, by: policy, timeZone: "UTC")
    for (reason, count) in [RetentionRule.Reason.daily: 7, .weekly: 4, .monthly: 6] {
      #expect(kept.values.count { $0.contains(reason) } == count, "\(reason)")
    }
  }
}
