import Rules
import Testing

@Suite("Feedback texts")
struct FeedbackRuleTests {
  @Test(
    "10 to 500 characters are accepted",
    arguments: [(9, false), (10, true), (11, true), (499, true), (500, true), (501, false)])
  func length(count: Int, isAccepted: Bool) {
    let text = String(repeating: "x", count: count)
    let verdict = FeedbackRule.judge(text)
    #expect((verdict == .accepted(text)) == isAccepted)
    #expect((verdict.problem == nil) == isAccepted)
  }

  @Test("characters are counted as users see them", arguments: ["👨‍👩‍👧‍👦", "e\u{301}", "🇪🇸", "한"])
  func perceived(character: String) {
    #expect(FeedbackRule.judge(String(repeating: character, count: 9)) == .tooShort(count: 9))
    let ten = String(repeating: character + "", count: 10)
    #expect(FeedbackRule.judge(ten) == .accepted(ten))
  }

  @Test("white space around the text does not count and is not kept")
  func trimmed() {
    #expect(FeedbackRule.judge(" \n\t 123456789 \u{3000}") == .tooShort(count: 9))
    #expect(FeedbackRule.judge("  12345 7890\n") == .accepted("12345 7890"))
  }

  @Test("no text and a blank one are missing", arguments: [nil, "", "   \n"])
  func missing(text: String?) {
    #expect(FeedbackRule.judge(text) == .missing)
  }

  @Test("a refusal says what is wrong")
  func problems() {
    #expect(
      FeedbackRule.judge("short").problem
        == "The feedback has 5 characters; at least 10 are needed.")
    #expect(
      FeedbackRule.judge(String(repeating: "x", count: 501)).problem
        == "The feedback has 501 characters; at most 500 are allowed.")
    #expect(
      FeedbackRule.judge(nil).problem
        == "A rating of 1 to 3 stars needs feedback of 10 to 500 characters.")
  }
}
