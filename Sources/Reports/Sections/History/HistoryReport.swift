package import Model

/// The list of the dated copies, newest first: docs/reports.md#history.
package enum HistoryReport {
  /// One dated copy.
  package struct Day: Hashable, Sendable {
    package var day: CivilDay
    /// Nil when the copy's summary cannot be read.
    var report: PastReport?

    /// Nil unless the text is a day such as `2026-11-20`.
    package init?(_ day: String, report: PastReport?) {
      guard let midnight = Instant(iso8601: "\(day)T00:00:00Z") else { return nil }
      self.day = ReportCalendar(timeZone: "UTC").day(of: midnight)
      self.report = report
    }
  }

  /// Rows in HTML and text: docs/reports.md#top-n.
  static let shownLimit = 120

  /// Expects the days newest first.
  package static func make(_ days: [Day], context: ReportContext) -> Report {
    let count = NumberWords.counted(days.count, "report")
    return Report(
      name: .history, title: "Past reports", context: context,
      dataTime: Report.DataTime(
        label: "Newest report", at: days.compactMap(\.report?.writtenAt).max()),
      summary: days.isEmpty
        ? "No report was kept yet." : "\(count) kept, the last of each day.",
      sections: [
        Section(
          id: "days", title: "By day",
          lead: "Each as it was written, for the period that it looked back on.",
          blocks: [.table(table(days))]),
        HistoryFigures.courses(days), HistoryFigures.comparison(days),
      ])
  }

  private static func table(_ days: [Day]) -> Table {
    Table(
      id: "days", title: "Newest first", of: days,
      columns: [
        Column("day", "Day", .leading) { .pastDay($0.day, firstPage(of: $0)) },
        Column("attention", "Attention", .leading) { attention($0.report) },
        Column("period_days", "Days") { .optional($0.report?.dayCount) },
        Column("people", "People") { figure(.usage, "active-users", of: $0) },
        Column("taps", "Taps") { figure(.usage, "taps", of: $0) },
        Column("blocked", "Blocked") { figure(.usage, "blocked", of: $0) },
        Column("mean_stars", "Mean stars") { figure(.ratings, "mean-stars", of: $0) },
        Column("users", "Users") { figure(.users, "total", of: $0) },
      ],
      shownLimit: shownLimit, emptyText: "No report was kept yet.")
  }

  /// The page of a copy that is read first; nil without pages.
  package static func link(to day: Day) -> PageLayout.PastLink? {
    firstPage(of: day).map { PageLayout.PastLink(day: day.day, page: $0) }
  }

  /// Links a copy that cannot be read back to the page that most copies have.
  private static func firstPage(of day: Day) -> FirstPage? {
    guard let report = day.report else { return .index }
    return report.firstPage
  }

  private static func figure(_ name: Report.Name, _ id: String, of day: Day) -> Cell {
    day.report?.figures.first { ($0.report, $0.id) == (name, id) }?.value.cell ?? .missing
  }

  /// How many findings of the day need a person.
  private static func attention(_ report: PastReport?) -> Cell {
    guard let findings = report?.findings else { return .text("cannot be read back") }
    let level = findings.map(\.level).max() ?? .pass
    let words = [(Level.error, "error", "errors"), (.warn, "warning", "warnings")]
      .compactMap { level, one, many -> String? in
        let count = findings.count { $0.level == level }
        return count > 0 ? NumberWords.counted(count, one, many) : nil
      }
    return .level(level, words.isEmpty ? "nothing" : words.joined(separator: ", "))
  }
}
