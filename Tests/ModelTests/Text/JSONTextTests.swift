import Testing

@testable import Model

@Suite struct JSONTextTests {
  @Test(
    arguments: [
      (.none, #"a\"\\\u000a\u000d\u0009\u0008\u001f"# + "\u{7F}ü"),
      (.lineFeed, #"a\"\\\n\u000d\u0009\u0008\u001f"# + "\u{7F}ü"),
      (.whiteSpace, #"a\"\\\n\r\t\u0008\u001f"# + "\u{7F}ü"),
    ] as [(JSONText.ShortEscapes, String)])
  func `each form has its own short escapes`(short: JSONText.ShortEscapes, expected: String) {
    #expect(JSONText.escaped("a\"\\\n\r\t\u{8}\u{1F}\u{7F}ü", short) == expected)
  }

  @Test func `a text without escapes stays, also an empty one`() {
    #expect(JSONText.escaped("") == "")
    #expect(JSONText.escaped("Zoë said: 'no' 🙂") == "Zoë said: 'no' 🙂")
  }
}
