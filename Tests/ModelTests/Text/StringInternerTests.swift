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

  @Test func `a text that was never met is not known`() {
    let interner = StringInterner()
    func known(_ text: String) -> Int? { Array(text.utf8).withUnsafeBytes(interner.known) }
    #expect(known("a") == nil)
    #expect(interner.number(of: "a") == 0)
    #expect(known("a") == 0)
    #expect(known("b") == nil)
    #expect(interner.count == 1)
  }

  @Test func `bytes that are gone after they were met keep their number`() {
    let interner = StringInterner()
    for text in ["first", "", "second"] {
      #expect(Array(text.utf8).withUnsafeBytes(interner.number) == interner.count - 1)
    }
    #expect(interner[0] == "first")
    #expect(interner[1] == "")
    #expect(interner.bytes(of: 2).elementsEqual("second".utf8))
    #expect(interner.number(of: "second") == 2)
  }
}
