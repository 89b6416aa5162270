/// Text from the network made safe to show: characters that act become visible signs.
///
/// docs/reports.md#hostile-text lists the replacements. JSON escapes the original instead.
package enum VisibleText {
  /// Marks above and below one letter; more would be drawn over other lines.
  static let mostMarks = 6

  /// Replaces control characters and bidirectional overrides by visible signs; keeps line feeds.
  package static func of(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isReplaced) else { return text }
    var visible = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      visible.append(contentsOf: isReplaced(scalar) ? sign(for: scalar) : [scalar])
    }
    return String(visible)
  }

  /// The text with the first six of the marks on each letter.
  static func unstacked(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { $0.value >= 0x300 }) else { return text }
    var kept = String.UnicodeScalarView()
    var marks = 0
    for scalar in text.unicodeScalars {
      marks = isMark(scalar) ? marks + 1 : 0
      if marks <= mostMarks { kept.append(scalar) }
    }
    return String(kept)
  }

  /// Whether a scalar is drawn above, below or around the one before it.
  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.value >= 0x300 else { return false }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return true
    default: return false
    }
  }

  /// The visible text on one line: line ends and tabs become a space each.
  package static func line(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == 0x09 || $0 == 0x0A }) else { return of(text) }
    var line = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\t": line.append(" ")
      case "\n":
        // CR LF is one line end.
        if line.last == "\r" { line.removeLast() }
        line.append(" ")
      default: line.append(scalar)
      }
    }
    return of(String(line))
  }

  /// The visible text, cut with `…` after `limit` characters as people count them.
  ///
  /// Also cuts after four times as many scalars, and keeps six of the marks on a letter: one
  /// character can hold hundreds of them.
  package static func clipped(_ text: String, to limit: Int) -> String {
    // A text of 100,000 characters is not read to its end.
    let text = unstacked(String(text.unicodeScalars.prefix(100 * (limit + 1))))
    guard text.utf8.count > limit else { return of(text) }
    var kept = ""
    var scalars = 0
    for (count, character) in text.enumerated() {
      scalars += character.unicodeScalars.count
      guard count < limit, scalars <= 4 * limit else { return of(kept) + "…" }
      kept.append(character)
    }
    return of(kept)
  }

  /// Whether a scalar acts: controls, bidirectional overrides and isolates, noncharacters.
  package static func isReplaced(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0A: false
    case 0x00...0x1F, 0x7F...0x9F: true
    case 0x202A...0x202E, 0x2066...0x2069: true
    case 0x2028, 0x2029, 0xFEFF, 0xFFF9...0xFFFB, 0xFDD0...0xFDEF: true
    default: scalar.value & 0xFFFE == 0xFFFE
    }
  }

  /// A control picture if Unicode has one, else the code point in brackets.
  private static func sign(for scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    if let picture = Unicode.Scalar(0x2400 + scalar.value), scalar.value < 0x20 {
      return [picture]
    }
    if scalar.value == 0x7F { return ["\u{2421}"] }
    let digits = String(scalar.value, radix: 16, uppercase: true)
    let padding = String(repeating: "0", count: max(0, 4 - digits.count))
    return Array("⟨U+\(padding)\(digits)⟩".unicodeScalars)
  }
}

/// The number of terminal columns that a text takes.
///
/// After Unicode Standard Annex 11: East Asian wide and full-width characters and emoji take two,
/// combining marks and joiners none.
package enum DisplayWidth {
  package static func of(_ text: String) -> Int {
    var width = 0
    for scalar in text.unicodeScalars {
      guard isNarrow(scalar) else { return text.reduce(0) { $0 + of($1) } }
      width += 1
    }
    return width
  }

  /// Whether a character is this scalar alone and one wide: ASCII and Latin letters, dashes, quotes
  /// and blocks, which most texts of a report have only.
  private static func isNarrow(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20...0x7E, 0xA1...0xAC, 0xAE...0x2FF, 0x2010...0x2027, 0x2580...0x259F: true
    default: false
    }
  }

  package static func of(_ character: Character) -> Int {
    let scalars = character.unicodeScalars
    guard let first = scalars.first else { return 0 }
    if scalars.contains("\u{FE0F}"), first.properties.isEmoji { return 2 }
    return scalars.reduce(0) { max($0, of($1)) }
  }

  private static func of(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: 0
    default: isWide(scalar) ? 2 : 1
    }
  }

  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.properties.isEmojiPresentation { return true }
    return switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C: true
    case 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60: true
    case 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD: true
    default: false
    }
  }

  /// The text padded with spaces to the width, or cut to it with `…`.
  package static func fitted(_ text: String, to width: Int, trailing: Bool = false) -> String {
    let cut = cut(text, to: width)
    let space = String(repeating: " ", count: max(0, width - of(cut)))
    return trailing ? space + cut : cut + space
  }

  /// The text, cut with `…` when it is wider than the width.
  package static func cut(_ text: String, to width: Int) -> String {
    guard of(text) > width else { return text }
    var kept = ""
    var used = 1
    for character in text {
      used += of(character)
      guard used <= width else { break }
      kept.append(character)
    }
    return kept + "…"
  }
}
