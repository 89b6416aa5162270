/// Text from the network made harmless to look at: what would act becomes what can be seen.
///
/// docs/reports.md#hostile-text lists what is replaced. JSON keeps the original behind escapes.
package enum VisibleText {
  /// Replaces control characters and bidirectional overrides by visible signs; keeps line feeds.
  package static func of(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isReplaced) else { return text }
    var visible = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      visible.append(contentsOf: isReplaced(scalar) ? sign(for: scalar) : [scalar])
    }
    return String(visible)
  }

  /// The same on one line: line feeds and tabs become spaces.
  package static func line(_ text: String) -> String {
    of(text.replacing("\r\n", with: " ").replacing("\n", with: " ").replacing("\t", with: " "))
  }

  /// The visible text, cut after so many characters as people count them.
  ///
  /// A character made of hundreds of combining marks counts for as many as it has. The cut is
  /// marked with `…`.
  package static func clipped(_ text: String, to limit: Int) -> String {
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

  /// Whether a scalar is one that acts: controls, bidirectional overrides and isolates, noncharacters.
  package static func isReplaced(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0A: false
    case 0x00...0x1F, 0x7F...0x9F: true
    case 0x202A...0x202E, 0x2066...0x2069: true
    case 0x2028, 0x2029, 0xFEFF, 0xFFF9...0xFFFB, 0xFDD0...0xFDEF: true
    default: scalar.value & 0xFFFE == 0xFFFE
    }
  }

  /// Control pictures where Unicode has them, else the code point in brackets.
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
