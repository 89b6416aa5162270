import Rules
import Testing

@Suite("Which rows without a document go")
struct DeleteRuleTests {
  @Test(
    "a table has drifted when rows, skipped and unexplained documents are not what is counted",
    arguments: [
      (DeleteRule.Tally(documents: 0, rows: 0, skipped: 0, unexplained: 0), false),
      (.init(documents: 10, rows: 10, skipped: 0, unexplained: 0), false),
      (.init(documents: 10, rows: 8, skipped: 2, unexplained: 0), false),
      (.init(documents: 10, rows: 7, skipped: 2, unexplained: 1), false),
      (.init(documents: 9, rows: 10, skipped: 0, unexplained: -1), false),
      (.init(documents: 9, rows: 10, skipped: 0, unexplained: 0), true),
      (.init(documents: 11, rows: 10, skipped: 0, unexplained: 0), true),
      (.init(documents: 10, rows: 8, skipped: 1, unexplained: 0), true),
      (.init(documents: 10, rows: 8, skipped: 2, unexplained: 1), true),
      (.init(documents: 0, rows: 1, skipped: 0, unexplained: 0), true),
    ])
  func drift(tally: DeleteRule.Tally, hasDrifted: Bool) {
    #expect(tally.hasDrifted == hasDrifted)
  }

  private func verdict(
    counted: Int = 90, listed: Int = 90, rows: Int = 100, missing: Int,
    _ limit: DeleteLimit = .standard
  ) -> DeleteRule.Verdict {
    DeleteRule.verdict(
      on: .init(counted: counted, listed: listed, rows: rows, missing: missing), limit: limit)
  }

  @Test("as many as the limit go, and none of one more")
  func limit() {
    #expect(verdict(missing: 0) == .delete)
    #expect(verdict(missing: 9) == .delete)
    #expect(verdict(missing: 10) == .delete)
    #expect(verdict(missing: 11) == .tooMany(allowed: 10))
    #expect(verdict(missing: 100) == .tooMany(allowed: 10))
    #expect(verdict(missing: 100, .percent(100)) == .delete)
    #expect(verdict(missing: 1, .rows(0)) == .tooMany(allowed: 0))
    #expect(verdict(missing: 0, .rows(0)) == .delete)
  }

  @Test("a list that is shorter or longer than the count deletes nothing, whatever the limit")
  func incomplete() {
    for listed in [0, 89, 91] {
      for missing in [0, 1, 100] {
        #expect(verdict(listed: listed, missing: missing, .percent(100)) == .incomplete)
      }
    }
  }
}
