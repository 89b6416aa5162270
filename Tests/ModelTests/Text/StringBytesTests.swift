import Model
import Testing

@Suite struct StringBytesTests {
  @Test func `two spellings of one character are two texts`() {
    #expect("T\u{FC}rkiye" == "Tu\u{308}rkiye")
    #expect(!"T\u{FC}rkiye".hasSameBytes(as: "Tu\u{308}rkiye"))
    #expect("Tu\u{308}rkiye".hasSameBytes(as: "Tu\u{308}rkiye"))
    #expect(!"a".hasSameBytes(as: "ab") && !"".hasSameBytes(as: "a") && "".hasSameBytes(as: ""))
  }

  @Test func `what is escaped is found whatever mark follows it`() {
    #expect("it's".replacingScalars("'", with: "''") == "it''s")
    #expect("a'\u{301}'b".replacingScalars("'", with: "''").hasSameBytes(as: "a''\u{301}''b"))
    #expect("a\r\nb\n".replacingScalars("\n", with: "-").hasSameBytes(as: "a\r-b-"))
    #expect("${${a}".replacingScalars("${", with: "$${") == "$${$${a}")
    #expect(
      "".replacingScalars("'", with: "''") == "" && "a".replacingScalars("b", with: "") == "a")
  }

  @Test(arguments: [
    ("/", false), ("0", true), ("9", true), (":", false), ("@", false), ("A", true), ("Z", true),
    ("[", false), ("`", false), ("a", true), ("z", true), ("{", false), ("_", true), ("é", false),
    ("Á", false), ("", true),
  ])
  func `a word has ASCII letters, digits and what else it may have`(text: String, isWord: Bool) {
    #expect(text.isWord(with: "_") == isWord)
    #expect("a\(text)1".isWord(with: "_") == isWord)
  }
}
