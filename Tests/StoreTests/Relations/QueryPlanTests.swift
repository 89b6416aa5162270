import Fixtures
import GRDB
import Model
import Reports
import StoreTesting
import Testing

@testable import Store

/// How SQLite answers the queries of sections: a plan that reads a table again for each row of
/// another costs seconds on a large ledger, and nothing on a small one.
@Suite struct QueryPlanTests {
  /// A line of a query plan; lines with one parent are the loops of one join, outermost first.
  private struct Step {
    let id: Int
    let parent: Int
    let detail: String

    var words: [Substring] { detail.split(separator: " ") }
    var isLoop: Bool { ["SCAN", "SEARCH"].contains(words.first) }
    /// `events` of `SCAN main.events`.
    var table: Substring? { words.dropFirst().first?.split(separator: ".").last }
  }

  /// The tables that grow with the ledger.
  private static let large: Set<Substring> = [
    "events", "person", "person_day", "attempt", "block", "offer", "price_shown", "price_day",
    "subscription_tap", "filter_use", "popup", "single_event", "usage_hour", "rating",
    "rating_dialog", "rating_question",
  ]

  /// The lines that read all of a large table within a loop, or make an index of it each time.
  private static func faults(of sql: String, _ reader: Reader) throws -> [String] {
    let steps = try Row.fetchAll(reader.database, sql: "EXPLAIN QUERY PLAN \(sql)").map {
      Step(id: $0["id"], parent: $0["parent"], detail: $0["detail"])
    }
    let byId = Dictionary(uniqueKeysWithValues: steps.map { ($0.id, $0) })
    /// Whether it, or what it is part of, is done again for each row; what is materialized is not.
    func isCorrelated(_ step: Step) -> Bool {
      guard !step.detail.hasPrefix("MATERIALIZE") else { return false }
      return step.detail.hasPrefix("CORRELATED") || byId[step.parent].map(isCorrelated) ?? false
    }
    var joins: Set<Int> = []
    return steps.filter(\.isLoop).compactMap { step in
      // The period has one row.
      let isInner = step.table == "period" ? false : !joins.insert(step.parent).inserted
      guard let table = step.table, large.contains(table) else { return nil }
      let isRead = step.words.first == "SCAN" && (isInner || isCorrelated(step))
      return isRead || step.words.contains("AUTOMATIC") ? step.detail : nil
    }
  }

  /// What `body` finds on the relations of a ledger with an event of each kind.
  private func withRelations<T>(_ body: (Reader) throws -> T) throws -> T {
    let (_, store) = try TemporaryStore.opened()
    let context = ReportContext(
      appName: "ChatHub", now: .morning + .seconds(3 * 86_400), timeZone: "UTC", start: .morning,
      end: .morning + .seconds(86_400))
    let events = EventKind.allCases.enumerated().map { number, kind in
      Event(
        name: FeatureEventName(platform: "ios", feature: .filter, kind: kind).text,
        at: .morning + .seconds(Int64(60 * number)), userId: "u\(number % 2)",
        parameters: ["ios_user_type": .string(UserType.freeUser.rawValue)])
    }
    try store.write { _ = try $0.append(events, source: "test") }
    return try store.read { reader in
      try reader.withRelations {
        let pass = try reader.ledgerPass(context, days: [], changes: [])
        let relations = ReportRelations(context, try reader.usageData(pass), runs: .none)
        try reader.fill(relations, of: pass)
        return try body(reader)
      }
    }
  }

  @Test func `no shipped query reads a table of the ledger once for each row of another`() throws {
    let faults = try withRelations { reader in
      try ShippedSections.all.flatMap { file in
        try Self.faults(of: file.sql, reader).map { "\(file.name): \($0)" }
      }
    }
    // Once for each feature that had two limits.
    #expect(faults == ["limits/live: SCAN offer"])
  }

  @Test(arguments: [
    ("SELECT * FROM attempt", []),
    ("SELECT * FROM period CROSS JOIN attempt", []),
    ("SELECT * FROM day CROSS JOIN attempt", ["SCAN attempt"]),
    ("SELECT * FROM day CROSS JOIN block ON person = day", []),
    ("SELECT (SELECT count(*) FROM main.events WHERE at < day) FROM day", []),
    (
      "SELECT (SELECT count(*) FROM main.events WHERE at <> day) FROM day",
      ["SCAN main.events USING COVERING INDEX events_content"]
    ),
    ("SELECT (SELECT count(*) FROM main.events WHERE stars <> 3) FROM day", []),
    (
      "SELECT * FROM day CROSS JOIN main.events ON user_id = date",
      ["SEARCH main.events USING AUTOMATIC COVERING INDEX (user_id=?)"]
    ),
  ])
  func `a plan is judged by its loops`(sql: String, faults: [String]) throws {
    #expect(try withRelations { try Self.faults(of: sql, $0) } == faults)
  }
}
