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

  /// The first load is 20 minutes after the morning's run, and a copy of 30 minutes is fresh.
  @Test(arguments: [(3_000, 0), (3_001, 1)])
  func `no copy is so young that the demo's own run would not load the users`(
    seconds: Int, loads: Int
  ) throws {
    let morning = try #require(Instant(iso8601: "2026-11-30T06:35:00Z"))
    let times = Demo.loadTimes(after: morning, before: morning + .seconds(seconds))
    #expect(times.count == loads)
  }
}
