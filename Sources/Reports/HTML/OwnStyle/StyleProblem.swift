/// Something that a reader's own style sheet must not hold: docs/reports.md#your-own-style-sheet.
package struct StyleProblem: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// Would end the sheet in the page before its time.
    case breakout(String)
    /// Would load something: the name of the rule or function.
    case load(String)
    /// A character that no text has, by its code.
    case controlCharacter(UInt32)
  }

  /// From 1.
  package var line: Int
  package var kind: Kind

  /// Everything that is wrong with a sheet, from its first line to its last.
  package static func all(in css: String) -> [StyleProblem] {
    let texts = css.split(separator: "\n", omittingEmptySubsequences: false)
    let inTexts = texts.enumerated().flatMap { index, text in
      kinds(in: text).map { StyleProblem(line: index + 1, kind: $0) }
    }
    return (inTexts + StyleScanner.loads(in: css)).sorted { $0.line < $1.line }
  }

  private static func kinds(in line: Substring) -> [Kind] {
    let breakouts = UnescapedText.breakouts.filter { line.contains($0) }.map(Kind.breakout)
    let controls = line.unicodeScalars.first { scalar in
      (scalar.value < 0x20 && scalar != "\t") || [0xFFFE, 0xFFFF].contains(scalar.value)
    }
    return breakouts + (controls.map { [.controlCharacter($0.value)] } ?? [])
  }
}

extension StyleProblem.Kind: CustomStringConvertible {
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
