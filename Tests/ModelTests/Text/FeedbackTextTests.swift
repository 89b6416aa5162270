import Testing

@testable import Model

@Suite("Feedback texts")
struct FeedbackTextTests {
  private static let tooShort = TextCheck.refused(
    "The feedback has 9 characters; at least 10 are needed.")

  @Test(arguments: [(9, false), (10, true), (11, true), (499, true), (500, true), (501, false)])
  func `10 to 500 characters are accepted`(count: Int, isAccepted: Bool) {
    let text = String(repeating: "x", count: count)
    let verdict = TextRule.feedback.check(text)
    #expect((verdict == .accepted(text)) == isAccepted)
    #expect((verdict.problem == nil) == isAccepted)
  }

  @Test(arguments: ["👨‍👩‍👧‍👦", "e\u{301}", "🇪🇸", "한"])
  func `characters are counted as users see them`(character: String) {
    #expect(TextRule.feedback.check(String(repeating: character, count: 9)) == Self.tooShort)
    let ten = String(repeating: character + "", count: 10)
    #expect(TextRule.feedback.check(ten) == .accepted(ten))
  }

  @Test func `white space around the text does not count and is not kept`() {
    #expect(TextRule.feedback.check(" \n\t 123456789 \u{3000}") == Self.tooShort)
    #expect(TextRule.feedback.check("  12345 7890\n") == .accepted("12345 7890"))
  }

  @Test(arguments: [nil, "", "   \n"])
  func `no text and a blank one are missing`(text: String?) {
    #expect(TextRule.feedback.check(text) == .refused(TextRule.feedback.missing))
  }

  @Test func `a refusal says what is wrong`() {
    #expect(
      TextRule.feedback.check("short").problem
        == "The feedback has 5 characters; at least 10 are needed.")
    #expect(
      TextRule.feedback.check(String(repeating: "x", count: 501)).problem
        == "The feedback has 501 characters; at most 500 are allowed.")
    #expect(
      TextRule.feedback.check(nil).problem
        == "A rating of 1 to 3 stars needs feedback of 10 to 500 characters.")
  }

  @Test(arguments: ["\u{200B}", "\u{2060}", "\u{FEFF}", "\u{AD}"])
  func `what shows nothing does not count`(character: String) {
    #expect(
      TextRule.feedback.check(String(repeating: character, count: 10))
        == .refused(TextRule.feedback.missing))
    let nine = "123456789" + String(repeating: character, count: 5) + "."
    #expect(TextRule.feedback.check(nine) == .accepted(nine))
    #expect(TextRule.feedback.check("12345678" + character + "9") == Self.tooShort)
  }

  @Test func `line breaks and tabs are text, other control characters are refused`() {
    #expect(
      TextRule.feedback.check("Line one\n\tline two\r\nend")
        == .accepted("Line one\n\tline two\r\nend"))
    for control in ["\u{1B}", "\u{7}", "\u{0}", "\u{7F}", "\u{9B}"] {
      let verdict = TextRule.feedback.check("Long enough\(control) to be taken")
      #expect(verdict.problem?.contains("control characters") == true)
    }
  }

  @Test func `characters made of thousands of marks do not get round the limit`() {
    let character = "e" + String(repeating: "\u{301}", count: 818)
    let most = String(repeating: character, count: 10)
    #expect(TextRule.feedback.check(most) == .accepted(most))
    let more = most + "\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}"
    #expect(
      TextRule.feedback.check(more).problem
        == "The feedback has 16386 bytes; at most 16384 are allowed.")
  }

  @Test func `a megabyte is counted and refused`() {
    let count = 1 << 20
    #expect(
      TextRule.feedback.check(String(repeating: "x", count: count)).problem
        == "The feedback has \(count) characters; at most 500 are allowed.")
  }
}
