import Model
import Testing

/// Long lists of names in sentences.
@Suite struct ListedTests {
  @Test(arguments: [
    ([], ""), (["a"], "a"), (["a", "b"], "a, b"), (["a", "b", "c"], "a, b and 1 more"),
    (["a", "b", "c", "d"], "a, b and 2 more"),
  ])
  func `the first ones are named, the others counted`(names: [String], text: String) {
    #expect(names.listed(2) == text)
  }
}
