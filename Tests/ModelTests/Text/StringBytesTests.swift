import Model
import Testing

@Suite struct StringBytesTests {
  @Test(arguments: [
    ("", "\"\""), ("a", "\"a\""), ("\"", "\"\"\"\""), ("a\"b", "\"a\"\"b\""),
    ("\"\u{301}", "\"\"\"\u{301}\""), ("\"\u{200D}\"\u{FE0F}", "\"\"\"\u{200D}\"\"\u{FE0F}\""),
  ])
  func `every quote inside is doubled, whatever mark follows it`(text: String, expected: String) {
    #expect(Array(text.quoted.utf8) == Array(expected.utf8))
  }

  @Test func `two spellings of one character are two texts`() {
    #expect("T\u{FC}rkiye" == "Tu\u{308}rkiye")
    #expect(!"T\u{FC}rkiye".hasSameBytes(as: "Tu\u{308}rkiye"))
    #expect("Tu\u{308}rkiye".hasSameBytes(as: "Tu\u{308}rkiye"))
    #expect(!"a".hasSameBytes(as: "ab") && !"".hasSameBytes(as: "a") && "".hasSameBytes(as: ""))
  }
}
