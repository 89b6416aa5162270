import Testing

@testable import Model

@Suite("Base64")
struct Base64Tests {
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
    ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
  ])
  func `writes the vectors of RFC 4648 section 10 and reads them back`(
    text: String, encoded: String
  ) {
    #expect(Base64.encode(text.utf8) == encoded)
    #expect(Base64.decode(encoded) == Array(text.utf8))
    #expect(Base64.decode(encoded.replacing("=", with: "")) == Array(text.utf8))
  }

  @Test func `uses the alphabet for URLs without padding where asked`() {
    #expect(Base64.encodeForURL([0xFB, 0xFF]) == "-_8")
    #expect(Base64.decode("-_8") == [0xFB, 0xFF])
  }

  @Test(arguments: ["a", "====", "Zg=", "Zm9v=", "Zg==Zg==", "Z g=", "é"])
  func `refuses what is no base64`(text: String) {
    #expect(Base64.decode(text) == nil)
  }
}
