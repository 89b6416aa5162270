import Testing

@testable import HTTP

@Suite struct QuotedTextTests {
  @Test(arguments: ["", "x", "e\u{301}", "\u{1F338}", "\u{A0}"])
  func `a text of 2,000 code points is quoted whole, one more is not`(unit: String) {
    guard !unit.isEmpty else { return #expect(QuotedText.clipped("").isEmpty) }
    for count in [1_999, 2_000, 2_001, 100_000] {
      let scalars = String(repeating: unit, count: count).unicodeScalars.prefix(count)
      let quoted = QuotedText.clipped(String(scalars))
      #expect(quoted.unicodeScalars.count == min(count, 2_000))
      #expect((quoted == String(scalars)) == (count <= 2_000))
      #expect(quoted.unicodeScalars.contains("…") == (count > 2_000))
    }
  }

  @Test(arguments: [
    ("a\nb", "a b"), ("a\r\nb\rc\td", "a b c d"), ("a\u{2028}b\u{2029}c\u{85}d", "a b c d"),
    ("a\0b", "a␀b"), ("\u{1B}[2J", "␛[2J"), ("\u{7F}", "␡"), ("\u{9B}1m", "\u{FFFD}1m"),
    ("é ß\u{A0}", "é ß\u{A0}"),
  ])
  func `a quote is one line, in which nothing acts`(text: String, quoted: String) {
    #expect(QuotedText.clipped(text) == quoted)
    let long = String(repeating: "x", count: 3_000) + text
    #expect(QuotedText.clipped(long).hasSuffix(quoted))
  }

  @Test func `beginning and end of a long text are kept`() {
    let text = "begin \(String(repeating: "x", count: 1 << 20)) end"
    #expect(QuotedText.clipped(text).hasPrefix("begin xxx"))
    #expect(QuotedText.clipped(text).hasSuffix("xxx end"))
  }
}
