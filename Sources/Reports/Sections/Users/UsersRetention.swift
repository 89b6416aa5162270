import Model

/// The section with the people who come back: docs/people.md#retention.
enum UsersRetention {
  static let id = "retention"

  static func section(_ data: ActivityData?, _ context: ReportContext) -> Section {
    let calendar = ReportCalendar(timeZone: context.timeZone)
    let blocks: [Block]? = data.flatMap { data in
      guard !data.days.isEmpty else { return nil }
      let trend =
        ActivityTrend(data, calendar)?.figures(CellWords(time: TimeWords(context: context))) ?? []
      return (trend.isEmpty ? [] : [.figures(trend)]) + Self.blocks(data, calendar)
    }
    return Section(.users, id, blocks) { lead(data, calendar) ?? $0 }
  }

  /// The report with the shares of new people seen again on day 1, 7 and 30, beside the weeks
  /// before, as the query by weeks says them.
  static func toldAbove(_ report: Report) -> Report {
    guard report.name == .users,
      let place = report.sections.firstIndex(where: { $0.id == id }), let weeks = weeks(of: report)
    else { return report }
    let words = CellWords(time: TimeWords(context: report.context))
    let seen = [1, 7, 30].compactMap { seenAgain(on: $0, weeks, words) }
    guard !seen.isEmpty else { return report }
    var told = report
    if case .figures(let figures)? = report.sections[place].blocks.first {
      told.sections[place].blocks[0] = .figures(figures + seen)
    } else {
      told.sections[place].blocks.insert(.figures(seen), at: 0)
    }
    return told
  }

  /// The tile of the index: the share of new people who were seen on the next day; nil while no
  /// week is known.
  static func nextDay(_ reports: [Report]) -> Figure? {
    guard let report = reports.first(where: { $0.name == .users }), let weeks = weeks(of: report),
      let found = seenAgain(on: 1, weeks)
    else { return nil }
    let words = CellWords(time: TimeWords(context: report.context))
    return Figure(
      id: "seen-next-day", label: "Seen next day", value: .ratio(found.now), note: "new people",
      changeNote: found.verdict.map { _ in "\(words.words(.ratio(found.before))) before" },
      section: id, report: .users)
  }

  private static func weeks(of report: Report) -> Table? {
    report.sections.first { $0.id == id }?.blocks.compactMap(\.table).first { $0.id == "cohorts" }
  }

  /// Weeks of each side at most.
  private static let comparedWeeks = 4

  /// The shares of the newest weeks and of those before, nil while no week is known; `verdict` is
  /// nil while only one side is.
  private static func seenAgain(
    on day: Int, _ weeks: Table
  ) -> (count: Int, now: Ratio, before: Ratio, verdict: ShareVerdict?)? {
    let known = weeks.cells(of: "day_\(day)").compactMap { cell -> Ratio? in
      if case .rate(let share) = cell, share.whole > 0 { share } else { nil }
    }
    guard !known.isEmpty else { return nil }
    let count = max(1, min(comparedWeeks, known.count / 2))
    func sum(_ shares: ArraySlice<Ratio>) -> Ratio {
      shares.reduce(Ratio(0, of: 0)) { Ratio($0.part + $1.part, of: $0.whole + $1.whole) }
    }
    let (now, before) = (sum(known.suffix(count)), sum(known.dropLast(count).suffix(count)))
    return (count, now, before, ShareVerdict(from: before, to: now))
  }

  private static func seenAgain(on day: Int, _ weeks: Table, _ words: CellWords) -> Figure? {
    guard let found = seenAgain(on: day, weeks) else { return nil }
    let span = found.count == 1 ? "week" : "\(found.count) weeks"
    return Figure(
      id: "seen-again-\(day)", label: "Seen again on day \(day)", value: .ratio(found.now),
      note: "new people of the newest \(span)",
      changeNote: found.verdict.map {
        "\(words.words(.ratio(found.before))) of the \(span) before: \($0.changeWords)"
      } ?? "no comparison: one week is known"
    ).defined(on: Report.Name.users.rawValue)
  }

  private static func lead(_ data: ActivityData?, _ calendar: ReportCalendar) -> String? {
    guard let last = data?.days.last else { return nil }
    guard let newest = data?.days.last(where: { $0.coverage != .none }) else {
      return "The newest whole days are unknown, so nobody can be counted."
    }
    let people = NumberWords.counted(newest.daily, "person", "people")
    let day =
      newest == last
      ? "the last day that is over"
      : "\(calendar.day(of: newest.start).withWeekday), the last known day"
    return "People who used a limited feature: \(people) on \(day)"
      + (newest.coverage == .partial ? ", known in part" : "")
      + (newest.weekly.map { ", \(NumberWords.grouped($0)) in 7 days" } ?? "")
      + (newest.fourWeekly.map { ", \(NumberWords.grouped($0)) in 28 days" } ?? "") + "."
  }

  private static func blocks(_ data: ActivityData, _ calendar: ReportCalendar) -> [Block] {
    let table = daysTable(data, calendar)
    return [data.days.count > 2 ? .chart(chart(data, table, calendar)) : .table(table)]
      + notes(data, calendar).map(Block.text)
  }

  /// What the numbers do not hold, and how many people's accounts are known.
  private static func notes(_ data: ActivityData, _ calendar: ReportCalendar) -> [String] {
    var notes: [String] = []
    if !data.missingDays.isEmpty {
      let days = data.missingDays.map { calendar.day(of: $0).short }.listed
      notes.append(
        "Lines of \(days) are missing. 7 and 28 days count the people seen on the other days. "
          + "Shares leave out people whose day to come back is missing.")
    }
    if data.knownAccounts > 0 {
      notes.append(
        "The accounts of \(NumberWords.grouped(data.knownAccounts)) of "
          + "\(NumberWords.counted(data.people, "person", "people")) say when they were made.")
    }
    return notes
  }

  private static func daysTable(_ data: ActivityData, _ calendar: ReportCalendar) -> Table {
    Table(
      id: "active-people", title: "People active by day", of: data.days,
      columns: [
        Column("day", "Day", .leading) { .day(calendar.day(of: $0.start)) },
        Column("daily", "That day") { $0.coverage == .none ? .missing : .count($0.daily) },
        Column("weekly", "7 days") { .optional($0.weekly) },
        Column("four_weekly", "28 days") { .optional($0.fourWeekly) },
        Column("stickiness", "That day, of 28 days") { day in
          guard day.coverage == .whole, let whole = day.fourWeekly else { return .missing }
          return .rate(Ratio(day.daily, of: whole))
        },
        Column("data", "Data", .leading) { .text($0.coverage.word) },
      ])
  }

  private static func chart(
    _ data: ActivityData, _ table: Table, _ calendar: ReportCalendar
  ) -> Chart {
    let known = data.days.filter { $0.coverage != .none }
    let most = known.map(\.daily).max() ?? 0
    let fewest = known.map(\.daily).min() ?? 0
    return Chart(
      form: .line(
        Chart.Series("daily", "People a day", .main), range: 0...Double(max(1, most))),
      labels: data.days.map { calendar.day(of: $0.start).short }, unit: "people a day",
      alternative: "People active a day, from \(NumberWords.grouped(fewest)) to "
        + "\(NumberWords.grouped(most)).",
      table: table,
      uncovered: Set(data.days.indices.filter { data.days[$0].coverage != .whole }))
  }
}
