import Model
import Testing

@Suite("A moment's text")
struct MomentTextRuleTests {
  @Test("has 1 to 1000 characters as a reader counts them", arguments: ["a", "é", "👩‍👩‍👧‍👦", "ل"])
  func lengths(character: String) {
    let longest = String(repeating: character, count: 1_000)
    #expect(MomentTextRule.check(character) == .accepted(character))
    #expect(MomentTextRule.check(longest) == .accepted(longest))
    #expect(MomentTextRule.check(longest + "x") == .tooLong(count: 1_001))
    #expect(MomentTextRule.check(longest + "x").problem?.contains("1001 characters") == true)
    #expect(MomentTextRule.check(longest).problem == nil)
  }

  @Test(
    "is missing when it is blank",
    arguments: ["", " ", "\n\t \u{A0}\u{2003}", "\u{3000}", "\u{200B}", " \u{200B}\u{2060} "])
  func blank(text: String) {
    #expect(MomentTextRule.check(text) == .missing)
    #expect(MomentTextRule.check(text).problem?.contains("1 to 1000") == true)
  }

  @Test("is taken without the white space around it")
  func trimmed() {
    #expect(MomentTextRule.check(" \n I walked \t") == .accepted("I walked"))
    #expect(
      MomentTextRule.check("  " + String(repeating: "a", count: 1_000) + "  ")
        == .accepted(String(repeating: "a", count: 1_000)))
  }

  @Test("has at most 65,536 bytes, and what shows nothing is no character")
  func bytes() {
    let longest = "a" + String(repeating: "\u{301}", count: 32_767) + "b"
    #expect(longest.utf8.count == 65_536)
    #expect(MomentTextRule.check(longest) == .accepted(longest))
    #expect(MomentTextRule.check(longest + "c") == .tooManyBytes(count: 65_537))
    #expect(MomentTextRule.check(longest + "c").problem?.contains("65537 bytes") == true)
    let thousand = String(repeating: "a\u{200B}", count: 1_000)
    #expect(MomentTextRule.check(thousand) == .accepted(thousand))
  }

  @Test("of ten megabytes is measured and refused")
  func huge() {
    let count = 10_000_000
    #expect(MomentTextRule.check(String(repeating: "a", count: count)) == .tooLong(count: count))
  }
}
