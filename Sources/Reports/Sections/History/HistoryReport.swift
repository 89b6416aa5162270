package import Model

/// The list of the reports that were kept, newest first: docs/reports.md#history.
package enum HistoryReport {
  /// A dated copy.
  package struct Day: Hashable, Sendable {
    var day: CivilDay
    /// Nil when the copy's summary cannot be read.
    var report: PastReport?

    /// Nil for a text that is no day such as `2026-11-20`.
    package init?(_ day: String, report: PastReport?) {
      guard let midnight = Instant(iso8601: "\(day)T00:00:00Z") else { return nil }
      self.day = ReportCalendar(timeZone: "UTC").day(of: midnight)
      self.report = report
    }
  }

  /// Rows in HTML and text: docs/reports.md#top-n.
  static let shownLimit = 120

  /// Takes the days newest first.
  package static func make(_ days: [Day], frame: ReportFrame) -> Report {
    let count = NumberWords.counted(days.count, "report")
    return Report(
      name: .history, title: "Past reports", frame: frame,
      dataTime: Report.DataTime(
        label: "Newest report", at: days.compactMap(\.report?.writtenAt).max()),
      summary: days.isEmpty
        ? "No report was kept yet." : "\(count) kept, the last of each day.",
      sections: [
        Section(
          id: "days", title: "By day",
          lead: "Each as it was written, for the period that it looked back on.",
          blocks: [.table(table(days))])
      ])
  }

  private static func table(_ days: [Day]) -> Table {
    Table(
      id: "days", title: "Newest first",
      columns: [
        Table.Column("day", "Day", .leading), Table.Column("attention", "Attention", .leading),
        Table.Column("period_days", "Days"), Table.Column("people", "People"),
        Table.Column("taps", "Taps"), Table.Column("blocked", "Blocked"),
        Table.Column("mean_stars", "Mean stars"), Table.Column("users", "Users"),
      ],
      rows: days.map(row), shownLimit: shownLimit, emptyText: "No report was kept yet.")
  }

  private static func row(_ day: Day) -> Table.Row {
    guard let report = day.report else {
      return Table.Row(
        [.pastDay(day.day, .index), .text("cannot be read back")]
          + Array(repeating: .missing, count: 6))
    }
    func figure(_ name: Report.Name, _ id: String) -> Cell {
      report.figures.first { ($0.report, $0.id) == (name, id) }?.value.cell ?? .missing
    }
    return Table.Row([
      .pastDay(day.day, report.firstPage), attention(report.findings), .count(report.dayCount),
      figure(.usage, "active-users"), figure(.usage, "taps"), figure(.usage, "blocked"),
      figure(.ratings, "mean-stars"), figure(.users, "total"),
    ])
  }

  private static func attention(_ findings: [PastReport.Finding]) -> Cell {
    let level = findings.map(\.level).max() ?? .pass
    let words = [(Level.error, "error", "errors"), (.warn, "warning", "warnings")]
      .compactMap { level, one, many -> String? in
        let count = findings.filter { $0.level == level }.count
        return count > 0 ? NumberWords.counted(count, one, many) : nil
      }
    return .level(level, words.isEmpty ? "nothing" : words.joined(separator: ", "))
  }
}
