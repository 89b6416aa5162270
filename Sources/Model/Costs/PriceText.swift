/// A price as people write it, such as `$2.99/week`, taken apart: docs/money.md#prices.
package struct PriceText: Hashable, Sendable {
  package let amount: Double
  /// What stands before and after the number, for example `$` and `/week`.
  package let prefix: String
  package let suffix: String

  /// Nil for a text without exactly one number, for 0, and for a number below it.
  ///
  /// A point or comma begins a fraction where it stands before the first digit (`$.99`; after a
  /// letter, as in `Rs.299`, it does not), after a 0 alone, after another sign between digits, or
  /// before one or two digits at the end of the number. Before three it groups thousands, as a
  /// space does before exactly three.
  package init?(_ text: String) {
    guard let digit = text.firstIndex(where: Self.isDigit) else { return nil }
    let end = text[digit...].indices.first { !Self.continues(text, at: $0) } ?? text.endIndex
    let start = Self.startsWithFraction(text[..<digit]) ? text.index(before: digit) : digit
    let word = text[..<start].split(whereSeparator: \.isWhitespace).last
    guard !text[end...].contains(where: Self.isDigit),
      !Self.minusSigns.contains(word?.first), !Self.minusSigns.contains(word?.last),
      let amount = Self.amount(of: text[start..<end]), amount > 0
    else { return nil }
    self.amount = amount
    prefix = String(text[..<start])
    suffix = String(text[end...])
  }

  /// The currency as the text writes it next to the number, before it or else behind it: a word of
  /// up to four characters with a sign (`$`, `US$`) or one of a few others such as `kr`, else up to
  /// three capital letters (`EUR`); nil otherwise, so that "Lite" and "week" are not currencies.
  package var knownCurrency: String? {
    func words(_ text: Substring) -> [Substring] {
      text.split { $0.isWhitespace || $0.isPunctuation }
    }
    // What follows a stroke is a term, and so are "a year" and "per week".
    let behind = words(suffix.prefix { $0 != "/" }).first
    let known = [words(prefix[...]).last, behind].compactMap(\.self).filter(Self.isCurrency)
    // Capital letters may be another word: "PRO" of "PRO 2.99 €" is no currency.
    return (known.first { !Self.isCode($0) } ?? known.first).map(String.init)
  }

  private static func isCurrency(_ word: Substring) -> Bool {
    if word.contains(where: \.isNumber) { return false }
    if word.contains(where: \.isCurrencySymbol) { return word.count <= 4 }
    return isCode(word) && word != "A" && word != "PER"
      || currencyWords.contains(word.lowercased())
  }

  private static func isCode(_ word: Substring) -> Bool {
    word.count <= 3 && word.allSatisfy { $0.isLetter && $0.isUppercase }
  }

  /// What prices write for a currency beside signs and codes.
  private static let currencyWords: Set = [
    "euro", "kr", "zł", "kč", "ft", "lei", "лв", "руб", "rs", "fr", "din",
  ]

  /// How long a subscription at this price lasts; nil when the text does not say.
  package var term: Term? {
    let words = (suffix + " " + prefix).lowercased().split { !$0.isLetter }
    return words.lazy.compactMap { word in Term.allCases.first { $0.words.contains(String(word)) } }
      .first
  }

  /// What it is in a month of 30.4375 days; nil without a term.
  package var monthly: Double? { term.map { amount * 30.4375 / $0.days } }

  package enum Term: String, CaseIterable, Sendable {
    case day, week, month, year

    /// A year has 365.25 days, a month a twelfth of them.
    package var days: Double {
      switch self {
      case .day: 1
      case .week: 7
      case .month: 30.4375
      case .year: 365.25
      }
    }

    fileprivate var words: [String] {
      switch self {
      case .day: ["day", "daily"]
      case .week: ["week", "weekly", "wk", "w"]
      case .month: ["month", "monthly", "mo", "mth", "m"]
      case .year: ["year", "yearly", "annual", "annually", "yr", "y"]
      }
    }
  }

  private static let minusSigns: [Character?] = ["-", "\u{2212}", "\u{2013}"]

  private static func isDigit(_ letter: Character) -> Bool { letter.isASCII && letter.isNumber }

  private static func startsWithFraction(_ prefix: Substring) -> Bool {
    (prefix.hasSuffix(".") || prefix.hasSuffix(",")) && prefix.dropLast().last?.isLetter != true
  }

  /// What groups thousands beside points and commas: a space, and two that break no line.
  private static let spaces: [Character?] = [" ", "\u{A0}", "\u{202F}"]

  /// Whether a number goes on at the index: with a digit, a sign before one, or a space before
  /// exactly three.
  private static func continues(_ text: String, at index: String.Index) -> Bool {
    let digits = text[index...].dropFirst().prefix(while: isDigit).count
    return isDigit(text[index]) || [".", ","].contains(text[index]) && digits > 0
      || spaces.contains(text[index]) && digits == 3
  }

  /// Nil where the signs between the digits make no number.
  private static func amount(of number: Substring) -> Double? {
    let parts = number.split(omittingEmptySubsequences: false) { !isDigit($0) }
    let signs = number.filter { !isDigit($0) }
    guard let first = parts.first, let last = parts.last else { return nil }
    let hasFraction =
      parts.count > 1 && !spaces.contains(signs.last)
      && (last.count < 3 || first.isEmpty || first == "0" || signs.last != signs.first)
    let groups = hasFraction ? parts.dropLast() : parts[...]
    guard
      groups.count == 1
        || (1...3).contains(first.count) && !first.hasPrefix("0")
          && groups.dropFirst().allSatisfy({ $0.count == 3 })
          && Set(signs.prefix(groups.count - 1)).count == 1
    else { return nil }
    let whole = groups.joined(separator: "")
    return Double(hasFraction ? "0\(whole).\(last)" : whole)
  }
}
