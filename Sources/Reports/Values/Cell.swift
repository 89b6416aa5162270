package import Model

/// A typed value in a table or figure; each format decides how it looks.
package enum Cell: Hashable, Sendable {
  /// Words, ours or from the network.
  case text(String)
  /// An id or a wire name, shown in a monospaced font.
  case code(String)
  case count(Int)
  case ratio(Ratio)
  /// A share with the range that it may be by chance: docs/people.md#intervals.
  case rate(Ratio)
  /// How much larger a share is than an earlier one, in points, with the range of that.
  case points(from: Ratio, to: Ratio)
  case mean(Mean)
  case change(PeriodChange)
  case seconds(Double)
  case money(Double, currency: String)
  case day(CivilDay)
  /// A day with a dated copy of the reports, and the first page of the copy; nil without pages.
  case pastDay(CivilDay, FirstPage?)
  /// A section of a report.
  case place(String, Report.Name, section: String)
  /// Words of a section that are shown whole.
  case excerpt(String)
  case instant(Instant)
  case level(Level, String)
  case stars(Int)
  /// The seconds left of a wait, and the seconds of all of it.
  case countdown(remaining: Double, of: Double)
  /// One number a day, oldest first; nil for a day of which nothing is known.
  case trend([Int?])
  case missing

  /// Characters of a network text that HTML and text show: docs/reports.md#hostile-text.
  static let textLimit = 160

  /// The length of the cell's bar; nil for a cell without a quantity.
  package var magnitude: Double? {
    switch self {
    case .count(let count): Double(count)
    case .ratio(let ratio), .rate(let ratio): ratio.share
    case .mean(let mean): mean.value
    case .seconds(let seconds): seconds
    case .money(let amount, _): amount
    case .stars(let stars): Double(stars)
    case .countdown(let remaining, _): remaining
    case .text, .code, .excerpt, .points, .change, .day, .pastDay, .place, .instant, .level: nil
    case .trend, .missing: nil
    }
  }

  package static func optional(_ count: Int?) -> Cell {
    count.map(Cell.count) ?? .missing
  }

  package static func optional(_ instant: Instant?) -> Cell {
    instant.map(Cell.instant) ?? .missing
  }

  package static func optional(_ text: String?) -> Cell {
    text.map(Cell.text) ?? .missing
  }
}
