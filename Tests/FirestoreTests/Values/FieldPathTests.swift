import Fixtures
import Testing

@testable import Firestore

@Suite("FieldPath")
struct FieldPathTests {
  @Test(arguments: [
    (["a"], "a"), (["a", "b_1", "_C"], "a.b_1._C"), (["__name__"], "__name__"),
    (["b c"], "`b c`"), (["a", "b c", "d"], "a.`b c`.d"), (["a.b"], "`a.b`"),
    (["1a"], "`1a`"), (["`"], #"`\``"#), ([#"\"#], #"`\\`"#), (["é"], "`é`"),
    (["*", "~"], "`*`.`~`"),
  ])
  func `quotes what is no plain name, both ways`(segments: [String], text: String) throws {
    #expect(FieldPath(segments: segments).description == text)
    #expect(try FieldPath(parsing: text).segments == segments)
  }

  @Test func `accepts back-ticks that were not needed`() throws {
    #expect(try FieldPath(parsing: "`a`.`b`").segments == ["a", "b"])
  }

  @Test(arguments: [
    "", ".", "a.", ".a", "a..b", "a b", "1a", "é", "a-b", "`", "``", "`a", "`a`b", "a`b`",
    #"`\x`"#,
    #"`\"#, "a.`b",
  ])
  func `refuses malformed text`(text: String) {
    #expect(throws: WireError.self) { try FieldPath(parsing: text) }
  }

  @Test(arguments: 0..<200)
  func `every segment survives a round trip`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let path = FieldPath(segments: (0..<3).map { _ in "x" + String.random(using: &random) })
    #expect(try FieldPath(parsing: path.description) == path, "seed \(seed)")
  }
}
