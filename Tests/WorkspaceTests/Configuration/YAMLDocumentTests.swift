import Testing
import Yams

@testable import Workspace

struct YAMLDocumentTests {
  private func firstProblem(in bytes: [UInt8]) -> ConfigurationProblem? {
    do {
      _ = try YAMLDocument.root(of: SourceFile(path: "a.yml", bytes: bytes))
      return nil
    } catch {
      return error.problems.first
    }
  }

  private func firstProblem(in text: String) -> ConfigurationProblem? {
    firstProblem(in: Array(text.utf8))
  }

  @Test(arguments: ["", "\n\n", "# only a comment\n", "~", "---\n", "null"])
  func `a file that says nothing is empty`(text: String) {
    #expect(firstProblem(in: text)?.message.contains("the file is empty") == true)
  }

  @Test(arguments: ["a: 1", "a:", "\u{FEFF}kind: report", "kind: report\r\ntop: 2\r\n", "a: [1]\n"])
  func `a short file, a byte order mark and Windows line ends are fine`(text: String) {
    #expect(firstProblem(in: text) == nil)
  }

  @Test func `a byte order mark is not part of the first key`() throws {
    let root = try YAMLDocument.root(of: SourceFile(path: "a.yml", text: "\u{FEFF}kind: report"))
    #expect(root.mapping?.first?.key.string == "kind")
  }

  @Test(arguments: [
    ("a: 1\nb: [1, 2\nc: 3\n", 3), ("a: 1\n\tb: 2\n", 2), ("a: \"open\nb: 1\n", 2),
    ("a: 1\nb: *nobody\n", 2), ("a: b: c\n", 1),
  ])
  func `a syntax error names its line`(text: String, line: Int) throws {
    let problem = try #require(firstProblem(in: text))
    #expect(problem.message.hasPrefix("not valid YAML: "))
    #expect(problem.line == line)
    #expect(problem.column != nil)
  }

