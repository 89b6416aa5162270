import Model
import Testing

@Suite struct WordsTests {
  @Test(arguments: [
    ("a", true), ("a-b", true), ("0-z9", true), ("a/b-c", true), ("", false), ("-", false),
    ("-a", false), ("a-", false), ("a--b", false), ("a/-b", false), ("A", false), ("a_b", false),
    ("a b", false), ("é", false), ("`", false), ("{", false), (":", false),
  ])
  func `words are of small letters and digits, and joined by one character`(
    text: String, areWords: Bool
  ) {
    #expect(text.isWords(joinedBy: "-/") == areWords)
  }

  @Test func `another joint is none`() {
    #expect("a/b".isWords(joinedBy: "/"))
    #expect(!"a/b".isWords(joinedBy: "-"))
  }
}

@Suite struct PositionTests {
  @Test func `positions are places among all cases`() {
    #expect(Feature.allCases.map(\.position) == Array(Feature.allCases.indices))
    #expect(UserType.allCases.map(\.position) == Array(UserType.allCases.indices))
    #expect(
      AppDimension.Kind.allCases.map(\.position) == Array(AppDimension.Kind.allCases.indices))
  }
}
