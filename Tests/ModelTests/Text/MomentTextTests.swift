import Testing

@testable import Model

@Suite("A moment's text")
struct MomentTextTests {
  @Test(arguments: ["a", "é", "👩‍👩‍👧‍👦", "ل"])
  func `has 1 to 1000 characters as a reader counts them`(character: String) {
    let longest = String(repeating: character, count: 1_000)
    #expect(TextRule.moment.check(character) == .accepted(character))
    #expect(TextRule.moment.check(longest) == .accepted(longest))
    #expect(
      TextRule.moment.check(longest + "x").problem
        == "The moment has 1001 characters; at most 1000 are allowed.")
    #expect(TextRule.moment.check(longest).problem == nil)
  }

  @Test(arguments: ["", " ", "\n\t \u{A0}\u{2003}", "\u{3000}", "\u{200B}", " \u{200B}\u{2060} "])
  func `is missing when it is blank`(text: String) {
    #expect(
      TextRule.moment.check(text).problem == "A moment needs a text of 1 to 1000 characters.")
  }

  @Test func `is taken without the white space around it`() {
    #expect(TextRule.moment.check(" \n I walked \t") == .accepted("I walked"))
    #expect(
      TextRule.moment.check("  " + String(repeating: "a", count: 1_000) + "  ")
        == .accepted(String(repeating: "a", count: 1_000)))
  }

  @Test func `has at most 65,536 bytes, and what shows nothing is no character`() {
    let longest = "a" + String(repeating: "\u{301}", count: 32_767) + "b"
    #expect(longest.utf8.count == 65_536)
    #expect(TextRule.moment.check(longest) == .accepted(longest))
    #expect(
      TextRule.moment.check(longest + "c").problem
        == "The moment has 65537 bytes; at most 65536 are allowed.")
    let thousand = String(repeating: "a\u{200B}", count: 1_000)
    #expect(TextRule.moment.check(thousand) == .accepted(thousand))
  }

  @Test func `of ten megabytes is measured and refused`() {
    let count = 10_000_000
    #expect(
      TextRule.moment.check(String(repeating: "a", count: count)).problem
        == "The moment has \(count) characters; at most 1000 are allowed.")
  }
}
