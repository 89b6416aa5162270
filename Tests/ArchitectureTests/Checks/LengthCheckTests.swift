import Testing

struct LengthCheckTests {
  private func lines(_ count: Int) -> String {
    (0..<count).map { "  let a\($0) = \($0)" }.joined(separator: "\n")
  }

  @Test func `a file may have 400 lines and not one more`() {
    let line = "let a = 1\n"
    #expect(LengthCheck().findings(in: String(repeating: line, count: 400)).isEmpty)
    #expect(
      LengthCheck().findings(in: String(repeating: line, count: 401)) == [
        "Sources/Model/A.swift:1: 401 lines, more than 400"
      ])
    #expect(LengthCheck().findings(in: String(repeating: line, count: 400) + "}").count == 1)
  }

  @Test func `a file of fewer than 30 lines is short, unless it is a migration`() {
    func file(_ count: Int, _ path: String = "Sources/Model/A.swift") -> SwiftFile {
      SwiftFile(path: path, text: String(repeating: "let a = 1\n", count: count))
    }
    let files = [file(29), file(30), file(29, "Sources/Store/Migrations/M001.swift")]
    #expect(LengthCheck.shortFiles(of: files).map(\.lineCount) == [29])
  }

  @Test(arguments: [
    "func a() {", "init(b: Int) {", "init?() {", "subscript(b: Int) -> Int {", "var b: Int {",
    "deinit {", "func a<T>(b: (T) -> Void = { _ in }) async throws -> [T] {",
    "static func == (a: A, b: A) -> Bool {", "package mutating func a() {",
  ])
  func `a function may have 50 lines and not one more`(head: String) {
    #expect(LengthCheck().findings(in: "\(head)\n\(lines(48))\n}\n").isEmpty)
    #expect(
      LengthCheck().findings(in: "\n\(head)\n\(lines(49))\n}\n") == [
        "Sources/Model/A.swift:2: a function of 51 lines, more than 50"
      ])
  }

  @Test func `a comment may have 100 columns and not one more`() {
    func comment(_ columns: Int) -> String { "  // " + String(repeating: "é", count: columns - 5) }
    #expect(LengthCheck().findings(in: "\(comment(100))\n").isEmpty)
    #expect(
      LengthCheck().findings(in: "\n\(comment(101))\n") == [
        "Sources/Model/A.swift:2: a comment of 101 columns, more than 100"
      ])
    #expect(LengthCheck().findings(in: "let a = \"\(comment(101))\"\n").isEmpty)
  }

  @Test func `a head over several lines counts`() {
    let head = "func a(\n  b: Int,\n  c: Int\n)\n  throws -> Int\n{"
    #expect(LengthCheck().findings(in: "\(head)\n\(lines(43))\n}\n").isEmpty)
    #expect(LengthCheck().findings(in: "\(head)\n\(lines(44))\n}\n").count == 1)
  }

  @Test func `braces in texts and comments do not count`() {
    let text = "func a() {\n  let b = \"{\" // {\n  /* { */\n  let c = \"\\(d(\"}\"))\"\n}\n"
    let functions = LengthCheck.functions(of: SwiftFile(path: "A.swift", text: text + lines(60)))
    #expect(functions.map(\.lineCount) == [5])
  }

  @Test func `a type may be longer than a function, and a stored property has no body`() {
    let text = """
      struct A {
        var a: Int
        var b = [1].map { $0 }
        var c: [Int] = {
      \(lines(60))
        }()
      }
      protocol B {
        func a()
        init()
        var b: Int { get }
      }
      """
    #expect(LengthCheck().findings(in: text).isEmpty)
  }

  @Test func `requirements without a body do not borrow the next one's`() {
    let text = "protocol A {\n  func a() -> Int\n  func b()\n}\nstruct B {\n\(lines(60))\n}\n"
    #expect(LengthCheck().findings(in: text).isEmpty)
  }

  @Test func `a function within a function is measured too`() {
    let text = "func a() {\n  func b() {\n\(lines(10))\n  }\n}\n"
    let file = SwiftFile(path: "A.swift", text: text)
    #expect(LengthCheck.functions(of: file).map(\.lineCount) == [14, 12])
  }
}
