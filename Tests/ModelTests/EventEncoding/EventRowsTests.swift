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
    #expect(names(rows(seconds)) == expected)
  }

  @Test func `sorting keeps every column of a row together`() {
    let alone = (0..<3).map { place in
      EventRows([Event(name: "e\(place)", at: Instant(unixSeconds: [3, 1, 2][place]), userId: "")])
        .columns[0]
    }
    #expect(rows([3, 1, 2]).columns == [alone[1], alone[2], alone[0]])
  }

  @Test(arguments: 0...9)
  func `a row's fingerprint does not depend on its neighbours`(count: Int) {
    let events = (0..<count).map { place in
      Event(
        name: String(repeating: "n", count: place * place % 7 + 1), at: Instant(microseconds: 0),
        userId: "u\(place)", parameters: ["k": .integer(Int64(place) * 1_000)])
    }
    #expect(EventRows(events).fingerprints == events.flatMap { EventRows([$0]).fingerprints })
  }

  @Test func `a fingerprint is FNV-1a of name, user and parameters with 0xff after each`() {
    let event = Event(
      name: "ab", at: Instant(microseconds: 7), userId: "u", parameters: ["k": .integer(1)])
    var hash: UInt64 = 14_695_981_039_346_656_037
    for part in ["ab", "u", #"{"k":1}"#] {
      for byte in Array(part.utf8) + [0xff] {
        hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211
      }
    }
    #expect(EventRows([event]).fingerprints == [Int64(bitPattern: hash)])
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
