import Model

/// What the sentence of the index says of its tiles, by the same comparisons as theirs:
/// docs/reports/form.md#tiles.
enum IndexVerdict {
  /// There are no tiles, for the given reason.
  case nothing(String)
  /// People who were active, and what stands out among the tiles or why that is unknown.
  case day(active: String, outstanding: [String], otherwise: String)

  /// Figures that the sentence names at most.
  private static let most = 2
  /// A smaller change from one week to the next is called "about as a week before".
  static let notablePercent = 25.0

  /// `when` is the day of the tiles: `yesterday`.
  init(_ figures: [Figure], of maker: TileMaker, when: String) {
    let day = maker.day
    let people =
      NumberWords.counted(day.activeUsers, "person was", "people were") + " active \(when)"
    guard day.coverage == .whole else {
      self = .nothing("\(people), as far as is known: some lines of that day are missing.")
      return
    }
    let active = figures.first { $0.id == "active" }?.expected
    let others = figures.filter { $0.id != "active" || active == nil }
    let outstanding =
      Self.unusual(others) + Self.changed(others, maker)
      + [others.contains { $0.id == "stars" && $0.expected == nil } ? maker.starsChange : nil]
      .compactMap(\.self)
    self = .day(
      active: people + (active.map { ", \($0.words(of: Double(day.activeUsers)))" } ?? ""),
      outstanding: outstanding,
      otherwise: Self.otherwise(figures, maker))
  }

  func sentence(besideFinding: Bool) -> String {
    switch self {
    case .nothing(let words): return words
    case .day(let active, let outstanding, let otherwise):
      guard outstanding.isEmpty else {
        return "\(active); \(outstanding.prefix(Self.most).joined(separator: "; "))."
      }
      return besideFinding || otherwise.isEmpty ? "\(active)." : "\(active); \(otherwise)."
    }
  }

  /// The sentence when no tile is unusual; empty when the people were, which another sentence says.
  private static func otherwise(_ figures: [Figure], _ maker: TileMaker) -> String {
    let expected = figures.compactMap(\.expected)
    guard expected.allSatisfy({ $0.verdict == .usual }) else { return "" }
    guard figures.contains(where: { $0.id == "active" && $0.expected != nil }) else {
      guard let before = maker.before else {
        return "there is no whole day a week before to compare with"
      }
      let name = maker.calendar.day(of: before.start).withWeekday
      let areSmall = figures.allSatisfy { $0.id == "online" || $0.change?.percent == nil }
      return areSmall
        ? "the counts are too small for percentages" : "usage was about as on \(name)"
    }
    return "nothing stands out"
  }

  /// Tiles outside of what is usual.
  private static func unusual(_ figures: [Figure]) -> [String] {
    figures.compactMap { figure in
      guard let expected = figure.expected, expected.verdict != .usual else { return nil }
      return "\(figure.label.lowercased()) \(words(of: figure.value)), \(expected.words)"
    }
  }

  private static func words(of value: Cell) -> String {
    switch value {
    case .count(let count): NumberWords.grouped(count)
    case .mean(let mean): NumberWords.decimal(mean.exact, places: 2)
    default: ""
    }
  }

  /// Tiles that nothing is usual of, and that changed much within a week; the largest first.
  private static func changed(_ figures: [Figure], _ maker: TileMaker) -> [String] {
    let changes = figures.compactMap { figure in
      figure.change.flatMap { change in isNotable(change) ? (figure, change) : nil }
    }
    return changes.sorted { weight($0.1) > weight($1.1) }.map { figure, change in
      let day = figure.changeNote.map { String($0.trimmingPrefix("on ")) }
      let name = day ?? maker.before.map { maker.calendar.day(of: $0.start).withWeekday } ?? ""
      return "\(figure.label.lowercased()) \(words(of: change)) against \(name)"
    }
  }

  /// A quarter of a base that is large enough for percentages; else three deviations of chance.
  private static func isNotable(_ change: PeriodChange) -> Bool {
    if let percent = change.percent { return abs(percent) >= notablePercent }
    let chance = Double(max(1, change.current + change.previous)).squareRoot()
    return abs(Double(change.difference)) >= 3 * chance
  }

  private static func weight(_ change: PeriodChange) -> Double {
    change.percent.map(abs) ?? notablePercent
  }

  /// `+32%`, `+12 from 3`.
  private static func words(of change: PeriodChange) -> String {
    let sign = change.difference > 0 ? "+" : "−"
    guard let percent = change.percent else {
      return "\(sign)\(NumberWords.grouped(abs(change.difference))) from "
        + NumberWords.grouped(change.previous)
    }
    return "\(sign)\(NumberWords.percent(abs(percent)))"
  }
}
