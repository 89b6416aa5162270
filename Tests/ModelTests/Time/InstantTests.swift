import Fixtures
import Foundation
import Testing

@testable import Model

@Suite struct InstantTests {
  @Test(arguments: [
    (Duration.seconds(-86_400), true), (.zero, true), (.seconds(300) - .microseconds(1), true),
    (.seconds(300), true), (.seconds(300) + .microseconds(1), false), (.seconds(86_400), false),
  ])
  func `a stored time counts up to 300 seconds ahead`(ahead: Duration, counts: Bool) {
    let now = Instant(unixSeconds: 1_769_846_400)
    #expect((now + ahead).counts(at: now) == counts)
  }

  @Test(
    arguments: [
      ("1970-01-01T00:00:00Z", 0),
      ("2026-01-31T08:00:00Z", 1_769_846_400_000_000),
      ("2026-01-31T08:00:00.5Z", 1_769_846_400_500_000),
      ("2026-01-31T08:00:00.000001Z", 1_769_846_400_000_001),
      ("2026-01-31T08:00:00.123456789Z", 1_769_846_400_123_456),
      ("2026-01-31T10:00:00+02:00", 1_769_846_400_000_000),
      ("2026-01-31T10:00:00.25+02:00", 1_769_846_400_250_000),
      ("2026-01-31T00:00:00-08:00", 1_769_846_400_000_000),
      ("2026-02-01T07:59:00+23:59", 1_769_846_400_000_000),
      ("2026-01-31T08:00:00-00:00", 1_769_846_400_000_000),
      ("2024-02-29T23:59:59Z", 1_709_251_199_000_000),
      ("2000-02-29T00:00:00Z", 951_782_400_000_000),
      ("9999-12-31T23:59:59.999999999Z", 253_402_300_799_999_999),
      // Before the calendar was introduced, it is counted back.
      ("1582-10-15T00:00:00Z", -12_219_292_800_000_000),
      ("1582-10-14T23:59:59Z", -12_219_292_801_000_000),
      ("1500-03-01T00:00:00Z", -14_826_672_000_000_000),
      ("0001-01-01T00:00:00Z", -62_135_596_800_000_000),
      ("0000-02-29T00:00:00Z", -62_162_121_600_000_000),
      ("0000-01-01T00:00:00Z", -62_167_219_200_000_000),
    ] as [(String, Int64)])
  func `ISO 8601 text is read to the microsecond`(text: String, microseconds: Int64) {
    #expect(Instant(iso8601: text)?.microseconds == microseconds)
  }

  @Test(arguments: [
    "", "yesterday", "2026-01-31", "2026-01-31T08:00:00", "2026-01-31T08:00:00.Z",
    "2026-13-01T00:00:00Z", "2026-02-30T00:00:00Z", "99999-01-01T00:00:00Z",
    "2026-01-31T08:00:00.1234567890Z", "2026-01-31T08:00:00.5.5Z",
    // Text behind, before and between.
    "2026-01-01T10:00:00Z or later", "2026-01-31T08:00:00Z ", " 2026-01-31T08:00:00Z",
    "2026-01-31T08:00:00ZZ", "2026-01-31T08:00:00.5Zx", "2026-01-31T08:00:00+02:00Z",
    "2026-01-31T08:00:00Z\n", "+2026-01-31T08:00:00Z", "2026-01-31 08:00:00Z",
    // Each part one too high or too low.
    "2026-00-31T08:00:00Z", "2026-01-00T08:00:00Z", "2026-01-32T08:00:00Z",
    "2026-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "1900-02-29T00:00:00Z",
    "2026-01-31T24:00:00Z", "2026-01-31T25:61:61Z", "2026-01-31T08:60:00Z",
    "2026-01-31T08:00:60Z", "2026-01-31T08:00:00+24:00", "2026-01-31T08:00:00+02:60",
    // Other forms of ISO 8601, and other digits.
    "2026-1-31T08:00:00Z", "2026-01-31T8:00:00Z", "2026-01-31T08:00Z", "20260131T080000Z",
    "2026-01-31T08:00:00,5Z", "2026-01-31T08:00:00+0200", "2026-01-31T08:00:00+02",
    "2026-01-31t08:00:00Z", "2026-01-31T08:00:00z", "2026-01-31T08:00:00UTC",
    "2026-W05-6T08:00:00Z", "٢٠٢٦-01-31T08:00:00Z", "-001-01-01T00:00:00Z",
  ])
  func `text that is not an instant is refused`(text: String) {
    #expect(Instant(iso8601: text) == nil)
  }

  @Test(
    arguments: [
      (0, 0), (999_999, 0), (1_000_000, 1), (-1, -1), (-1_000_000, -1), (-1_000_001, -2),
    ] as [(Int64, Int64)])
  func `whole seconds round down, before the epoch too`(microseconds: Int64, seconds: Int64) {
    #expect(Instant(microseconds: microseconds).unixSeconds == seconds)
  }

