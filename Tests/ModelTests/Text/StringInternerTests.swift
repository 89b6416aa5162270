import Model
import Testing

@Suite("Interned texts")
struct StringInternerTests {
  @Test func `many texts keep their numbers in the order in which they were met`() {
    let interner = StringInterner()
    let texts = (0..<20_000).map { "user-\($0 * 7_919)" }
    for (number, text) in texts.enumerated() { #expect(interner.number(of: text) == number) }
    for (number, text) in texts.enumerated() {
      #expect(interner.number(of: text) == number)
      #expect(interner[number] == text)
    }
    #expect(interner.count == texts.count)
  }

  @Test func `texts of other bytes are others, also where Swift calls them equal`() {
    let interner = StringInterner()
    let (composed, decomposed) = ("\u{E9}", "e\u{301}")
    #expect(composed == decomposed)
    #expect(interner.number(of: composed) == 0)
    #expect(interner.number(of: decomposed) == 1)
    #expect(interner.number(of: "") == 2)
    #expect(interner[1].utf8.elementsEqual(decomposed.utf8))
  }

  @Test func `the beginning of a text is another one`() {
    let interner = StringInterner()
    for (number, text) in ["", "us", "user", "use", "usér"].enumerated() {
      #expect(interner.number(of: text) == number)
      #expect(interner.number(of: text) == number)
    }
  }

  @Test func `a text that was never met is not known`() {
    let interner = StringInterner()
    func known(_ text: String) -> Int? {
      Array(text.utf8).withUnsafeBytes { interner.known($0) }
    }
    #expect(known("a") == nil)
    #expect(interner.number(of: "a") == 0)
    #expect(known("a") == 0)
    #expect(known("b") == nil)
    #expect(known("") == nil)
    #expect(interner.count == 1)
  }

  @Test func `bytes have the number of their text, also those that are no UTF-8`() {
    let interner = StringInterner()
    func number(_ bytes: [UInt8]) -> Int { bytes.withUnsafeBytes { interner.number(of: $0) } }
    #expect(number(Array("user".utf8)) == 0)
    #expect(interner.number(of: "user") == 0)
    #expect(interner.number(of: "a longer name of a user, on the heap") == 1)
    #expect(number(Array("a longer name of a user, on the heap".utf8)) == 1)
    #expect(number([0x61, 0xFF]) == 2)
    #expect(number([0x61, 0xFF]) == 2)
    #expect(interner.number(of: "a\u{FFFD}") == 2)
    #expect(number([]) == 3)
    #expect(interner.count == 4)
  }

  @Test func `an empty text has a number as others have`() {
    let interner = StringInterner()
    for text in ["first", "", "second"] {
      #expect(interner.number(of: text) == interner.count - 1)
    }
    #expect(interner[0] == "first")
    #expect(interner[1] == "")
    #expect(interner[2].utf8.elementsEqual("second".utf8))
    #expect(interner.number(of: "second") == 2)
  }
}
