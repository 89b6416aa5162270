/// Files and functions stay short enough to be read at once.
struct LengthCheck: Check {
  static let longestFile = 400
  static let longestFunction = 50
  /// Columns of a comment; `swift format` wraps the code.
  static let longestComment = 100

  /// A file below this number of lines joins a neighbour unless it is an idea of its own.
  static let shortestFile = 30
  /// The accepted number of shorter files in all modules; migrations do not count.
  static let shortFileLimit = 40

  /// The files that are shorter than they should be, migrations apart.
  static func shortFiles(of files: [SwiftFile]) -> [SwiftFile] {
    files.filter { $0.lineCount < shortestFile && !$0.path.contains("/Migrations/") }
  }

  private static let heads: Set<String> = ["func", "init", "deinit", "subscript", "var"]

  func findings(in file: SwiftFile) -> [Finding] {
    var findings: [Finding] = []
    if file.lineCount > Self.longestFile {
      findings.append(
        Finding(
          path: file.path, line: 1,
          message: "\(file.lineCount) lines, more than \(Self.longestFile)"))
    }
    for function in Self.functions(of: file) where function.lineCount > Self.longestFunction {
      findings.append(
        Finding(
          path: file.path, line: function.line,
          message: "a function of \(function.lineCount) lines, more than \(Self.longestFunction)"))
    }
    return findings + Self.longComments(of: file)
  }

  private static func longComments(of file: SwiftFile) -> [Finding] {
    zip(1..., file.text.split(separator: "\n", omittingEmptySubsequences: false)).filter {
      // Bytes are quick to count, and never fewer.
      $1.utf8.count > longestComment && $1.count > longestComment
        && $1.drop { $0 == " " }.hasPrefix("//")
    }.map { number, line in
      Finding(
        path: file.path, line: number,
        message: "a comment of \(line.count) columns, more than \(longestComment)")
    }
  }

  /// Functions, initialisers, subscripts and computed properties that have a body, nested ones too.
  ///
  /// A function's lines are counted from its first word to its last brace.
  static func functions(of file: SwiftFile) -> [(line: Int, lineCount: Int)] {
    let code = Array(file.code.utf8)
    return file.words.filter { heads.contains($0.text) }.compactMap { head in
      let start = head.offset + head.text.utf8.count
      guard let brace = openingBrace(in: code, from: start, isProperty: head.text == "var"),
        let end = closingBrace(in: code, from: brace)
      else { return nil }
      let line = file.line(of: head.offset)
      return (line, file.line(of: end) - line + 1)
    }
  }

  /// Where the body begins; nil when the declaration has none.
  private static func openingBrace(in code: [UInt8], from start: Int, isProperty: Bool) -> Int? {
    var depth = 0
    for index in start..<code.count {
      switch code[index] {
      case UInt8(ascii: "{") where depth == 0: return index
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      case UInt8(ascii: "=") where isProperty && depth == 0: return nil
      case UInt8(ascii: "\n") where depth == 0 && (isProperty || !goesOn(code, after: index)):
        return nil
      default: break
      }
      if depth < 0 { return nil }
    }
    return nil
  }

  /// Whether the head of a function goes on in the next line.
  private static func goesOn(_ code: [UInt8], after newline: Int) -> Bool {
    let rest = code[newline...].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
    return ["{", "->", "where ", "throws", "async", "rethrows"].contains {
      rest.starts(with: $0.utf8)
    }
  }

  private static func closingBrace(in code: [UInt8], from start: Int) -> Int? {
    var depth = 0
    for index in start..<code.count {
      if code[index] == UInt8(ascii: "{") { depth += 1 }
      if code[index] == UInt8(ascii: "}") { depth -= 1 }
      if depth == 0 { return index }
    }
    return nil
  }
}
