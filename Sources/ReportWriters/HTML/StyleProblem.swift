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
      "\(name)() would load a file, and a page loads nothing; only url(#id) may be used. "
        + "Leave it out."
    case .controlCharacter(let code):
      "a control character (code \(code)) is no CSS. Remove it."
    }
  }
}

/// Finds what a style sheet would load, in tokens by CSS Syntax Level 3, section 4.
///
/// The Content-Security-Policy of the pages would block each load; the scanner reports it earlier,
/// with its line.
enum StyleScanner {
  /// Functions that load a file.
  private static let loading: Set<String> = [
    "url", "src", "image", "image-set", "-webkit-image-set",
  ]

  static func loads(in css: String) -> [StyleProblem] {
    // A comment, a string, or a name with what makes it a rule or a function.
    let token =
      #/
      \/\*[\s\S]*?(?:\*\/|\z)
      | "(?:\\[\s\S]|[^"\\\n])*"?
      | '(?:\\[\s\S]|[^'\\\n])*'?
      | (?<at>@?)(?<name>(?:[A-Za-z0-9_\-\u{80}-\u{10FFFF}]|\\[0-9A-Fa-f]{1,6}\s?|\\[^\n])+)
        (?:(?<call>\()\s*["']?(?<id>\#?))?
      /#.matchingSemantics(.unicodeScalar)
    return css.matches(of: token).compactMap { match in
      guard let name = match.output.name.map(unescaped) else { return nil }
      let isRule = match.output.at == "@"
      let loads =
        isRule
        ? name == "import"
        : match.output.call != nil && loading.contains(name)
          && !(name == "url" && match.output.id == "#")
      guard loads else { return nil }
      return StyleProblem(
        line: css[..<match.range.lowerBound].unicodeScalars.count { $0 == "\n" } + 1,
        violation: .load(isRule ? "@import" : name))
    }
  }

  /// In lower case, with the escapes decoded: up to six hexadecimal digits and a space, or any
  /// other character.
  private static func unescaped(_ name: Substring) -> String {
    name.replacing(/\\(?:([0-9A-Fa-f]{1,6})\s?|([\s\S]))/.matchingSemantics(.unicodeScalar)) {
      guard let digits = $0.output.1 else { return $0.output.2.map(String.init) ?? "" }
      return String(UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init) ?? "\u{FFFD}")
    }.lowercased()
  }
}
