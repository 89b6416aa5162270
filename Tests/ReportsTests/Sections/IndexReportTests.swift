import Foundation
import Model
import ReportsTesting
import Testing

@testable import ReportWriters
@testable import Reports
@testable import Store

@Suite struct IndexReportTests {
  private let reports = SampleReports.reports()

  @Test
  func `the index comes first, then the reports in their order, and the list of their sections`() {
    #expect(reports.map(\.name) == Report.Name.shipped)
  }

  @Test
  func `each tile compares yesterday with the same weekday and leads to a present section`() throws
  {
    let index = reports[0]
    #expect(index.title == "Sun 1 Mar, compared with Sun 22 Feb")
    #expect(
      index.headline.map(\.id) == [
        "online", "active", "limit", "sub-taps", "new-subs", "stars", "reads", "payers",
        "seen-next-day",
      ])
    #expect(index.headline[1].value == .count(36))
    #expect(index.headline[1].change == PeriodChange(from: 22, to: 36))
    #expect(index.summary.contains("36 people were active yesterday"))
    // Today's last load beside that of a Monday, not of the day that the other tiles are of.
    #expect(index.headline[0].change == PeriodChange(from: 38, to: 45))
    #expect(index.headline[0].changeNote == "on Mon 23 Feb")
    for figure in index.headline {
      let target = reports.first { $0.name == figure.report }
      #expect(target?.sections.contains { $0.id == figure.section } == true, "\(figure.id)")
    }
  }

  @Test(arguments: [7, 14])
  func `a day that is not whole is no side of a comparison`(daysAgo: Int) {
    var history = SampleReports.history
    history.days[history.days.count - 1 - (daysAgo == 7 ? 8 : 1)].coverage = .partial
    let tiles = IndexTiles(history, ReportCalendar(timeZone: "Europe/Berlin"))
    #expect(tiles.figures.dropFirst().allSatisfy { $0.change == nil })
    #expect(tiles.figures[0].change != nil, "loads do not need the export")
    #expect(tiles.title == (daysAgo == 7 ? "Sun 1 Mar" : "Sun 1 Mar, known in part"))
    #expect(
      tiles.sentence().contains(
        daysAgo == 7 ? "no whole day a week before" : "some lines of that day are missing"))
    #expect((tiles.figures[2].share == nil) == (daysAgo == 14), "no percentage of a part")
  }

  @Test func `the tiles are of the newest day of which anything is known`() {
    let calendar = ReportCalendar(timeZone: "Europe/Berlin")
    for coverage in [DayFacts.Coverage.none, .awaited] {
      var history = SampleReports.history
      history.days[history.days.count - 2].coverage = coverage
      let tiles = IndexTiles(history, calendar)
      #expect(tiles.title == "Sat 28 Feb, compared with Sat 21 Feb")
      #expect(tiles.sentence().contains("active on Sat 28 Feb"))
    }
  }

  @Test(arguments: [34, 35])
  func `after many lost days the tiles are of the newest known day`(lostDays: Int) {
    let history = Self.history(60) { $0 >= 60 - lostDays ? .none : .whole }
    let tiles = IndexTiles(history, ReportCalendar(timeZone: "UTC"))
    #expect(tiles.figures.isEmpty == (lostDays == 35))
    let words =
      lostDays == 35 ? "There is no data for the newest 35 days." : "active on Mon 26 Jan"
    #expect(tiles.sentence().contains(words), "\(tiles.sentence())")
  }

  @Test(arguments: [(2, true), (3, false)])
  func `same weekdays that were lost judge nothing`(lostWeeks: Int, isJudged: Bool) {
    let lost = Set((1...lostWeeks).map { 59 - 7 * $0 })
    let history = Self.history(60) { lost.contains($0) ? .none : .whole }
    let context = ReportContext(
      appName: "ChatHub", now: history.days[60].start, timeZone: "UTC",
      start: history.days[59].start, end: history.days[60].start)
    let words = IndexAttention.unjudged(history, context)
    #expect((words == nil) == isJudged, "\(words ?? "")")
    if !isJudged { #expect(words?.contains("from 2 Mar on") == true, "\(words ?? "")") }
  }

  /// So many days that are over from 1 January 2026 on, and the running one.
  private static func history(
    _ count: Int, _ coverage: (Int) -> DayFacts.Coverage
  ) -> DayHistory {
    let start = SampleReports.at("2026-01-01T00:00:00Z")
    return DayHistory(
      days: (0...count).map { day in
        let begin = start + .seconds(86_400 * day)
        return DayFacts(
          start: begin, end: begin + .seconds(86_400),
          coverage: day == count ? .running : coverage(day))
      })
  }

  @Test(arguments: [
    (Level.error, "3.3.0 is worse."), (.warn, "A job is late."), (.notice, "A job is late."),
  ])
  func `the sentence begins with the worst finding`(level: Level, sentence: String) {
    var page = Report(
      name: .ratings, title: "R", context: SampleReports.context,
      dataTime: Report.DataTime(label: "Data", at: nil), summary: "", sections: [])
    page.findings = [
      Finding(level, "3.3.0 is worse.", report: .ratings, section: "groups"),
      Finding(.error, "A job is late.", report: .runs, section: "jobs"),
    ]
    let index = IndexReport.make(
      of: [page], runs: EmptyReports.runs,
      panels: IndexPanels(
        SampleReports.usage, SampleReports.limits, SampleReports.ratings,
        context: SampleReports.context), context: SampleReports.context)
    #expect(index.summary.hasPrefix("\(sentence) 36 people"), "\(index.summary)")
  }

  @Test func `a job that failed stands before a warning, and is named once`() {
    var page = Report(
      name: .own, title: "O", context: SampleReports.context,
      dataTime: Report.DataTime(label: "Data", at: nil), summary: "", sections: [])
    page.findings = [Finding(.warn, "Only 1 order on Wed.", report: .own, section: "orders")]
    let runs = RunsReport.make(SampleReports.runs, context: SampleReports.context)
    let index = IndexReport.make(
      of: [page, runs], runs: SampleReports.runs,
      panels: IndexPanels(
        SampleReports.usage, SampleReports.limits, SampleReports.ratings,
        context: SampleReports.context), context: SampleReports.context)
    #expect(
      index.summary.hasPrefix("1 of 2 jobs needs attention: upload-feedback. "), "\(index.summary)")
    #expect(index.summary.components(separatedBy: "upload-feedback").count == 2)
    #expect(!index.summary.contains("order"))
  }

  @Test(arguments: [("paying", true), ("base", false)])
  func `what is paid a month is a tile once purchases say it`(table: String, isTile: Bool) {
    var money = Report(
      name: .money, title: "M", context: SampleReports.context,
      dataTime: Report.DataTime(label: "Data", at: nil), summary: "",
      sections: [
        Section(
          id: "base", title: "B", lead: "",
          blocks: [.table(id: table, title: "P", of: [0], columns: [])])
      ])
    money.headline = [
      Figure(id: "new", label: "New", value: .count(1)),
      Figure(id: "monthly", label: "Paid a month", value: .money(9, currency: "$")),
    ]
    let index = IndexReport.make(
      of: [money], runs: EmptyReports.runs,
      panels: IndexPanels(
        SampleReports.usage, SampleReports.limits, SampleReports.ratings,
        context: SampleReports.context), context: SampleReports.context)
    let tile = index.headline.first { $0.id == "monthly" }
    #expect((tile != nil) == isTile)
    #expect(tile == nil || tile == index.headline.last && tile?.report == .money)
  }

  @Test func `jobs that are in order are told beside notes, not beside what needs somebody`() {
    var runs = SampleReports.runs
    runs.lastSuccesses["upload-feedback"] = runs.lastRuns["online-users"]
    runs.lastJudgedRuns["upload-feedback"] = runs.lastRuns["online-users"]
    runs.jobs[1].lastDueAt = SampleReports.at("2026-03-01T22:20:00Z")
    func summary(_ level: Level, _ runs: RunsData) -> String {
      var page = Report(
        name: .ratings, title: "R", context: SampleReports.context,
        dataTime: Report.DataTime(label: "Data", at: nil), summary: "", sections: [])
      page.findings = [Finding(level, "Worse.", report: .ratings, section: "groups")]
      return IndexReport.make(
        of: [page], runs: runs,
        panels: IndexPanels(
          SampleReports.usage, SampleReports.limits, SampleReports.ratings,
          context: SampleReports.context), context: SampleReports.context
      ).summary
    }
    #expect(summary(.notice, runs).contains("All 2 jobs"))
    #expect(!summary(.warn, runs).contains("jobs"))
    #expect(summary(.warn, SampleReports.runs).contains("jobs"))
    #expect(summary(.warn, EmptyReports.runs).contains("no jobs"))
  }

  @Test(arguments: [(0, false), (28, false), (29, true), (60, true)])
  func `a young ledger says from when on days are judged`(wholeDays: Int, isJudged: Bool) {
    let start = SampleReports.at("2026-01-01T00:00:00Z")
    var history = DayHistory()
    history.days = (0..<(wholeDays + 2)).map { day in
      let begin = start + .seconds(86_400 * day)
      return DayFacts(
        start: begin, end: begin + .seconds(86_400),
        coverage: day == 0 ? .none : day > wholeDays ? .running : .whole)
    }
    let context = ReportContext(
      appName: "ChatHub", now: start, timeZone: "UTC", start: start, end: start)
    let words = IndexAttention.unjudged(history, context)
    #expect((words == nil) == isJudged, "\(words ?? "")")
    if wholeDays == 28 { #expect(words?.contains("from 30 Jan on") == true) }
    let lead = IndexAttention.section([], unjudged: words).lead
    #expect(lead.hasPrefix("Nothing needs you today.") == isJudged)
  }

  @Test func `a note is read, and no reason to say that nothing needs anybody`() {
    let note = Finding(.notice, "Kenya is new.", report: .users, section: "places")
    #expect(
      IndexAttention.section([note], unjudged: nil).lead == "Nothing urgent; 1 note to read.")
    let warning = Finding(.warn, "Taps fell.", report: .usage, section: "days")
    #expect(
      IndexAttention.section([warning, note], unjudged: nil).lead == "1 warning, worst first.")
    #expect(IndexAttention.section([warning], unjudged: nil).lead == "1 warning.")
  }

  @Test func `errors and warnings are counted apart, notes are not`() {
    let findings = [Level.error, .warn, .warn, .notice].map {
      Finding($0, "Taps fell.", report: .usage, section: "days")
    }
    #expect(
      IndexAttention.section(findings, unjudged: nil).lead
        == "1 error and 2 warnings, worst first.")
  }

  @Test func `a mark stands in the week that it is of`() throws {
    let ratings = try #require(reports.first { $0.name == .ratings })
    let charts = ratings.sections.flatMap(\.blocks).compactMap { block -> Chart? in
      if case .chart(let chart) = block { chart } else { nil }
    }
    let weeks = try #require(charts.first { $0.table.id == "ratings-by-week" })
    let mark = try #require(weeks.markedDays.first)
    #expect(mark.words == "refresh limit 2 → 5" && weeks.days[mark.row].iso8601 == "2026-02-23")
    var before = weeks
    before.marks = [
      Chart.Mark(
        day: CivilDay(year: 2025, month: 1, day: 1), kind: .setting, words: "x")
    ]
    #expect(before.markedDays.isEmpty)
  }

  @Test func `without a whole day the index says so, and has no tiles`() {
    let tiles = IndexTiles(DayHistory(), ReportCalendar(timeZone: "UTC"))
    #expect(tiles.figures.isEmpty && tiles.title == "At a glance")
    #expect(tiles.sentence() == "The ledger has no whole day yet.")
  }

  @Test func `the 28 days are whole days, with changed settings and new versions marked`() throws {
    let section = try #require(reports[0].sections.first { $0.id == "month" })
    guard case .chart(let chart)? = section.blocks.first else {
      Issue.record("no chart")
      return
    }
    #expect(chart.table.rows.count == 15)
    #expect(chart.markedDays.map(\.words) == ["refresh limit 2 → 5"])
  }

  @Test(arguments: [9, 10, 11])
  func `a version is new when ten ratings of others came before it`(before: Int) {
    var ratings = SampleReports.ratings
    ratings.versionStarts = [
      RatingsData.VersionStart(
        version: "2.3", at: SampleReports.at("2026-01-05T12:00:00Z"), ratingsBefore: 0),
      RatingsData.VersionStart(
        version: "2.4", at: SampleReports.at("2026-02-20T12:00:00Z"), ratingsBefore: before),
    ]
    let marks = TimelineMarks.all(
      SampleReports.usage, SampleReports.limits, ratings, context: SampleReports.context)
    #expect(
      marks.filter { $0.kind == .release }.map(\.words)
        == (before >= 10 ? ["version 2.4 first rated"] : []))
  }

  @Test(arguments: [
    ("3.2.1", "3.0.9", false), ("3.2.1", "3.2.0", false), ("3.2.1", "3.2.2", true),
    ("3.9", "3.10", true), ("3.10", "3.9", false), ("9.0", "10.0", true),
  ])
  func `only a version newer than all that were rated before is marked`(
    earlier: String, later: String, isMarked: Bool
  ) {
    var ratings = SampleReports.ratings
    ratings.versionStarts = [
      (version: "1.0", at: "2026-01-01T12:00:00Z", before: 0),
      (version: earlier, at: "2026-02-18T12:00:00Z", before: 20),
      (version: later, at: "2026-02-20T12:00:00Z", before: 40),
    ].map {
      RatingsData.VersionStart(
        version: $0.version, at: SampleReports.at($0.at), ratingsBefore: $0.before)
    }
    let marks = TimelineMarks.all(
      SampleReports.usage, SampleReports.limits, ratings, context: SampleReports.context)
    let versions = [earlier] + (isMarked ? [later] : [])
    #expect(
      marks.filter { $0.kind == .release }.map(\.words)
        == versions.map { "version \($0) first rated" })
  }

  @Test
  func `a version of before the period is marked on its own day, and on no day of the period`()
    throws
  {
    var ratings = SampleReports.ratings
    ratings.versionStarts = [
      RatingsData.VersionStart(
        version: "2.4", at: SampleReports.at("2026-02-15T12:00:00Z"), ratingsBefore: 10)
    ]
    // The period begins on 16 Feb; 15 Feb is the first of the days of the index.
    let reports = SampleReports.reports(ratings: ratings)
    for (report, section, days) in [
      (reports[0], "month", ["2026-02-15", "2026-02-27"]), (reports[1], "days", ["2026-02-27"]),
    ] {
      let blocks = try #require(report.sections.first { $0.id == section }).blocks
      guard case .chart(let chart)? = blocks.first else {
        Issue.record("no chart")
        return
      }
      #expect(chart.markedDays.map(\.day.iso8601) == days)
    }
  }

  @Test
  func `people by day and runs by day have the marks of the other drawings over time`() throws {
    let reports = SampleReports.reports()
    for (name, id) in [(Report.Name.users, "active-people"), (.runs, "runs-by-day")] {
      let report = try #require(reports.first { $0.name == name })
      let charts = report.sections.flatMap(\.blocks).compactMap { block in
        if case .chart(let chart) = block { chart } else { nil }
      }
      let chart = try #require(charts.first { $0.table.id == id }, "\(charts.map(\.table.id))")
      #expect(chart.markedDays.map(\.words) == ["refresh limit 2 → 5"])
      let text = String(decoding: TextWriter.bytes(of: report), as: UTF8.self)
      #expect(text.contains("1 27 Feb: refresh limit 2 → 5"))
    }
  }

  @Test(arguments: [8, 9])
  func `changes after the days of a drawing take no mark's place in it`(inside: Int) throws {
    let chart = try #require(
      reports[0].sections.flatMap(\.blocks).lazy.compactMap { block -> Chart? in
        if case .chart(let chart) = block { chart } else { nil }
      }.first)
    let first = try #require(chart.days.first)
    let later = CivilDay(year: first.year + 1, month: 1, day: 1)
    let marks =
      (0..<inside).map { Chart.Mark(day: first, kind: .setting, words: "\($0)") }
      + (0..<9).map { Chart.Mark(day: later, kind: .setting, words: "later \($0)") }
    let shown = TimelineMarks.shown(marks, in: chart).map(\.words)
    #expect(shown == (inside - 8..<inside).map(String.init))
  }

  @Test func `nothing to do is said once`() throws {
    let report = Report(
      name: .index, title: "T", context: SampleReports.context,
      dataTime: Report.DataTime(label: "Data", at: nil), summary: "S",
      sections: [
        Section(id: "attention", title: "Needs you", lead: "Nothing needs you today.", blocks: [])
      ])
    let text = String(decoding: TextWriter.bytes(of: report), as: UTF8.self)
    #expect(text.components(separatedBy: "Nothing needs you").count == 2)
  }

  @Test func `findings of all reports stand together, worst first`() throws {
    guard case .findings(let findings)? = reports[0].sections.first?.blocks.first else {
      Issue.record("the index has no findings")
      return
    }
    #expect(findings.count == reports.dropFirst().flatMap(\.findings).count)
    #expect(findings.map(\.level) == findings.map(\.level).sorted(by: >))
  }

  @Test func `every finding leads to a section that exists`() {
    for finding in reports.flatMap(\.findings) {
      let report = reports.first { $0.name == finding.report }
      #expect(report?.sections.contains { $0.id == finding.section } == true, "\(finding)")
    }
  }

  @Test
  func `the newest data is that of an event, setting, rating or user, never a job's run`() throws {
    let data = reports.dropFirst().filter { $0.name != .runs }.compactMap(\.dataTime.at).max()
    #expect(data != nil && reports[0].dataTime.at == data)
    var runs = SampleReports.runs
    runs.runs[0].startedAt = SampleReports.context.now
    #expect(SampleReports.reports(runs: runs)[0].dataTime.at == data)
  }

  @Test func `a time zone that is not known is a warning`() {
    var context = SampleReports.context
    context.timeZone = "Mars/Olympus"
    let index = SampleReports.reports(context: context)[0]
    guard case .findings(let findings)? = index.sections.first?.blocks.first else {
      Issue.record("the index has no findings")
      return
    }
    #expect(findings.contains { $0.sentence.contains("Mars/Olympus") && $0.level == .warn })
  }
}
