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
    ] as [(String, Int64)])
  func `ISO 8601 text is read to the microsecond`(text: String, microseconds: Int64) {
    #expect(Instant(iso8601: text)?.microseconds == microseconds)
  }

  @Test(arguments: [
    "", "yesterday", "2026-01-31", "2026-01-31T08:00:00", "2026-01-31T08:00:00.Z",
    "2026-13-01T00:00:00Z", "2026-02-30T00:00:00Z", "99999-01-01T00:00:00Z",
    "2026-01-31T08:00:00.1234567890Z", "2026-01-31T08:00:00.5.5Z",
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
