import Model
import Testing

@testable import Feeds

@Suite("JSONEscapes")
struct JSONEscapesTests {
  private func decode(_ text: String) throws -> String {
    try Array(text.utf8).withUnsafeBufferPointer { bytes in
      String(decoding: try JSONEscapes.decode(bytes), as: UTF8.self)
    }
  }

  @Test func `every scalar that JSON must escape comes back, and so does any other`() throws {
    for value in UInt32(0)...0x2FF {
      let text = try String(#require(Unicode.Scalar(value)))
      let encoded = JSONText.escaped(text)
      #expect(try decode(encoded) == text)
      #expect(encoded.unicodeScalars.allSatisfy { $0.value >= 0x20 })
      #expect(encoded.hasPrefix("\\") == (value < 0x20 || text == "\"" || text == "\\"))
    }
  }

  @Test(arguments: [
    (#"\ud800\udc00"#, "\u{10000}"), (#"\uDBFF\uDFFF"#, "\u{10FFFF}"), (#"\ud7ff"#, "\u{D7FF}"),
    (#"\ue000"#, "\u{E000}"), (#"\uffff"#, "\u{FFFF}"), (#"e\u0301"#, "e\u{301}"),
    (#"a\\nb"#, #"a\nb"#), ("", ""),
  ])
  func `units and pairs are put together`(text: String, expected: String) throws {
    #expect(try decode(text).unicodeScalars.elementsEqual(expected.unicodeScalars))
  }

  @Test(arguments: [
    #"\ud800"#, #"\ud800\ud800"#, #"\udc00\ud800"#, #"\ud800\ue000"#, #"\ud800\n"#,
    #"\ud800 \udc00"#,
    #"\u"#, #"\u00"#, #"\u00g0"#, #"\U0041"#, #"\a"#, #"\'"#, #"\"#,
  ])
  func `half pairs and unknown escapes are refused`(text: String) {
    #expect(throws: JSONScanner.Fault.self) { try decode(text) }
  }
}
