import Model
import Testing

@Suite("Which rows without a document go")
struct DeleteRuleTests {
  @Test(arguments: [
    (0, 0, 0, 0, false),
    (10, 10, 0, 0, false),
    (10, 8, 2, 0, false),
    (10, 7, 2, 1, false),
    (9, 10, 0, -1, false),
    (9, 10, 0, 0, true),
    (11, 10, 0, 0, true),
    (10, 8, 1, 0, true),
    (10, 8, 2, 1, true),
    (0, 1, 0, 0, true),
  ])
  func `a table has drifted when rows, skipped and unexplained are not what is counted`(
    counts: (documents: Int, rows: Int, skipped: Int, unexplained: Int, hasDrifted: Bool)
  ) {
    #expect(
      DeleteRule.hasDrifted(
        documents: counts.documents, rows: counts.rows, skipped: counts.skipped,
        unexplained: counts.unexplained) == counts.hasDrifted)
  }

  private func decision(
    counted: Int = 90, listed: Int = 90, rows: Int = 100, missing: Int,
    _ limit: DeleteLimit = .default
  ) -> DeleteDecision {
    DeleteRule.decide(
      .init(counted: counted, listed: listed, rows: rows, missing: missing), limit: limit)
  }

  @Test func `as many as the limit go, and none of one more`() {
    #expect(decision(missing: 0) == .delete)
    #expect(decision(missing: 9) == .delete)
    #expect(decision(missing: 10) == .delete)
    #expect(decision(missing: 11) == .tooMany(allowed: 10))
    #expect(decision(missing: 100) == .tooMany(allowed: 10))
    #expect(decision(missing: 100, .percent(100)) == .delete)
    #expect(decision(missing: 1, .rows(0)) == .tooMany(allowed: 0))
    #expect(decision(missing: 0, .rows(0)) == .delete)
  }

  @Test
  func `a list that is shorter or longer than the count deletes nothing, whatever the limit`() {
    for listed in [0, 89, 91] {
      for missing in [0, 1, 100] {
        #expect(decision(listed: listed, missing: missing, .percent(100)) == .incomplete)
      }
    }
  }
}

@Suite("How many rows a run may delete")
struct DeleteLimitTests {
  @Test(arguments: [
    (DeleteLimit.percent(10), 0, 0), (.percent(10), 1, 1), (.percent(10), 10, 1),
    (.percent(10), 11, 2), (.percent(10), 200_000, 20_000), (.percent(0), 1_000, 0),
    (.percent(100), 7, 7), (.percent(1), 100, 1), (.percent(1), 101, 2), (.percent(99), 3, 3),
    (.percent(100), .max, .max), (.rows(0), 1_000, 0), (.rows(5), 3, 5),
  ])
  func `a share is rounded up, a number is itself`(limit: DeleteLimit, rowCount: Int, allowed: Int)
  {
    #expect(limit.rows(of: rowCount) == allowed)
  }

  @Test(arguments: [
    ("0", DeleteLimit.rows(0)), ("500", .rows(500)), ("0%", .percent(0)), ("10%", .percent(10)),
    ("100%", .percent(100)),
  ])
  func `a limit is a number of rows or a share of them`(text: String, limit: DeleteLimit) {
    #expect(DeleteLimit(text: text) == limit)
    #expect(limit.text == text)
  }

  @Test(arguments: [
    "", "%", "101%", "-1", "+1", "-1%", "1.5", "10 %", "10%%", "all", "٣", "99999999999999999999",
  ])
  func `anything else is no limit`(text: String) {
    #expect(DeleteLimit(text: text) == nil)
  }
}
