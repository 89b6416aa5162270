/// The end of what a command wrote to its standard error.
package struct ErrorTail: Sendable {
  /// The number of bytes that are kept, the last ones.
  package static let limit = 1 << 10
  /// Words with a digit that are as long as this may be tokens.
  private static let longestWord = 31
  /// Printed lines as short as this are not secrets, and may be part of any text.
  private static let shortLine = 7

  private var bytes: [UInt8] = []
  /// Whether something before the bytes was dropped.
  private var isCut = false

  package init() {}

  package mutating func add(_ more: [UInt8]) {
    bytes += more
    isCut = isCut || bytes.count > Self.limit
    bytes.removeFirst(max(0, bytes.count - Self.limit))
  }

  /// The last line that is not blank, made visible and without what may be a token; nil for none.
  ///
  /// Hides what the command printed, words that look like a token, what the shell repeats of the
  /// command, and the shell's own name.
  package func lastLine(hiding printed: some Collection<UInt8> = []) -> String? {
    let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
    guard let index = lines.lastIndex(where: { !$0.allSatisfy(\.isWhitespace) }) else { return nil }
    var line = lines[index]
    // The first word may be the end of a token.
    if isCut, index == 0 { line = line.drop { !$0.isWhitespace } }
    var text = ShellMessage.shown(line)
      .replacing(#/^\/bin\/sh: (-c: )?(line )?([0-9]+: )?/#, with: "")
    for secret in Self.secrets(in: printed) where secret.count > Self.shortLine {
      text = text.replacing(secret, with: "***")
    }
    text = Self.masked(text)
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let sentence = words.hasSuffix(".") ? String(words.dropLast()) : words
    return sentence.isEmpty ? nil : Self.visible(sentence)
  }

  /// Each line without the blanks around it, since a password may have some inside, then its words.
  private static func secrets(in printed: some Collection<UInt8>) -> [Substring] {
    String(decoding: printed, as: UTF8.self).split(whereSeparator: \.isNewline).flatMap { line in
      let words = line.split(whereSeparator: \.isWhitespace)
      guard let first = words.first, let last = words.last else { return [Substring]() }
      return [line[first.startIndex..<last.endIndex]] + words
    }
  }

  /// The text with each word that may be a token replaced.
  private static func masked(_ text: String) -> String {
    text.replacing(#/[A-Za-z0-9\-._~+=]+/#) { match in
      let word = match.output
      return word.count > longestWord && word.contains(where: \.isNumber) ? "***" : word
    }
  }

  /// The text with an escape for each character that acts, such as `\u{1B}`.
  private static func visible(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      [.control, .format, .lineSeparator, .paragraphSeparator]
        .contains(scalar.properties.generalCategory)
        ? scalar.escaped(asASCII: true) : String(scalar)
    }.joined()
  }
}
