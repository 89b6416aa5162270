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
      guard let day = CivilDay(iso8601: day) else { return nil }
      self.day = day
      self.report = report
    }
  }

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
        Section(.history, "days", [.table(table(days))]),
        HistoryFindings.section(days), HistoryFigures.courses(days),
        HistoryFigures.comparison(days),
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
      shownLimit: 120, emptyText: "No report was kept yet.")
  }

  /// The page of a copy that is read first, nil without pages; of a copy that cannot be read back
  /// the page that most copies have.
  package static func firstPage(of day: Day) -> FirstPage? {
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

/// The figures of the dated copies: their courses, and day beside day.
enum HistoryFigures {
  /// Days that the comparison has; a column each.
  static let mostDays = 31
  /// Days with a column of their own in the courses.
  static let courseDays = 62

  static func courses(_ days: [HistoryReport.Day]) -> Section {
    let reports: [PastReport] = days.prefix(courseDays).compactMap(\.report).reversed()
    let rows = places(in: reports).compactMap { place -> Course? in
      let counts = reports.map { place.count(in: $0) }
      let known = counts.compactMap(\.self)
      guard known.count > 2, place.isCount(in: reports) else { return nil }
      return (place.title, counts)
    }
    return Section(.history, "courses", [.table(courseTable(rows))])
  }

  static func comparison(_ days: [HistoryReport.Day]) -> Section {
    let known = Array(days.filter { $0.report != nil }.prefix(mostDays))
    return Section(.history, "compare", [.table(comparisonTable(known))])
  }

  /// A figure of any report.
  private struct Place: Hashable {
    let report: Report.Name
    let id: String
    let label: String

    var title: String {
      "\(report.rawValue.capitalizedFirst): \(label)"
    }

    private func figure(in past: PastReport) -> PastFigure? {
      past.figures.first { ($0.report, $0.id) == (report, id) }
    }

    /// Also missing for a count of events that was incomplete in the copy.
    func cell(in past: PastReport?) -> Cell {
      guard let past, let figure = figure(in: past), figure.isOfEvents != true || past.knowsEvents
      else { return .missing }
      return figure.value.cell
    }

    /// Whether every report has it as a count, known or not.
    func isCount(in reports: [PastReport]) -> Bool {
      reports.allSatisfy { if case .count = figure(in: $0)?.value { true } else { false } }
    }

    func count(in past: PastReport) -> Int? {
      if case .count(let count) = cell(in: past) { count } else { nil }
    }
  }

  private typealias Course = (label: String, counts: [Int?])

  /// Every figure once, in the order of the newest report that has it.
  private static func places(in reports: [PastReport]) -> [Place] {
    var seen: Set<String> = []
    return reports.reversed().flatMap(\.figures).compactMap { figure in
      guard seen.insert("\(figure.report.rawValue) \(figure.id)").inserted else { return nil }
      return Place(
        report: figure.report, id: figure.id, label: VisibleText.clipped(figure.label, to: 60))
    }
  }

  private static func courseTable(_ rows: [Course]) -> Table {
    Table(
      id: "courses", title: "From the oldest to the newest", of: rows,
      columns: [
        Column("figure", "Figure", .leading) { .text($0.label) },
        Column("first", "Oldest") { .optional($0.counts.first ?? nil) },
        Column("course", "Course", .leading) { .trend($0.counts) },
        Column("last", "Newest") { .optional($0.counts.last ?? nil) },
      ],
      emptyText: "Fewer than three reports can be read back.")
  }

  private static func comparisonTable(_ days: [HistoryReport.Day]) -> Table {
    let reports = days.compactMap(\.report)
    let columns = days.map { day in
      Column<Place>("day_\(day.day.iso8601.replacing("-", with: "_"))", day.day.withWeekday) {
        $0.cell(in: day.report)
      }
    }
    return Table(
      id: "figures-by-day", title: "Figures by day",
      of: reports.count > 1 ? places(in: reports.reversed()) : [],
      columns: [Column("figure", "Figure", .leading) { .text($0.title) }] + columns,
      emptyText: "Two reports make the first comparison.")
  }
}

/// The findings of the kept reports, each once, including those that are over:
/// docs/reports/history.md.
enum HistoryFindings {
  /// A finding of one or more reports.
  private struct ReportedFinding {
    /// As the newest of these reports has it.
    let finding: PastFinding
    let first: CivilDay
    let last: CivilDay
    /// The number of reports with the finding.
    var count: Int
    let isOpen: Bool
  }

  /// Expects the days newest first; warnings and errors alone are listed.
  static func section(_ days: [HistoryReport.Day]) -> Section {
    Section(
      .history, "findings",
      [
        .table(
          id: "findings", title: "Newest first", of: told(days),
          columns: [
            Column("finding", "Finding", .leading) { .text($0.finding.sentence) },
            Column("level", "Level", .leading) {
              .level($0.finding.level, $0.finding.level.word)
            },
            Column("first", "First told", .leading) { .day($0.first) },
            Column("last", "Last told", .leading) { .day($0.last) },
            Column("reports", "Reports") { .count($0.count) },
            Column("open", "Open", .leading) { .text($0.isOpen ? "yes" : "over") },
          ],
          shownLimit: 60, emptyText: "No kept report has a finding.")
      ])
  }

  private static func told(_ days: [HistoryReport.Day]) -> [ReportedFinding] {
    let newest = days.first { $0.report != nil }?.day
    var told: [String: ReportedFinding] = [:]
    var ids: [String] = []
    for day in days {
      for finding in day.report?.findings ?? [] where finding.level >= .warn {
        let id = "\(finding.report.rawValue) \(finding.subject ?? finding.sentence)"
        if told[id] == nil { ids.append(id) }
        let known = told[id]
        told[id] = ReportedFinding(
          finding: known?.finding ?? finding, first: day.day, last: known?.last ?? day.day,
          count: (known?.count ?? 0) + 1, isOpen: known?.isOpen ?? (day.day == newest))
      }
    }
    return ids.compactMap { told[$0] }
  }
}
