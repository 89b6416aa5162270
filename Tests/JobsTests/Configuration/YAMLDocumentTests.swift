import Testing
import Yams

@testable import Jobs

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

  @Test func `cron stars and globs are no aliases`() {
    let globs = Array(repeating: "'*/5 * * * *'", count: 40).joined(separator: ", ")
    #expect(firstProblem(in: "a: [\(globs)]") == nil)
  }

  @Test(arguments: [
    ("", Scalar.null), ("~", .null), ("null", .null), ("nUll", .text("nUll")),
    ("true", .boolean(true)), ("False", .boolean(false)), ("yes", .text("yes")),
    ("'true'", .text("true")), ("!!str 1", .text("1")), ("0", .integer(0)), ("-7", .integer(-7)),
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
