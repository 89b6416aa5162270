import Rules
import Testing

@Suite("How many rows a run may delete")
struct DeleteLimitTests {
  @Test(
    "a share is rounded up, a number is itself",
    arguments: [
      (DeleteLimit.percent(10), 0, 0), (.percent(10), 1, 1), (.percent(10), 10, 1),
      (.percent(10), 11, 2), (.percent(10), 200_000, 20_000), (.percent(0), 1_000, 0),
      (.percent(100), 7, 7), (.percent(1), 100, 1), (.percent(1), 101, 2), (.percent(99), 3, 3),
      (.percent(100), .max, .max), (.rows(0), 1_000, 0), (.rows(5), 3, 5),
    ])
  func rows(limit: DeleteLimit, rowCount: Int, allowed: Int) {
    #expect(limit.rows(of: rowCount) == allowed)
  }

  @Test(
    "a limit is a number of rows or a share of them",
    arguments: [
      ("0", DeleteLimit.rows(0)), ("500", .rows(500)), ("0%", .percent(0)), ("10%", .percent(10)),
      ("100%", .percent(100)),
    ])
  func reads(text: String, limit: DeleteLimit) {
    #expect(DeleteLimit(text: text) == limit)
    #expect(limit.text == text)
  }

  @Test(
    "anything else is no limit",
    arguments: [
      "", "%", "101%", "-1", "+1", "-1%", "1.5", "10 %", "10%%", "all", "٣", "99999999999999999999",
    ])
  func refuses(text: String) {
    #expect(DeleteLimit(text: text) == nil)
  }
}
