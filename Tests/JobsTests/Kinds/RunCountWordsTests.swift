import Model
import Testing

@testable import Jobs

struct RunCountWordsTests {
  @Test(arguments: [
    (RunCounts(), "0 new, 0 changed, 0 unchanged."),
    (
      RunCounts(inserted: 999, updated: 1, unchanged: 1_000),
      "999 new, 1 changed, 1,000 unchanged."
    ),
    (RunCounts(updated: 2, deleted: 1), "0 new, 2 changed, 0 unchanged, 1 removed."),
    (RunCounts(deleted: 12_000), "0 new, 0 changed, 0 unchanged, 12,000 removed."),
  ])
  func `what became of the documents, and of rows without one`(counts: RunCounts, words: String) {
    #expect(counts.stored + counts.removed == words)
  }
}
