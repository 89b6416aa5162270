import Fixtures
import GRDB
import GRDBSQLite
import Model
import StoreTesting
import Testing

@testable import Store

/// What an item costs does not depend on how many were delivered, or wait.
@Suite struct OutboxCostTests {
  /// A store with so many delivered items, as many that wait, and a taken second for each.
  private func store(_ count: Int) throws -> TemporaryStore {
    let temporary = try TemporaryStore()
    try temporary.execute(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
      INSERT INTO outbox (profile, kind, state, payload, created_at, attempts, delivered_at)
      SELECT 'default', 'feedback', iif(late, 'queued', 'delivered'),
        json_object('timestamp', iif(i % 2, 5, i), 'text', 'text ' || i), i, 1 - late, NULL
      FROM n, (SELECT 0 AS late UNION ALL SELECT 1);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
      INSERT INTO feedback_seconds SELECT '\(collection)', 2 * i, 2 * i FROM n;
      """)
    return temporary
  }

  private final class Steps { var count = 0 }

  /// The instructions of SQLite's machine that the work takes.
  private func steps(_ database: Database, _ body: () throws -> Void) rethrows -> Int {
    let steps = Steps()
    sqlite3_progress_handler(
      database.sqliteConnection, 1,
      { pointer in
        if let pointer { Unmanaged<Steps>.fromOpaque(pointer).takeUnretainedValue().count += 1 }
        return 0
      }, Unmanaged.passUnretained(steps).toOpaque())
    defer { sqlite3_progress_handler(database.sqliteConnection, 0, nil, nil) }
    try body()
    return steps.count
  }

  private enum Question: CaseIterable {
    case due, delivered, freeSecond, takenSecond, noteTaken, noteAmong

    func ask(_ writer: Writer, among count: Int) throws {
      let last = Int64(2 * count)
      switch self {
      case .due:
        #expect(try writer.dueOutboxItems(kind: .feedback, at: .morning, limit: 20).count == 20)
      case .delivered:
        let payload = #"{"text": "text \#(count - 1)", "timestamp": 5}"#
        #expect(try writer.deliveredFeedback(like: payload).map(\.state) == [.delivered])
      case .freeSecond:
        #expect(try writer.lastTakenSecond(from: last + 1, in: collection) == nil)
      case .takenSecond:
        #expect(try writer.lastTakenSecond(from: last, in: collection) == last)
      case .noteTaken: try writer.noteTaken((last + 9)...(last + 9), in: collection)
      case .noteAmong: try writer.noteTaken((last - 5)...(last - 5), in: collection)
      }
    }
  }

  @Test func `an item costs as much among 40,000 as among 1,000`() throws {
    let (few, many) = (try store(1_000), try store(40_000))
    for question in Question.allCases {
      let costs = try [(few, 1_000), (many, 40_000)].map { temporary, count in
        try temporary.store.write { writer in
          try steps(writer.database) { try question.ask(writer, among: count) }
        }
      }
      #expect(costs[1] <= costs[0] + costs[0] / 4, "\(question): \(costs)")
      #expect(costs[0] > 0)
    }
  }

  @Test func `what was delivered is found by its time and text, whatever else the payload holds`()
    throws
  {
    let temporary = try TemporaryStore()
    try temporary.execute(
      """
      INSERT INTO outbox (profile, kind, state, payload, created_at)
      SELECT 'default', kind, state, payload, 1 FROM
        (SELECT 'feedback' AS kind, 'delivered' AS state, '{"text":"a","timestamp":5,"b":1}' AS payload
         UNION ALL SELECT 'feedback', 'delivered', '{"timestamp":5,"text":"c\\u0000d"}'
         UNION ALL SELECT 'feedback', 'delivered', '{"timestamp":6,"text":"a"}'
         UNION ALL SELECT 'feedback', 'queued', '{"timestamp":5,"text":"a"}'
         UNION ALL SELECT 'moment', 'delivered', '{"timestamp":5,"text":"a"}'
         UNION ALL SELECT 'feedback', 'delivered', 'no JSON');
      """)
    func ids(_ payload: String) throws -> [Int64] {
      try temporary.store.read { try $0.deliveredFeedback(like: payload).map(\.id) }
    }
    #expect(try ids(#"{"timestamp":5,"text":"a"}"#) == [1])
    #expect(try ids(#"{"text":"c\u0000d","timestamp":5}"#) == [2])
    #expect(try ids(#"{"timestamp":5,"text":"b"}"#) == [])
    #expect(try ids(#"{"timestamp":4,"text":"a"}"#) == [])
  }
}

private let collection = "Feedback/a/Rating_Feedback"