  @Test(arguments: [
    ("a: 1\n\tb: 2\n", 2, 1), ("a:\n\tb: 2\n", 2, 1), ("needs:\n  - x\n \t- y\n", 3, 2),
    ("needs:\n\t- x\n", 2, 1), ("a: |\n\ttext\n", 2, 1), ("a:\r\n\tb: 2\r\n", 2, 1),
  ])
  func `a tab before a line's first word is named, with its place`(
    text: String, line: Int, column: Int
  ) throws {
    let problem = try #require(firstProblem(in: text))
    #expect(
      problem
        == ConfigurationProblem(
          file: "a.yml", line: line, column: column,
          message:
            "not valid YAML: the line is indented with a tab; YAML takes only spaces there"))
  }

  @Test(arguments: [
    ("kind: report\nschedule: */10 * * * *\n", 2, 11, #"schedule: "*/10 * * * *""#),
    ("schedule: * * * * * # often\n", 1, 11, #"schedule: "* * * * *""#),
    ("schedule: @daily\n", 1, 11, #"schedule: "@daily""#),
    // Any other value may be a secret.
    ("a:\n  - password: @k3y\n", 2, 15, #"password: "@…""#), ("a: `x`\n", 1, 4, #"a: "`…""#),
    ("title: %x\n", 1, 8, #"title: "%…""#),
  ])
  func `a value that begins with a sign of YAML's own is told to need quotes`(
    text: String, line: Int, column: Int, example: String
  ) throws {
    let problem = try #require(firstProblem(in: text))
    let sign = example.split(separator: "\"")[1].prefix(1)
    #expect(
      problem
        == ConfigurationProblem(
          file: "a.yml", line: line, column: column,
          message: "not valid YAML: a value that begins with '\(sign)' needs quotes: \(example)"))
  }

  @Test(arguments: ["a:\t1\n", "a: 1\t# x\n", "a: 'x\ty'\nb: 2\n"])
  func `a tab behind the first word is no problem`(text: String) {
    #expect(firstProblem(in: text) == nil)
  }

  @Test func `an error at the end names a line of the file`() throws {
    #expect(try #require(firstProblem(in: "a: [")).line == 1)
    #expect(try #require(firstProblem(in: "a: \"b")).line == 1)
  }

  @Test func `the same key twice is named with its line`() throws {
    let problem = try #require(firstProblem(in: "kind: report\ntop: 1\ntop: 2\n"))
    #expect(problem.message.contains("the same key twice: top"))
    #expect((2...3).contains(problem.line))
  }

  @Test func `a second document is refused`() throws {
    let problem = try #require(firstProblem(in: "a: 1\n---\nb: 2\n"))
    #expect(problem.message.contains("another document"))
  }

  @Test func `bytes that are not UTF-8 are refused with their line`() throws {
    let problem = try #require(firstProblem(in: Array("a: 1\nb: ".utf8) + [0xC3, 0x28, 0x0A]))
    #expect(problem.line == 2)
    #expect(problem.message.contains("not UTF-8"))
  }

  @Test func `a control character is refused with its line`() throws {
    let problem = try #require(firstProblem(in: "kind: report\nname: a\u{0}b\n"))
    #expect(problem.line == 2)
  }

  @Test func `a file may have 65,536 bytes and not one more`() {
    let text = "a: 1\n#" + String(repeating: "x", count: YAMLDocument.maxBytes - 6)
    #expect(text.utf8.count == YAMLDocument.maxBytes)
    #expect(firstProblem(in: text) == nil)
    #expect(firstProblem(in: text + "x")?.message.contains("bigger than 65536 bytes") == true)
  }

  @Test(arguments: [("[", ""), ("{a: ", ""), ("- ", "x"), ("? ", "x")])
  func `a file nested to the limit of its size is refused, not overflowed`(
    unit: String, end: String
  ) {
    let count = (YAMLDocument.maxBytes - 1) / unit.utf8.count
    #expect(firstProblem(in: String(repeating: unit, count: count) + end) != nil)
  }

  @Test func `twelve aliases are fine, one more is refused`() {
    func text(_ count: Int) -> String {
      "a: &x 1\nb: [\(Array(repeating: "*x", count: count).joined(separator: ", "))]\n"
    }
    #expect(firstProblem(in: text(12)) == nil)
    #expect(firstProblem(in: text(13))?.message.contains("more than 12 YAML aliases") == true)
  }

  @Test func `aliases of aliases are bounded before they grow`() {
    let lines = (1...9).map { level in
      "l\(level): &l\(level) [\(Array(repeating: "*l\(level - 1)", count: 9).joined(separator: ", "))]"
    }
    let bomb = (["l0: &l0 [x]"] + lines + ["? *l9", ": 1"]).joined(separator: "\n")
    #expect(firstProblem(in: bomb)?.message.contains("aliases") == true)
  }

  @Test func `the worst that twelve aliases allow is read in no time`() {
    let lines = (1...3).map { "l\($0): &l\($0) [*l\($0 - 1), *l\($0 - 1), *l\($0 - 1)]" }
    let leaf = Array(repeating: "x", count: 20_000).joined(separator: ",")
    let bomb = (["l0: &l0 [\(leaf)]"] + lines + ["? *l3", ": 1"]).joined(separator: "\n")
    let duration = ContinuousClock().measure { #expect(firstProblem(in: bomb) == nil) }
    #expect(duration < .seconds(60))
  }

  @Test(arguments: [
    "# *a*", "b: 1 # *a*", "# it's *a* \"b", "b: 'x *a* # *b'", "b: \"*a* # \" # *a*",
    "b: |\n  *a* # 'x\n  *b", "b: it's # *a*", "b: x *a", "b:\n  - x*y # *a*",
  ])
  func `stars in comments and texts are no aliases`(line: String) {
    let lines = (0..<14).map { line.replacing("b:", with: "b\($0):") }
    let text = "a: &a 1\nc: *a\n\(lines.joined(separator: "\n"))\n"
    #expect(firstProblem(in: text) == nil)
    let more = (0..<12).map { "d\($0): *a" }.joined(separator: "\n")
    #expect(firstProblem(in: text + more)?.message.contains("more than 12 YAML aliases") == true)
    let fewer = (0..<11).map { "d\($0): *a" }.joined(separator: "\n")
    #expect(firstProblem(in: text + fewer) == nil)
  }

  @Test(arguments: ["a: \"# {}\", b: [*x]", "a: '#', b: *x", "*x : 1"])
  func `an alias behind what looks like a comment, or as a key, counts`(line: String) {
    let items = (0..<13).map { "- {\(line.replacing("*x", with: "*x\($0)"))}\n" }
    let anchors = (0..<13).map { "- &x\($0) y\($0)\n" }
    let text = "list:\n" + (anchors + items).joined()
    #expect(firstProblem(in: text)?.message.contains("more than 12 YAML aliases") == true)
  }

  @Test func `a syntax error is named, whatever stars are in the comments`() throws {
    let text = String(repeating: "# *a*\n", count: 20) + "a: 1\n\tb: 2\n"
    let problem = try #require(firstProblem(in: text))
    #expect(problem.message.contains("indented with a tab") && problem.line == 22)
  }

  @Test(arguments: [
    ("a: 1\n\t\nb: 2\n", 2), ("\t\na: 1\n", 1),
    ("a:\n  b: 1\n\t\n  c: 2\n", 3),
  ])
  func `a line of a tab alone is named as such`(text: String, line: Int) throws {
    let problem = try #require(firstProblem(in: text))
    #expect(
      problem.message == "the line holds nothing but a tab, which cannot be read; empty the line")
    #expect(problem.line == line)
  }

  @Test(arguments: [
    (#""\ud83d\ude00""#, #"\ud83d is half a character of JSON's; write 😀 or \U0001F600"#),
    (#""x \uD834\uDD1E""#, #"\uD834 is half a character of JSON's; write 𝄞 or \U0001D11E"#),
    (#""\ud800\udc00""#, #"\ud800 is half a character of JSON's; write 𐀀 or \U00010000"#),
    (#""\udbff\udfff""#, #"\udbff is half a character of JSON's; write 􏿿 or \U0010FFFF"#),
    (#""\ud83d""#, #"\ud83d is half a character; write the whole one"#),
    (#""\ude00""#, #"\ude00 is half a character; write the whole one"#),
  ])
  func `a character in two halves, as JSON has it, is named with what to write`(
    value: String, advice: String
  ) throws {
    let problem = try #require(firstProblem(in: "a: 1\nb: \(value)\n"))
    #expect(problem.message == "not valid YAML: \(advice)")
    #expect(problem.line == 2)
  }

  @Test func `cron stars and globs are no aliases`() {
    let globs = Array(repeating: "'*/5 * * * *'", count: 40).joined(separator: ", ")
    #expect(firstProblem(in: "a: [\(globs)]") == nil)
  }

  @Test(arguments: [
    ("", Scalar.null), ("~", .null), ("null", .null), ("nUll", .text("nUll")),
    ("true", .boolean(true)), ("False", .boolean(false)), ("yes", .text("yes")),
    ("'true'", .text("true")), ("!!str 1", .text("1")), ("!!int 50000", .integer(50_000)),
    ("!!int \"12\"", .integer(12)), ("!!int many", .text("many")), ("!!int 1.5", .text("1.5")),
    ("!!float 3", .number(3)), ("!!float 1.5", .number(1.5)), ("!!bool true", .boolean(true)),
    ("!!bool yes", .text("yes")), ("!!bool 1", .text("1")), ("!!null ''", .null),
    ("!!null x", .text("x")), ("!!str true", .text("true")), ("! 1", .text("1")),
    ("!own 1", .text("1")), ("0", .integer(0)), ("-7", .integer(-7)),
    ("007", .integer(7)), ("9223372036854775807", .integer(.max)),
    ("9223372036854775808", .number(9_223_372_036_854_775_808)), ("1.5", .number(1.5)),
    ("1e3", .number(1000)), ("0x10", .text("0x10")), (".inf", .text(".inf")),
    ("nan", .text("nan")), ("1_000", .text("1_000")), ("[1]", .list), ("{b: 1}", .mapping),
  ])
  func `a word without quotes has its type, in decimal only`(text: String, scalar: Scalar) throws {
    let root = try YAMLDocument.root(of: SourceFile(path: "a.yml", text: "a: \(text)\n"))
    #expect(Scalar(try #require(root.mapping?.first?.value)) == scalar)
  }
}
