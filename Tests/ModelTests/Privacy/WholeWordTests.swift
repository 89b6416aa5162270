import Testing

@testable import Model

struct WholeWordTests {
  @Test(arguments: [
    ("u1", "u1", true), ("u1", "", false), ("", "u1", false), ("u1", "u10", false),
    ("u1", "xu1", false), ("u1", "x-u1", false), ("u1", "u1_", false), ("u1", "üu1", false),
    ("u1", "u1ü", false), ("u1", "(u1)", true), ("u1", "Users/u1", true), ("u1", "u10 u1", true),
    ("u1", "u1u1", false), ("u1", "u", false), ("a.b@c", "<a.b@c>", true), ("U1", "u1", false),
    ("u1", "user=u1,", true), ("ü1", "ü1", true),
  ])
  func `an id is found where it stands alone`(word: String, text: String, isFound: Bool) {
    #expect(WholeWord.isFound(word, in: text) == isFound)
  }

  @Test func `a quote in an id is escaped as JSON and CSV do, whatever mark follows it`() {
    let forms = WholeWord.written("a\"\u{301}/").map { Array($0.utf8) }
    let expected = ["a\"\u{301}/", "a\\\"\u{301}/", "a\\\"\u{301}\\/", "a\"\"\u{301}/"]
    #expect(Set(forms) == Set(expected.map { Array($0.utf8) }))
  }

  @Test(arguments: [
    ("u1", "u1", "X"), ("u1", "u1 u10 u1", "X u10 X"), ("u1", "", ""), ("u1", "none", "none"),
    ("u1", "[\"u1\"]", "[\"X\"]"), ("u1", "u1/u1", "X/X"),
  ])
  func `each is replaced, and nothing else`(word: String, text: String, replaced: String) {
    #expect(WholeWord.replacing(word, with: "X", in: text) == replaced)
  }
}
