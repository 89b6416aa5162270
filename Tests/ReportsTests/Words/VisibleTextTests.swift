import Testing

@testable import Reports

@Suite struct VisibleTextTests {
  @Test(arguments: [
    ("a\u{0}b", "a␀b"), ("\u{1B}[31m", "␛[31m"), ("\u{7F}", "␡"), ("\u{85}", "⟨U+0085⟩"),
    ("\u{202E}x", "⟨U+202E⟩x"), ("\u{2069}", "⟨U+2069⟩"), ("\u{1FFFE}", "⟨U+1FFFE⟩"),
    ("\u{FEFF}", "⟨U+FEFF⟩"), ("plain\ntext", "plain\ntext"), ("مرحبا", "مرحبا"),
    ("👩‍👩‍👧", "👩‍👩‍👧"),
  ])
  func `what acts becomes what can be seen`(text: String, expected: String) {
    #expect(VisibleText.of(text) == expected)
  }

  @Test func `a line has no line feeds and no tabs`() {
    #expect(VisibleText.line("a\r\nb\nc\td") == "a b c d")
    #expect(VisibleText.line("\n\r\n\n") == "   ")
    #expect(VisibleText.line("a\rb\n") == VisibleText.of("a\rb") + " ")
  }

  @Test func `a text is cut one character after the limit, not at it`() {
    #expect(VisibleText.clipped("abc", to: 3) == "abc")
    #expect(VisibleText.clipped("abcd", to: 3) == "abc…")
    #expect(VisibleText.clipped("äöü", to: 3) == "äöü")
    #expect(VisibleText.clipped("", to: 3) == "")
  }

  @Test(arguments: [(0, 0), (5, 5), (6, 6), (7, 6), (500, 6), (1_000, 6)])
  func `a letter keeps six marks, so that no line is drawn over others`(count: Int, kept: Int) {
    func stacked(_ count: Int) -> String {
      "abZ" + String(repeating: "\u{301}", count: count)
    }
    let shown = VisibleText.clipped(stacked(count) + "c", to: 10)
    #expect(shown.unicodeScalars.elementsEqual((stacked(kept) + "c").unicodeScalars))
  }

  @Test(arguments: ["Nguyễn", "กี่", "שָׁלוֹם", "❤️", "👩‍👩‍👧"])
  func `marks that words need stay`(text: String) {
    #expect(VisibleText.clipped(text, to: 40) == text)
  }
}

@Suite struct DisplayWidthTests {
  @Test(arguments: [
    ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("山田", 4), ("ｱ", 1), ("Ａ", 2), ("한글", 4),
    ("👩‍👩‍👧", 2), ("❤️", 2), ("★", 1), ("🇩🇪", 2), ("مرحبا", 5),
    ("a\u{AD}b", 2), ("\u{7F}", 0), ("~", 1), ("ÿ", 1), ("“x”", 3), ("–…", 2), ("█░", 2), ("1️⃣", 2),
    ("a\u{2FF}", 2), ("a\u{300}", 1), ("©", 1), ("©️", 2), ("\u{200B}", 0), ("a\r\nb", 2),
  ])
  func `columns of a terminal`(text: String, expected: Int) {
    #expect(DisplayWidth.of(text) == expected)
  }

  @Test(arguments: ["", "ab", "山田 花子", "abcdef"])
  func `fitted text has exactly the width, cut or filled`(text: String) {
    for width in 1...9 {
      #expect(DisplayWidth.of(DisplayWidth.fitted(text, to: width)) == width)
      #expect(DisplayWidth.of(DisplayWidth.fitted(text, to: width, trailing: true)) == width)
    }
  }
}
