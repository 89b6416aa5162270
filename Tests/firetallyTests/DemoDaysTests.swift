import Model
import Testing

@testable import firetally

@Suite struct DemoDaysTests {
  @Test(arguments: [
    // Clocks of Berlin went back on 25 October 2026, and forward on 29 March.
    (
      "2026-10-26T23:00:00Z",
      ["2026-10-25T23:00:00Z", "2026-10-24T22:00:00Z", "2026-10-23T22:00:00Z"]
    ),
    (
      "2026-03-30T22:00:00Z",
      ["2026-03-29T22:00:00Z", "2026-03-28T23:00:00Z", "2026-03-27T23:00:00Z"]
    ),
  ])
  func `an export of a past morning ends with a day of the clock`(
    today: String, days: [String]
  ) throws {
    let today = try #require(Instant(iso8601: today))
    #expect(
      (0...3).map { Demo.midnight($0, before: today, in: "Europe/Berlin").iso8601 }
        == [today.iso8601] + days.compactMap { Instant(iso8601: $0)?.iso8601 })
  }
}
