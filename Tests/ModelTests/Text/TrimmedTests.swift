import Model
import Testing

@Suite struct TrimmedTests {
  @Test(arguments: [
    ("", ""), (" ", ""), ("a", "a"), (" a b\t\n", "a b"), ("\u{A0}é\u{3000}", "é"),
    ("\r\n x", "x"), ("\u{0}", "\u{0}"),
  ])
  func `white space around a text goes, inside it stays`(text: String, expected: String) {
    #expect(text.trimmed == expected)
  }
}
