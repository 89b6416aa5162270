import Model

/// The figures of the dated copies: their courses, and day beside day.
enum HistoryFigures {
  /// Days that the comparison has; a column each.
  static let mostDays = 31
  /// Days of which the courses have a small column each.
  static let courseDays = 62

  static func courses(_ days: [HistoryReport.Day]) -> Section {
    let reports: [PastReport] = days.prefix(courseDays).compactMap(\.report).reversed()
    let rows = places(in: reports).compactMap { place -> Course? in
      let counts = reports.map { place.count(in: $0) }
      let known = counts.compactMap(\.self)
      guard known.count > 2, place.isCount(in: reports) else { return nil }
      return Course(label: place.title, counts: counts)
    }
    return Section(
      id: "courses", title: "Courses",
      lead: "Each count from the oldest of these reports to the newest. Counts of events are left "
        + "out where a report lacked some of its period.",
      blocks: [.table(courseTable(rows))])
  }

  static func comparison(_ days: [HistoryReport.Day]) -> Section {
    let known = Array(days.filter { $0.report != nil }.prefix(mostDays))
    return Section(
      id: "compare", title: "Day beside day",
      lead: "The figures at the head of each page, newest day first; with JavaScript any two days. "
        + "Counts of events are left out where a report lacked some of its period.",
      blocks: [.table(comparisonTable(known))])
  }

  /// A figure of any report.
  private struct Place: Hashable {
    let report: Report.Name
    let id: String
    let label: String

    var title: String {
      "\(report.rawValue.prefix(1).uppercased() + report.rawValue.dropFirst()): \(label)"
    }

    private func figure(in past: PastReport) -> PastFigure? {
      past.figures.first { ($0.report, $0.id) == (report, id) }
    }

    /// Missing as well for a count of events of which the copy did not know all.
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

  private struct Course {
    let label: String
    let counts: [Int?]
  }

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
