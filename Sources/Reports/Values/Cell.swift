package import Model

/// One typed value of a table or figure: each format decides how it looks, none what it is.
package enum Cell: Hashable, Sendable {
  /// Words: ours, or the network's.
  case text(String)
  /// An id or a wire name, shown letter by letter.
  case code(String)
  case count(Int)
  case ratio(Ratio)
  case mean(Mean)
  case change(Change)
  case seconds(Double)
  case money(Double, currency: String)
  case day(CivilDay)
  /// A day with a dated copy of the reports, and the page that it begins with; nil without pages.
  case pastDay(CivilDay, FirstPage?)
  case instant(Instant)
  case level(Level, String)
  case stars(Int)
  /// Seconds left of a wait, and its full length.
  case countdown(remaining: Double, of: Double)
  /// One number a day, oldest first.
  case trend([Int])
  case missing

  /// The cell's length when it is drawn as a bar; nil for what is not a quantity.
  package var magnitude: Double? {
    switch self {
    case .count(let count): Double(count)
    case .ratio(let ratio): ratio.share
    case .mean(let mean): mean.value
    case .seconds(let seconds): seconds
    case .money(let amount, _): amount
    case .stars(let stars): Double(stars)
    case .countdown(let remaining, _): remaining
    case .text, .code, .change, .day, .pastDay, .instant, .level, .trend, .missing: nil
    }
  }

  package static func optional(_ instant: Instant?) -> Cell {
    instant.map(Cell.instant) ?? .missing
  }

  package static func optional(_ text: String?) -> Cell {
    text.map(Cell.text) ?? .missing
  }
}
