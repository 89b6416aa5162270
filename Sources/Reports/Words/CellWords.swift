import Model

/// A cell as a person reads it: the same words in HTML and in text.
package struct CellWords: Sendable {
  package let time: TimeWords

  /// Marks a percentage or a mean of a small count: docs/reports.md#small-counts.
  package static let smallMark = "†"
  package static let smallNote =
    "† of fewer than \(Ratio.smallWhole): too few for a percentage or a mean to say much."

  package func words(_ cell: Cell) -> String {
    switch cell {
    case .text(let text), .code(let text), .level(_, let text), .excerpt(let text): text
    case .place(let title, _, _): title
    case .count(let count): NumberWords.grouped(count)
    case .ratio(let ratio): words(ratio)
    case .rate(let ratio): words(ratio) + (ratio.interval.map { ", \($0.words)" } ?? "")
    case .points(let earlier, let later): PointChange(from: earlier, to: later)?.words ?? "–"
    case .pointError(let points): PointChange.words(ofError: points)
    case .mean(let mean): words(mean)
    case .change(let change): words(change)
    case .seconds(let seconds): NumberWords.duration(seconds: seconds)
    case .money(let amount, let currency):
      NumberWords.money(Money(amount: amount, currency: currency))
    case .day(let day), .pastDay(let day, _): day.long
    case .instant(let instant): time.dateAndTime(instant)
    case .stars(let stars): CellWords.stars(stars)
    case .countdown(let remaining, let duration):
      "\(NumberWords.countdown(seconds: remaining)) of \(NumberWords.countdown(seconds: duration))"
    case .trend(let counts):
      counts.map { $0.map(NumberWords.grouped) ?? "–" }.joined(separator: " ")
    case .list(let words): words.joined(separator: ", ")
    case .missing: "–"
    }
  }

  /// `38% of 1,204`, `3 of 8 (38%†)`: a percentage always names its whole.
  package func words(_ ratio: Ratio) -> String {
    guard ratio.whole > 0 else { return "– of 0" }
    let percent = NumberWords.percent(ratio.percent)
    let whole = NumberWords.grouped(ratio.whole)
    guard ratio.isSmall else { return "\(percent) of \(whole)" }
    return "\(NumberWords.grouped(ratio.part)) of \(whole) (\(percent)\(CellWords.smallMark))"
  }

  /// `3.84`, marked when the count is small.
  private func words(_ mean: Mean) -> String {
    guard let value = mean.value else { return "–" }
    return NumberWords.decimal(value, places: 2) + (mean.isSmall ? CellWords.smallMark : "")
  }

  /// `+12% from 1,074`; a plain difference when the base is small.
  package func words(_ change: PeriodChange) -> String {
    let base = NumberWords.grouped(change.previous)
    guard change.difference != 0 else { return "same as before (\(base))" }
    let sign = change.difference > 0 ? "+" : "−"
    guard let percent = change.percent, percent != 0 else {
      return "\(sign)\(NumberWords.grouped(abs(change.difference))) from \(base)"
    }
    return "\(sign)\(NumberWords.percent(abs(percent))) from \(base)"
  }

  /// What is usual of a figure, or its change and what that is told of; nil for a figure that is
  /// not compared.
  func changeWords(of figure: Figure) -> String? {
    let words = [figure.expected?.words, figure.change.map(words), figure.changeNote].compactMap(
      \.self)
    return words.isEmpty ? nil : words.joined(separator: " ")
  }

  package static func stars(_ stars: Int) -> String {
    let full = min(max(stars, 0), 5)
    return String(repeating: "★", count: full) + String(repeating: "☆", count: 5 - full)
  }

  /// Whether the cell's words have the mark of small counts.
  package static func isMarked(_ cell: Cell) -> Bool {
    switch cell {
    case .ratio(let ratio), .rate(let ratio): ratio.whole > 0 && ratio.isSmall
    case .mean(let mean): mean.count > 0 && mean.isSmall
    default: false
    }
  }
}

extension Feature {
  /// The name of the feature with a capital letter.
  var title: String { rawValue.capitalizedFirst }
}

extension String {
  /// The text with its first letter as a capital.
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

extension UserType {
  /// The segment in words; nil when the event does not name it.
  static func title(of type: UserType?) -> String {
    switch type {
    case .freeUser: "Free user"
    case .newUser: "New user"
    case .liteSubscriber: "Subscriber"
    case nil: "Not told"
    }
  }
}
