import Fixtures
import Testing

@testable import Model

@Suite struct EventRowsTests {
  private func rows(_ seconds: [Int64]) -> EventRows {
    EventRows(
      seconds.enumerated().map { place, second in
        Event(name: "e\(place)", at: Instant(unixSeconds: second), userId: "")
      })
  }

  private func names(_ rows: EventRows) -> [String?] {
    rows.rows.map { rows.text($0.name) }
  }

  @Test(arguments: [
    ([], []), ([5], ["e0"]), ([1, 2, 3], ["e0", "e1", "e2"]), ([3, 1, 2], ["e1", "e2", "e0"]),
    ([2, 1, 2, 1], ["e1", "e3", "e0", "e2"]), ([1, 1, 1], ["e0", "e1", "e2"]),
  ])
  func `rows are sorted by time, those of one instant stay in order`(
    seconds: [Int64], expected: [String]
  ) {
    var rows = rows(seconds)
    rows.sortByTime()
    #expect(names(rows) == expected)
  }

  @Test func `sorting keeps every column of a row together`() {
    var sorted = rows([3, 1, 2])
    let before = sorted.columns
    sorted.sortByTime()
    #expect(sorted.columns == [before[1], before[2], before[0]])
  }

  @Test func `NULL is no text, and an empty text is one`() {
    let rows = rows([1])
    #expect(rows.text(.null) == nil)
    #expect(rows.text(rows.rows[0].country) == nil)
    #expect(rows.text(rows.rows[0].userId) == "")
  }

  @Test func `what was removed leaves nothing behind`() {
    var rows = rows([1, 2])
    rows.removeAll()
    #expect(rows.isEmpty && rows.bytes.isEmpty)
  }
}
