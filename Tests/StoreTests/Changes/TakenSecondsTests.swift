import Fixtures
import Model
import StoreTesting
import Testing

@testable import Store

@Suite struct TakenSecondsTests {
  private let collection = "Feedback/a/Rating_Feedback"

  /// Notes the ranges, and says how the table keeps them.
  private func noted(_ ranges: [ClosedRange<Int64>]) throws -> [String] {
    let (folder, store) = try TemporaryStore.opened()
    try store.write { writer in
      try writer.noteTaken(3...3, in: "Feedback/b/Rating_Feedback")
      for range in ranges { try writer.noteTaken(range, in: collection) }
    }
    try store.close()
    return try SQLiteFile.text(
      folder.path,
      "SELECT first || '-' || last FROM feedback_seconds WHERE collection LIKE '%/a/%' ORDER BY first"
    )
  }

  @Test(
    arguments: [
      ([1...1, 3...3], ["1-1", "3-3"]), ([1...1, 2...2], ["1-2"]), ([2...2, 1...1], ["1-2"]),
      ([1...1, 3...3, 2...2], ["1-3"]), ([5...9, 6...7], ["5-9"]), ([6...7, 5...9], ["5-9"]),
      ([1...4, 4...8], ["1-8"]), ([1...2, 4...5, 7...8, 2...7], ["1-8"]),
      ([1...1, 1...1], ["1-1"]),
    ] as [([ClosedRange<Int64>], [String])])
  func `ranges that overlap or touch become one, those with a gap stay apart`(
    ranges: [ClosedRange<Int64>], expected: [String]
  ) throws {
    #expect(try noted(ranges) == expected)
  }

  @Test func `the last of the seconds that are taken in a row is told, for each of them`() throws {
    let (_, store) = try TemporaryStore.opened()
    try store.write { try $0.noteTaken(10...12, in: collection) }
    _ = try store.read { reader in
      for (second, last) in [9: nil, 10: 12, 11: 12, 12: 12, 13: nil] as [Int64: Int64?] {
        let found = try reader.lastTakenSecond(from: second, in: collection)
        #expect(found == last)
        let elsewhere = try reader.lastTakenSecond(from: second, in: "Feedback")
        #expect(elsewhere == nil)
      }
    }
  }

  @Test func `only an item on its way can be aimed, and it keeps its target afterwards`() throws {
    let (_, store) = try TemporaryStore.opened()
    let id = try store.write { writer in
      let id = try writer.enqueue(.feedback, profile: "p", payload: "{}", at: .morning)
      #expect(throws: StoreError.self) { try writer.setTarget("x", ofItem: id) }
      try writer.markSending(id: id, at: .morning)
      try writer.setTarget("x/1", ofItem: id)
      try writer.requeue(id: id, nextAttemptAt: nil, error: nil)
      return id
    }
    let item = try store.read { try $0.outboxItem(id: id) }
    #expect(item?.target == "x/1")
    #expect(item?.attempts == 1)
    #expect(item?.mayHaveArrived == true)
  }
}
