/// Blanks what is not code, so that a search cannot hit a comment or a text.
struct CodeMask {
  private static let openers = Array("/\"#`".utf8)
  private static let newline = UInt8(ascii: "\n")
  private static let space = UInt8(ascii: " ")

  private let source: [UInt8]
  private var masked: [UInt8] = []
  private var index = 0
  private var literals: [Literal] = []
  /// How many interpolations the index is in.
  private var depth = 0

  /// A text in quotes: its bytes with the quotes, and what it says.
  private struct Literal {
    var range: Range<Int>
    var text: [UInt8]
  }

  /// The texts in quotes with their first lines; those that `+` joins are one.
  ///
  /// An interpolation is an `x`, an escape a space.
  static func texts(of text: String) -> [(line: Int, text: String)] {
    var mask = CodeMask(source: Array(text.utf8))
    mask.run()
    var joined: [Literal] = []
    for literal in mask.literals {
      let gap = joined.last.map { mask.source[$0.range.upperBound..<literal.range.lowerBound] }
      if let gap, gap.allSatisfy(Array("+ \n".utf8).contains) {
        let last = joined.removeLast()
        joined.append(
          Literal(
            range: last.range.lowerBound..<literal.range.upperBound, text: last.text + literal.text)
        )
      } else {
        joined.append(literal)
      }
    }
    return joined.map { literal in
      let line = mask.source[..<literal.range.lowerBound].count { $0 == newline } + 1
      return (line, String(decoding: literal.text, as: UTF8.self))
    }
  }

  /// The text with comments, the contents of strings, names in back-ticks and regular expressions
  /// as spaces; line breaks stay where they are.
  static func mask(_ text: String) -> String {
    var mask = CodeMask(source: Array(text.utf8))
    mask.run()
    return String(decoding: mask.masked, as: UTF8.self)
  }

  private init(source: [UInt8]) {
    self.source = source
  }

  private mutating func run() {
    while index < source.count {
      if !Self.openers.contains(source[index]) {
        masked.append(source[index])
        index += 1
      } else if starts("//") {
        blank(while: { $0 != UInt8(ascii: "\n") })
      } else if starts("/*") {
        blankBlockComment()
      } else if let hashes = stringHashes {
        blankString(hashes: hashes)
      } else if starts("`") {
        blank(1)
        blank(while: { $0 != UInt8(ascii: "`") })
        blank(1)
      } else if startsRegularExpression {
        blankRegularExpression()
      } else {
        masked.append(source[index])
        index += 1
      }
    }
  }

  private func byte(_ offset: Int = 0) -> UInt8? {
    source.indices.contains(index + offset) ? source[index + offset] : nil
  }

  private func starts(_ text: String, at offset: Int = 0) -> Bool {
    source[min(index + offset, source.count)...].starts(with: text.utf8)
  }

  private mutating func blank(_ count: Int) {
    for _ in 0..<count where index < source.count {
      masked.append(source[index] == Self.newline ? Self.newline : Self.space)
      index += 1
    }
  }

  private mutating func blank(while isBlanked: (UInt8) -> Bool) {
    while let byte = byte(), isBlanked(byte) { blank(1) }
  }

  private mutating func blankBlockComment() {
    var depth = 0
    repeat {
      if starts("/*") {
        depth += 1
        blank(2)
      } else if starts("*/") {
        depth -= 1
        blank(2)
      } else {
        blank(1)
      }
    } while depth > 0 && index < source.count
  }

  /// How many `#` open the string that starts here; nil when none starts.
  private var stringHashes: Int? {
    let hashes = source[index...].prefix { $0 == UInt8(ascii: "#") }.count
    return starts("\"", at: hashes) ? hashes : nil
  }

  private mutating func blankString(hashes: Int) {
    let hash = String(repeating: "#", count: hashes)
    let quote = starts("\"\"\"", at: hashes) ? "\"\"\"" : "\""
    let start = index
    var text: [UInt8] = []
    blank(hashes + quote.utf8.count)
    while index < source.count, !starts(quote + hash) {
      if starts("\\" + hash + "(") {
        blank(hashes + 2)
        blankInterpolation()
        text.append(UInt8(ascii: "x"))
      } else {
        let isEscape = starts("\\" + hash)
        text.append(isEscape ? Self.space : source[index])
        blank(isEscape ? hashes + 2 : 1)
      }
    }
    blank(quote.utf8.count + hashes)
    if depth == 0 { literals.append(Literal(range: start..<index, text: text)) }
  }

  private mutating func blankInterpolation() {
    depth += 1
    defer { depth -= 1 }
    var parentheses = 1
    while parentheses > 0, index < source.count {
      if let hashes = stringHashes {
        blankString(hashes: hashes)
        continue
      }
      if starts("(") { parentheses += 1 }
      if starts(")") { parentheses -= 1 }
      blank(1)
    }
  }

  /// A slash where no operator can stand, with no space behind it.
  private var startsRegularExpression: Bool {
    guard starts("/"), let next = byte(1), next != UInt8(ascii: " "), next != UInt8(ascii: "/")
    else { return false }
    let before = masked.last { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\n") }
    return before.map { Array("(=,:[{".utf8).contains($0) } ?? true
  }

  private mutating func blankRegularExpression() {
    blank(1)
    while let byte = byte(), byte != UInt8(ascii: "/"), byte != UInt8(ascii: "\n") {
      blank(byte == UInt8(ascii: "\\") ? 2 : 1)
    }
    blank(1)
  }
}
