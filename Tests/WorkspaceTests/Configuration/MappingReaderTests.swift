import Testing

@testable import Workspace

struct MappingReaderTests {
  private func reader(_ text: String) throws -> MappingReader {
    let source = SourceFile(path: "a.yml", text: text)
    return MappingReader(
      try YAMLDocument.root(of: source), keyPath: "", log: ProblemLog(file: source.path),
      keys: .allPublic)
  }

  private func messages(_ reader: MappingReader) -> [String] {
    reader.log.problems.map(\.description)
  }

  @Test func `an anchor and a merge key give their values, and own keys win`() throws {
    let reader = try reader(
      """
      first: &first {a: 1, b: 1, c: 1}
      second: &second {b: 2, d: 2}
      both:
        <<: [*first, *second]
        c: 3
      """)
    let both = reader.mapping("both")
    #expect(both.integer("a", in: 0...9) == 1)
    #expect(both.integer("b", in: 0...9) == 1)
    #expect(both.integer("c", in: 0...9) == 3)
    #expect(both.integer("d", in: 0...9) == 2)
    #expect(messages(reader).isEmpty)
  }

  @Test func `thousands of keys that are merged a dozen times take little time`() throws {
    let keys = (0..<5_500).map { "k\($0): 1" }.joined(separator: ", ")
    let merges = Array(repeating: "*a", count: YAMLDocument.maxAliases).joined(separator: ", ")
    let text = "a: &a {\(keys)}\nb:\n  <<: [\(merges)]\n  k1: 2\n"
    let time = try ContinuousClock().measure {
      let merged = try reader(text).mapping("b")
      #expect(merged.entries.count == 5_500)
      #expect(merged.integer("k1", in: 0...9) == 2)
    }
    #expect(time < .seconds(3))
  }

  @Test func `a merge of something that is no mapping is a problem`() throws {
    let reader = try reader("<<: 5\na: 1\n")
    #expect(messages(reader) == ["a.yml:1:5: '<<' takes a mapping"])
  }

  @Test(arguments: ["a:\n", "a: ~\n", "a: null\n", "b: 1\n"])
  func `a key without a value is not given`(text: String) throws {
    let reader = try reader(text)
    #expect(reader.entry("a") == nil)
    #expect(reader.text("a") == nil)
    #expect(reader.integer("a", in: 1...2) == nil)
    #expect(reader.items("a") == nil)
    #expect(reader.mapping("a").entries.isEmpty)
    #expect(messages(reader).isEmpty)
  }

  @Test(arguments: [
    ("a: 12", "the integer 12; put it in quotes"), ("a: 1.5", "the number 1.5; put it in quotes"),
    ("a: true", "the truth value true; put it in quotes"), ("a: [x]", "a list"),
    ("a: {b: c}", "a mapping"),
  ])
  func `what is not text is refused where text belongs`(text: String, found: String) throws {
    let reader = try reader(text)
    #expect(reader.text("a") == nil)
    #expect(messages(reader) == ["a.yml:1:4: a: must be text, not \(found)"])
  }

  @Test(arguments: ["a: '12'", "a: \"12\"", "a: !!str 12", "a: |-\n  12"])
  func `a quoted number is text`(text: String) throws {
    let reader = try reader(text)
    #expect(reader.text("a") == "12")
    #expect(messages(reader).isEmpty)
  }

  @Test func `empty text is refused`() throws {
    let reader = try reader("a: ''")
    #expect(reader.text("a") == nil)
    #expect(messages(reader) == ["a.yml:1:4: a: must not be empty"])
  }

  @Test(arguments: [("1", 1), ("10", 10), ("+5", 5), ("005", 5)])
  func `an integer within its bounds is taken`(text: String, value: Int) throws {
    #expect(try reader("a: \(text)").integer("a", in: 1...10) == value)
  }

  @Test(arguments: ["0", "11", "-1", "5.0", "'5'", "many", "true", "[5]", "99999999999999999999"])
  func `anything else is no integer from 1 to 10`(text: String) throws {
    let reader = try reader("a: \(text)")
    #expect(reader.integer("a", in: 1...10) == nil)
    #expect(messages(reader).first?.contains("must be an integer from 1 to 10, not") == true)
    #expect(messages(reader).count == 1)
  }

  @Test(arguments: ["yes", "on", "1", "'true'", "[]"])
  func `only true and false are truth values`(text: String) throws {
    let reader = try reader("a: \(text)")
    #expect(reader.boolean("a") == nil)
    #expect(messages(reader).count == 1)
  }

  @Test(arguments: [("0", 0.0), ("0.6", 0.6), ("1e3", 1_000), ("12", 12)])
  func `an amount may have a fraction`(text: String, value: Double) throws {
    #expect(try reader("a: \(text)").amount("a") == value)
  }

  @Test(arguments: ["-0.1", "-1", ".nan", ".inf", "nan", "inf", "0x10", "'1'", "1e999"])
  func `an amount is not negative and not endless`(text: String) throws {
    let reader = try reader("a: \(text)")
    #expect(reader.amount("a") == nil)
    #expect(messages(reader).count == 1)
  }

  @Test func `every wrong item of a list is named with its place`() throws {
    let reader = try reader("a:\n  - x\n  - 5\n  - {b: c}\n")
    #expect(reader.texts("a") == ["x"])
    #expect(
      messages(reader) == [
        "a.yml:3:5: a[1]: must be text, not the integer 5; put it in quotes",
        "a.yml:4:5: a[2]: must be text, not a mapping",
      ])
  }

  @Test(arguments: [("a: x", "must be a list"), ("a: []", "must not be an empty list")])
  func `a list is a list with something in it`(text: String, message: String) throws {
    let reader = try reader(text)
    #expect(reader.texts("a") == nil)
    #expect(messages(reader).first?.contains(message) == true)
  }

  @Test(arguments: ["a", "- a", "5"])
  func `a file that is no mapping is one problem`(text: String) throws {
    let reader = try reader(text)
    #expect(reader.entries.isEmpty)
    #expect(messages(reader).count == 1)
    #expect(messages(reader).first?.contains("must be a mapping") == true)
  }

  @Test func `a key that is a list is refused`() throws {
    let reader = try reader("? [a, b]\n: 1\nc: 2\n")
    #expect(messages(reader) == ["a.yml:1:3: a key must be a word"])
    #expect(reader.entries.map(\.name) == ["c"])
  }
}
