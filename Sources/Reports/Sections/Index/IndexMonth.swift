import Model

/// The panel with the last 28 days.
enum IndexMonth {
  static let dayCount = 28

  static func section(_ history: DayHistory, _ calendar: ReportCalendar) -> Section {
    let days = history.complete.suffix(dayCount).map {
      (day: calendar.day(of: $0.start), facts: $0)
    }
    let known = days.filter { $0.facts.coverage != .none }
    return Section(
      id: "month", title: "28 days",
      lead: known.isEmpty
        ? "The ledger has no whole day yet."
        : "Taps a day; numbers mark settings and versions, hatching missing data.",
      blocks: [.chart(chart(days))])
  }

  private typealias Day = (day: CivilDay, facts: DayFacts)

  private static func chart(_ days: [Day]) -> Chart {
    var chart = Chart(
      form: .columns([
        Chart.Series("not_blocked", "Not blocked", .main),
        Chart.Series("blocked", "Blocked", .blocked),
      ]),
      labels: days.map(\.day.short), unit: "taps a day", weekUnit: "taps a week",
      alternative: alternative(days.map(\.facts)),
      table: Table(
        id: "month", title: "Taps of 28 days", of: Array(days),
        columns: [
          Column("day", "Day", .leading) { .day($0.day) },
          Column("not_blocked", "Not blocked") {
            known($0.facts, max(0, $0.facts.taps - $0.facts.blocked))
          },
          Column("blocked", "Blocked") { known($0.facts, $0.facts.blocked) },
          Column("people", "People active") { known($0.facts, $0.facts.activeUsers) },
          Column("data", "Data", .leading) { .text($0.facts.coverage.word) },
        ],
        emptyText: "The ledger has no whole day yet."))
    chart.isCompact = true
    chart.uncovered = Set(days.indices.filter { days[$0].facts.coverage != .whole })
    return chart
  }

  private static func known(_ facts: DayFacts, _ count: Int) -> Cell {
    facts.coverage == .none ? .missing : .count(count)
  }

  private static func alternative(_ days: [DayFacts]) -> String {
    let counts = days.filter { $0.coverage != .none }.map(\.taps)
    guard let least = counts.min(), let most = counts.max() else { return "Nothing to draw." }
    return "Between \(NumberWords.grouped(least)) and \(NumberWords.counted(most, "tap")) a day."
  }
}