  @Test func `the description shows microseconds only when there are any`() {
    #expect(Instant.morning.description == "2026-01-31T08:00:00Z")
    #expect(
      Instant(microseconds: 1_769_846_400_000_042).description == "2026-01-31T08:00:00.000042Z")
    #expect(Instant(microseconds: -1).description == "1969-12-31T23:59:59.999999Z")
  }

  @Test(
    arguments: [
      (-62_135_596_800, "0001-01-01T00:00:00Z"), (-62_135_596_801, "0000-12-31T23:59:59Z"),
      (-62_167_219_200, "0000-01-01T00:00:00Z"), (-62_167_219_201, "-0001-12-31T23:59:59Z"),
      (-12_219_292_800, "1582-10-15T00:00:00Z"), (-12_219_292_801, "1582-10-14T23:59:59Z"),
      (-14_826_672_001, "1500-02-28T23:59:59Z"), (951_868_799, "2000-02-29T23:59:59Z"),
      (4_107_542_400, "2100-03-01T00:00:00Z"), (4_107_542_399, "2100-02-28T23:59:59Z"),
      (253_402_300_799, "9999-12-31T23:59:59Z"), (253_402_300_800, "10000-01-01T00:00:00Z"),
      (.max, "294247-01-10T04:00:54Z"), (.min, "-290308-12-21T19:59:05Z"),
    ] as [(Int64, String)])
  func `days are those of the Gregorian calendar of all times`(seconds: Int64, text: String) {
    #expect(Instant(unixSeconds: seconds).iso8601 == text)
  }

  @Test func `each day of the first ten thousand years is read as it was written`() {
    let seed = UInt64.random(in: 0...(.max))
    var random = SeededGenerator(seed: seed)
    for _ in 0..<2_000 {
      let seconds = Int64.random(in: -62_167_219_200...253_402_300_799, using: &random)
      let fraction = Int64.random(in: 0..<1_000_000, using: &random)
      let instant = Instant(microseconds: seconds * 1_000_000 + fraction)
      #expect(Instant(iso8601: instant.description) == instant, "seed \(seed)")
    }
    var last = GregorianDate(daysSince1970: -719_529)
    for day in Int64(-719_528)...2_932_896 where day % 97 == 0 || abs(day) < 1_000 {
      let date = GregorianDate(daysSince1970: day)
      #expect(date.daysSince1970 == day)
      #expect((last.year, last.month, last.day) < (date.year, date.month, date.day))
      last = date
    }
  }

  @Test func `encoding and decoding give the same instant`() throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      let range: ClosedRange<Int64> = -2_000_000_000_000_000...4_000_000_000_000_000
      let instant = Instant(microseconds: .random(in: range, using: &random))
      let data = try JSONEncoder().encode([instant])
      #expect(try JSONDecoder().decode([Instant].self, from: data) == [instant])
    }
  }

  @Test func `fractional seconds that no instant can hold are refused`() {
    #expect(Instant(fractionalUnixSeconds: 1.25)?.microseconds == 1_250_000)
    #expect(Instant(fractionalUnixSeconds: .nan) == nil)
    #expect(Instant(fractionalUnixSeconds: .infinity) == nil)
    #expect(Instant(fractionalUnixSeconds: 1e13) == nil)
  }

  @Test func `a duration is the difference of two instants`() {
    let start = Instant(unixSeconds: 100)
    #expect(start + .milliseconds(1_500) - start == .milliseconds(1_500))
    #expect(start - .seconds(1) < start)
    #expect((start - .microseconds(1)).microseconds == 99_999_999)
  }

  @Test func `arithmetic at the ends of time stops there instead of trapping`() {
    let first = Instant(microseconds: .min)
    let last = Instant(microseconds: .max)
    #expect(last + .seconds(1) == last)
    #expect(first - .seconds(1) == first)
    #expect(last - first > .seconds(1))
    #expect((last - first).microseconds == .max)
    #expect(Instant(unixSeconds: .max) == last)
    #expect(Instant(unixSeconds: .min) == first)
    #expect(first.unixSeconds == -9_223_372_036_855)
    #expect(Instant(unixSeconds: 9_223_372_036_854).microseconds == 9_223_372_036_854_000_000)
  }

  @Test(
    arguments: [
      (Duration.zero, 0), (.microseconds(1), 1), (.seconds(1), 1), (.milliseconds(1_001), 2),
      (.seconds(120), 120), (.milliseconds(-500), 0),
    ] as [(Duration, Int64)])
  func `a countdown rounds up, so that 0 means over`(duration: Duration, seconds: Int64) {
    #expect(duration.wholeSecondsRoundedUp == seconds)
  }
}
