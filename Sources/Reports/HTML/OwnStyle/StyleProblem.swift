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
