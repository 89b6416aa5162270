/// Finds personal data in free text: docs/reports.md#anonymous.
enum PersonalText {
  /// The fewest digits of a possible phone number; separators between them do not count.
  static let phoneDigits = 7

  /// Punctuation around a word.
  static let punctuation: Set<Character> = [
    ".", ",", ";", ":", "!", "?", "(", ")", "[", "]", "{", "}", "<", ">", "\"", "'", "`", "“", "”",
    "‘", "’", "„", "«", "»", "…", "/", "=", "|",
  ]

  /// The text with each word replaced for which the closure returns another one.
  static func replacing(
    _ text: String, _ replacement: (String) throws -> String?
  ) rethrows -> String {
    var result = ""
    for piece in pieces(of: text) {
      result += try replaced(piece, replacement)
    }
    return result
  }

  /// Tries the word without its punctuation, which then stays; then with it, as ids may contain
  /// some.
  private static func replaced(
    _ piece: String, _ replacement: (String) throws -> String?
  ) rethrows -> String {
    let core = trimmed(piece)
    let (before, after) = (piece[..<core.startIndex], piece[core.endIndex...])
    if !core.isEmpty, let new = try replacement(String(core)) { return before + new + after }
    if let new = try replacement(piece) { return new }
    return try before + parts(of: String(core), replacement) + after
  }

  static func words(of text: String) -> [String] {
    text.split(whereSeparator: \.isWhitespace).map { String(trimmed(String($0))) }
      .filter { !$0.isEmpty }
  }

  /// The words and the white space between them, in order.
  private static func pieces(of text: String) -> [String] {
    var pieces: [String] = []
    var isSpace: Bool?
    for character in text {
      if isSpace == character.isWhitespace {
        pieces[pieces.count - 1].append(character)
      } else {
        pieces.append(String(character))
        isSpace = character.isWhitespace
      }
    }
    return pieces
  }

  private static func trimmed(_ word: String) -> Substring {
    var rest = word[...]
    while let first = rest.first, punctuation.contains(first) { rest.removeFirst() }
    while let last = rest.last, punctuation.contains(last) { rest.removeLast() }
    return rest
  }

  /// Replaces the parts between punctuation: ids also occur in paths and behind equals signs.
  private static func parts(
    of word: String, _ replacement: (String) throws -> String?
  ) rethrows -> String {
    guard word.contains(where: punctuation.contains) else { return word }
    var result = ""
    var part = ""
    for character in word {
      guard punctuation.contains(character) else {
        part.append(character)
        continue
      }
      result += try replacement(part) ?? part
      result.append(character)
      part = ""
    }
    return try result + (replacement(part) ?? part)
  }

  static func isAddress(_ word: String) -> Bool {
    let parts = word.unicodeScalars.split(separator: "@", omittingEmptySubsequences: false)
    return parts.count >= 2 && parts.allSatisfy { !$0.isEmpty }
  }

  static func isHandle(_ word: String) -> Bool {
    word.unicodeScalars.first == "@" && word.unicodeScalars.count > 2
  }

  /// The word's letters with their accents and its digits in lower case: a name without emoji.
  static func bare(_ word: String) -> String {
    var bare = String.UnicodeScalarView()
    bare.append(contentsOf: word.unicodeScalars.filter(isOfWord))
    return String(bare).lowercased()
  }

  private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
    let properties = scalar.properties
    switch properties.generalCategory {
    case .nonspacingMark, .spacingMark: return !properties.isVariationSelector
    default: return properties.isAlphabetic || properties.numericType != nil
    }
  }

  static func isLink(_ word: String) -> Bool {
    let small = word.lowercased()
    return small.contains("://") || small.hasPrefix("www.") || small.hasPrefix("t.me/")
      || small.hasPrefix("wa.me/")
  }

  /// Replaces numbers of at least `phoneDigits` digits, of any script and with separators.
  static func withoutNumbers(_ text: String) -> String {
    var result = ""
    var run = ""
    var digits = 0
    func finished() -> String { digits >= phoneDigits ? masked(run) : run }
    for character in text {
      let isDigit = isDigit(character)
      if isDigit || (digits > 0 && isSeparator(character)) {
        run.append(character)
        digits += isDigit ? 1 : 0
        continue
      }
      result += finished()
      result.append(character)
      run = ""
      digits = 0
    }
    return result + finished()
  }

  /// Replaces the run up to its last digit.
  private static func masked(_ run: String) -> String {
    let end = run.lastIndex(where: isDigit).map(run.index(after:)) ?? run.endIndex
    return "[number]" + run[end...]
  }

  /// Whether a character is a digit, also one with combining marks such as a keycap.
  private static func isDigit(_ character: Character) -> Bool {
    character.wholeNumberValue != nil
      || character.unicodeScalars.first?.properties.numericType == .decimal
  }

  private static func isSeparator(_ character: Character) -> Bool {
    " \u{A0}()-./+–".contains(character)
  }
}
