/// A price as people write it, such as `$2.99/week`, taken apart: docs/money.md#prices.
package struct PriceText: Hashable, Sendable {
  package let amount: Double
  /// What stands before and after the number, for example `$` and `/week`.
  package let prefix: String
  package let suffix: String

  /// Nil for a text without exactly one number, and for 0.
  ///
  /// A point or comma before exactly one or two digits at the end of the number is a decimal one;
  /// before three it groups thousands.
  package init?(_ text: String) {
    func isDigit(_ letter: Character) -> Bool { letter.isASCII && letter.isNumber }
    guard let start = text.firstIndex(where: isDigit) else { return nil }
    var end = start
    while end < text.endIndex, isDigit(text[end]) || Self.continues(text, at: end) {
      end = text.index(after: end)
    }
    guard !text[end...].contains(where: isDigit) else { return nil }
    let parts = text[start..<end].split(whereSeparator: { !isDigit($0) }).map(String.init)
    let hasFraction = parts.count > 1 && (parts.last?.count ?? 0) < 3
    let groups = hasFraction ? parts.dropLast() : parts[...]
    guard groups.dropFirst().allSatisfy({ $0.count == 3 }),
      let amount = Double(groups.joined() + (hasFraction ? ".\(parts.last ?? "")" : "")),
      amount > 0
    else { return nil }
    self.amount = amount
    prefix = String(text[..<start])
    suffix = String(text[end...])
  }

  /// The currency as the text writes it, before the amount or behind it: `$`, `EUR`, `kr`; empty
  /// when it names none.
  package var currency: String {
    let before = prefix.split(whereSeparator: \.isWhitespace).last.map(String.init)
    if let before { return before }
    // What follows a stroke is a term, and so are "a year" and "per week".
    let rest = suffix.prefix { $0 != "/" }.split(whereSeparator: \.isWhitespace)
    guard let word = rest.first, word.first?.isLetter != true || word.count > 1, word != "per"
    else { return "" }
    return String(word)
  }

  /// The same of up to four characters with a sign of a currency, in capital letters, or one of a
  /// few other words; nil otherwise, so that "Lite" and "week" are none.
  package var knownCurrency: String? {
    let word = currency
    guard (1...4).contains(word.count), !word.contains(where: \.isNumber) else { return nil }
    let isNamed =
      word.contains(where: \.isCurrencySymbol) || Self.currencyWords.contains(word.lowercased())
      || word.allSatisfy { $0.isLetter && $0.isUppercase }
    return isNamed ? word : nil
  }

  /// What prices write for a currency beside signs and codes.
  private static let currencyWords: Set = [
    "euro", "kr", "kr.", "zł", "kč", "ft", "lei", "лв", "лв.", "руб", "rs", "rs.", "fr.", "din",
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

  private static func continues(_ text: String, at index: String.Index) -> Bool {
    let next = text.index(after: index)
    return [".", ","].contains(text[index]) && next < text.endIndex
      && text[next].isASCII && text[next].isNumber
  }
}
