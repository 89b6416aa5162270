/// Keeps names that are written from the right in their column of a plain text.
enum TextDirection {
  private static let leftToRightMark = "\u{200E}"

  /// The text between left-to-right marks when any of it is written from the right.
  ///
  /// Without them a mail program would write the numbers after such a name on its other side, and a line
  /// that begins with one from the right edge: Unicode Standard Annex 9.
  static func isolated(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isRightToLeft) else { return text }
    return leftToRightMark + text + leftToRightMark
  }

  /// The blocks of Hebrew, Arabic and the scripts like them.
  private static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x10800...0x10FFF, 0x1E800...0x1EFFF:
      true
    default: false
    }
  }
}
