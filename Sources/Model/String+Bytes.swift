extension String {
  /// The text between double quotes with those inside doubled, as CSV and the names of SQL have it.
  ///
  /// It goes by scalars: a quote with a combining mark behind it is one character to Swift, and still
  /// a quote to every reader.
  package var quoted: String {
    var quoted: UnicodeScalarView = "\"".unicodeScalars
    for scalar in unicodeScalars {
      if scalar == "\"" { quoted.append(scalar) }
      quoted.append(scalar)
    }
    quoted.append("\"")
    return String(quoted)
  }

  /// Whether both are the same bytes, as SQLite and Firestore compare texts.
  ///
  /// Swift's `==` would take an accent in one scalar and in two for the same.
  package func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
