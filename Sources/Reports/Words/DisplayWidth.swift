/// The number of terminal columns that a text takes.
///
/// After Unicode Standard Annex 11: East Asian wide and full-width characters and emoji take two,
/// combining marks and joiners none.
package enum DisplayWidth {
  package static func of(_ text: String) -> Int {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text.utf8.count }
    return text.reduce(0) { $0 + of($1) }
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
