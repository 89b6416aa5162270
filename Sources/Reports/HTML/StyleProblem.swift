/// Something that the reader's style sheet must not contain:
/// docs/reports.md#your-own-style-sheet.
package struct StyleProblem: Hashable, Sendable {
  package enum Violation: Hashable, Sendable {
    /// A text that would end the style sheet within the page.
    case breakout(String)
    /// A rule or function that would load a file, by its name.
    case load(String)
    /// A control character or noncharacter, by its code.
    case controlCharacter(UInt32)
  }

  /// The number of the line, from 1.
  package var line: Int
  package var violation: Violation

  /// All problems of a sheet, ordered by line.
  package static func all(in css: String) -> [StyleProblem] {
    let texts = css.split(separator: "\n", omittingEmptySubsequences: false)
    let inTexts = texts.enumerated().flatMap { index, text in
      violations(in: text).map { StyleProblem(line: index + 1, violation: $0) }
    }
    return (inTexts + StyleScanner.loads(in: css)).sorted { $0.line < $1.line }
  }

  private static func violations(in line: Substring) -> [Violation] {
    let breakouts = UnescapedText.breakouts.filter { line.contains($0) }.map(Violation.breakout)
    let controls = line.unicodeScalars.first { scalar in
      (scalar.value < 0x20 && scalar != "\t") || [0xFFFE, 0xFFFF].contains(scalar.value)
    }
    return breakouts + (controls.map { [.controlCharacter($0.value)] } ?? [])
  }
}

extension StyleProblem.Violation: CustomStringConvertible {
  package var description: String {
    switch self {
    case .breakout(let text):
      "'\(text)' would end the style sheet inside the page. Leave it out."
    case .load("@import"):
      "@import would load another file, and a page loads nothing. Copy its rules here."
    case .load(let name):
      "\(name)() would load a file, and a page loads nothing; only url(#id) may be used. Leave it out."
    case .controlCharacter(let code):
      "a control character (code \(code)) is no CSS. Remove it."
    }
  }
}

/// Finds what a style sheet would load, in tokens by CSS Syntax Level 3, section 4.
///
/// The Content-Security-Policy of the pages would block each load; the scanner reports it earlier,
/// with its line.
struct StyleScanner {
  /// Functions that load a file.
  private static let loading: Set<String> = [
    "url", "src", "image", "image-set", "-webkit-image-set",
  ]

  private let scalars: [Unicode.Scalar]
  private var at = 0
  private var line = 1
  private var found: [StyleProblem] = []

  static func loads(in css: String) -> [StyleProblem] {
    var scanner = StyleScanner(css)
    while scanner.at < scanner.scalars.count { scanner.readToken() }
    return scanner.found
  }

  private init(_ css: String) {
    scalars = Array(css.unicodeScalars)
  }

  /// The scalar `distance` places ahead; nil after the end.
  private func peek(_ distance: Int = 0) -> Unicode.Scalar? {
    scalars.indices.contains(at + distance) ? scalars[at + distance] : nil
  }

  private mutating func advance() {
    if peek() == "\n" { line += 1 }
    at += 1
  }

  private mutating func readToken() {
    switch peek() {
    case "/" where peek(1) == "*": skipComment()
    case "\"": skipString("\"")
    case "'": skipString("'")
    case "@":
      advance()
      let line = line
      if readName() == "import" {
        found.append(StyleProblem(line: line, violation: .load("@import")))
      }
    default:
      let line = line
      let name = readName()
      guard !name.isEmpty else { return advance() }
      if peek() == "(" { readFunction(name, at: line) }
    }
  }

  private mutating func skipComment() {
    at += 2
    while peek() != nil, !(peek() == "*" && peek(1) == "/") { advance() }
    at += 2
  }

  /// Skips a string up to its quote, or to a line feed that is not escaped.
  private mutating func skipString(_ quote: Unicode.Scalar) {
    advance()
    while let next = peek(), next != quote, next != "\n" {
      if next == "\\" { advance() }
      advance()
    }
    if peek() == quote { advance() }
  }

  private mutating func readFunction(_ name: String, at line: Int) {
    advance()
    guard Self.loading.contains(name) else { return }
    while let next = peek(), next.properties.isWhitespace { advance() }
    var first = 0
    if peek() == "\"" || peek() == "'" { first = 1 }
    guard name != "url" || peek(first) != "#" else { return }
    found.append(StyleProblem(line: line, violation: .load(name)))
  }

  /// Reads a name: in lower case, escapes decoded; empty when no name begins here.
  private mutating func readName() -> String {
    var name = ""
    while let next = peek() {
      if next == "\\", let after = peek(1), after != "\n" {
        advance()
        name.unicodeScalars.append(readEscaped())
      } else if Self.isOfName(next) {
        name.unicodeScalars.append(next)
        advance()
      } else {
        break
      }
    }
    return name.lowercased()
  }

  private static func isOfName(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "-", "_": true
    default: scalar.value >= 0x80
    }
  }

  /// Reads an escape: up to six hexadecimal digits and a space, or any other character.
  private mutating func readEscaped() -> Unicode.Scalar {
    var digits = ""
    while digits.count < 6, let next = peek(), next.properties.isASCIIHexDigit {
      digits.unicodeScalars.append(next)
      advance()
    }
    guard let code = UInt32(digits, radix: 16) else {
      defer { advance() }
      return peek() ?? "\u{FFFD}"
    }
    if let next = peek(), next.properties.isWhitespace { advance() }
    return Unicode.Scalar(code) ?? "\u{FFFD}"
  }
}
