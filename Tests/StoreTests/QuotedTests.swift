import Store
import Testing

@Suite struct QuotedTests {
  @Test(arguments: [
    ("", "\"\""), ("a", "\"a\""), ("\"", "\"\"\"\""), ("a\"b", "\"a\"\"b\""),
    ("\"\u{301}", "\"\"\"\u{301}\""), ("\"\u{200D}\"\u{FE0F}", "\"\"\"\u{200D}\"\"\u{FE0F}\""),
  ])
  func `every quote inside is doubled, whatever mark follows it`(text: String, expected: String) {
    #expect(Array(text.quoted.utf8) == Array(expected.utf8))
  }
}
