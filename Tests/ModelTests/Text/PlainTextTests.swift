import Testing

@testable import Model

@Suite struct PlainTextTests {
  private func check(_ text: [UInt8]) -> PlainText {
    text.withUnsafeBytes { PlainText.check($0) }
  }

  @Test(arguments: 0...255)
  func `one byte decides at every place of texts of every length`(byte: Int) {
    let byte = UInt8(byte)
    let expected: PlainText =
      byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
      ? .other : byte < 0x80 ? .ascii : .withoutEscapes
    for count in 1...17 {
      for place in 0..<count {
        var text = [UInt8](repeating: UInt8(ascii: "a"), count: count)
        text[place] = byte
        #expect(check(text) == expected, "\(byte) at \(place) of \(count)")
      }
    }
  }

  @Test func `nothing needs nothing`() {
    #expect(check([]) == .ascii)
  }
}
