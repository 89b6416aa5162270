/// Texts from documents as YAML that reads back as exactly the same text.
enum YAMLText {
  /// The text in double quotes, unless it is a plain word that YAML and variables leave alone.
  static func scalar(_ text: String) -> String {
    isPlainWord(text) ? text : quoted(text)
  }

  /// In double quotes, with escapes for everything that YAML does not print; `$${` for `${`, which
  /// would begin a variable.
  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.replacing("${", with: "$${").unicodeScalars {
      switch scalar.value {
      case 0x22, 0x5C: quoted += "\\\(scalar)"
      case 0x20..<0x7F: quoted.unicodeScalars.append(scalar)
      case _ where scalar.properties.isAlphabetic: quoted.unicodeScalars.append(scalar)
      case 0..<0x100: quoted += "\\x" + hexadecimal(scalar, digits: 2)
      case 0..<0x1_0000: quoted += "\\u" + hexadecimal(scalar, digits: 4)
      default: quoted += "\\U" + hexadecimal(scalar, digits: 8)
      }
    }
    return quoted + "\""
  }

  private static func hexadecimal(_ scalar: Unicode.Scalar, digits: Int) -> String {
    let text = String(scalar.value, radix: 16, uppercase: true)
    return String(repeating: "0", count: digits - text.utf8.count) + text
  }

  /// Letters, digits, `_`, `.`, `/` and inner spaces, with a letter first, and no word of YAML's.
  private static func isPlainWord(_ text: String) -> Bool {
    guard let first = text.utf8.first, (97...122).contains(first | 0x20), text.utf8.last != 0x20,
      !["true", "false", "null", "yes", "no", "on", "off", "y", "n"].contains(text.lowercased())
    else { return false }
    return text.utf8.allSatisfy { byte in
      (48...57).contains(byte) || (97...122).contains(byte | 0x20) || byte == 0x5F || byte == 0x2E
        || byte == 0x2F || byte == 0x20
    }
  }
}
