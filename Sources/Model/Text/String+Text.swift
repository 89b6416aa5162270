extension String {
  /// The text in double quotes, inner quotes doubled, as in CSV and SQL identifiers.
  ///
  /// It works on scalars: a quote with a combining mark is another character in Swift, but still a
  /// quote to every reader.
  package var quoted: String {
    var quoted: UnicodeScalarView = "\"".unicodeScalars
    for scalar in unicodeScalars {
      if scalar == "\"" { quoted.append(scalar) }
      quoted.append(scalar)
    }
    quoted.append("\"")
    return String(quoted)
  }

  /// Whether both have the same bytes, which is how SQLite and Firestore compare texts.
  ///
  /// Swift's `==` equates an accent in one scalar with one in two.
  package func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

extension StringProtocol {
  /// The text without the white space around it.
  package var trimmed: String {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[first...last])
  }
}
