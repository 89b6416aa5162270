import Testing

@testable import Workspace

struct DurationTextTests {
  @Test(arguments: [
    ("1s", 1), ("90s", 90), ("10m", 600), ("2h", 7_200), ("7d", 604_800),
  ])
  func `an integer and a unit are a time`(text: String, seconds: Int) {
    #expect(DurationText.duration(text) == .seconds(seconds))
  }

  @Test(arguments: ["", "s", "0s", "-1s", "+1s", "1", "1.5h", "1 h", "1w", "1H", "99999999999s"])
  func `anything else is none`(text: String) {
    #expect(DurationText.duration(text) == nil)
  }

  @Test(arguments: [
    (0, "0s"), (59, "59s"), (60, "1m"), (61, "61s"), (3_600, "1h"), (5_400, "90m"),
    (86_400, "1d"), (90_000, "25h"),
  ])
  func `a time is written in the largest unit that divides it`(seconds: Int, text: String) {
    #expect(DurationText.text(.seconds(seconds)) == text)
  }

  @Test func `a part of a second counts as one`() {
    #expect(DurationText.text(.milliseconds(1_001)) == "2s")
  }
}
