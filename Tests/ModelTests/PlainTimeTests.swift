import Foundation
import Testing

@testable import Model

@Suite struct PlainTimeTests {
  private static let edges: [Int64] = [
    0, 1, 86_399, 86_400, 5_097_599, 5_097_600, 68_169_599, 68_169_600, 951_782_400, 951_868_800,
    4_107_542_399, 4_107_542_400, 253_402_214_400, 253_402_300_799,
  ]

  @Test("times read and print as Foundation reads and prints them, at every edge and between")
  func agrees() {
    var random = SystemRandomNumberGenerator()
    let others = (0..<500).map { _ in Int64.random(in: PlainTime.seconds, using: &random) }
    for seconds in Self.edges + others {
      let date = Date(timeIntervalSince1970: Double(seconds))
      let text = date.formatted(Date.ISO8601FormatStyle())
      #expect(PlainTime.text(of: seconds) == text)
      #expect(PlainTime.seconds(of: text) == seconds)
    }
  }

  @Test("every day of four centuries reads back as the day that it is printed as")
  func everyDay() {
    for day in Int64(0)..<146_097 {
      let seconds = day * 86_400
      let text = PlainTime.text(of: seconds)
      if PlainTime.seconds(of: text) != seconds { Issue.record("\(text)") }
    }
  }

  @Test(
    "other forms, other years and days that are none are left to Foundation",
    arguments: [
      "", "1969-12-31T23:59:59Z", "10000-01-01T00:00:00Z", "2026-02-29T00:00:00Z",
      "2024-02-30T00:00:00Z", "1900-02-29T00:00:00Z", "2100-02-29T00:00:00Z",
      "2026-00-01T00:00:00Z", "2026-13-01T00:00:00Z", "2026-01-00T00:00:00Z",
      "2026-01-32T00:00:00Z", "2026-04-31T00:00:00Z", "2026-12-32T00:00:00Z",
      "2026-01-31T24:00:00Z", "2026-01-31T08:60:00Z", "2026-01-31T08:00:60Z",
      "2026-01-31t08:00:00Z", "2026-01-31T08:00:00z", "2026-01-31 08:00:00Z",
      "2026-01-31T08:00:00", "2026-01-31T08:00:00+00:00", "２026-01-31T08:00:00Z",
      "+026-01-31T08:00:00Z", "2026-1-31T08:00:00ZZ",
    ])
  func others(text: String) {
    #expect(PlainTime.seconds(of: text) == nil)
  }

  @Test(
    "the leap day is a day of its years", arguments: ["2024-02-29", "2000-02-29", "2400-02-29"])
  func leapDays(day: String) {
    #expect(PlainTime.seconds(of: "\(day)T00:00:00Z") != nil)
  }

  @Test("the ends of the plain times")
  func ends() {
    #expect(PlainTime.text(of: 0) == "1970-01-01T00:00:00Z")
    #expect(PlainTime.text(of: 253_402_300_799) == "9999-12-31T23:59:59Z")
    #expect(Instant(microseconds: -1).iso8601 == "1969-12-31T23:59:59Z")
    #expect(Instant(iso8601: "1969-12-31T23:59:59Z")?.microseconds == -1_000_000)
  }
}
