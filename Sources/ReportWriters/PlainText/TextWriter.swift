import Model
package import Reports

/// A report as plain text of at most 80 columns, in the order of the page: docs/reports.md#formats.
package enum TextWriter {
  package static func bytes(of report: Report, in layout: PageLayout = .whole) -> [UInt8] {
    bytes(of: [report], in: layout)
  }

  /// The reports in a row, with three empty lines between them.
  package static func bytes(of reports: [Report], in layout: PageLayout) -> [UInt8] {
    var sheet = TextSheet()
    for report in reports {
      if !sheet.lines.isEmpty { for _ in 0..<3 { sheet.line() } }
      write(report, layout, &sheet)
    }
    return sheet.bytes
  }

  private static func write(_ report: Report, _ layout: PageLayout, _ sheet: inout TextSheet) {
    let words = CellWords(time: TimeWords(context: report.context))
    let block = TextBlock(words: words, report: report.name, layout: layout)
    head(of: report, words.time, &sheet)
    if !report.headline.isEmpty { block.write(.figures(report.headline), to: &sheet) }
    if report.name != .index, !report.findings.isEmpty {
      block.write(.findings(report.findings), to: &sheet)
    }
    for section in report.sections { write(section, block, &sheet) }
    guard report.hasMarkedCells else { return }
    sheet.gap()
    sheet.paragraph(CellWords.smallNote)
  }

  private static func head(of report: Report, _ time: TimeWords, _ sheet: inout TextSheet) {
    let context = report.context
    let app = VisibleText.line(VisibleText.clipped(context.appName, to: 60))
    sheet.paragraph("\(report.title) · \(app)")
    sheet.rule("=")
    sheet.paragraph(report.summary)
    sheet.line()
    let data = report.dataTime.at.map { "\(time.dateAndTime($0)) (\(time.distance(to: $0)))" }
    let words = ReportHeadWords(report: report, time: time)
    let lines: [(String, String?)] = [
      ("Period", words.period), ("Compared with", words.previousPeriod),
      (report.dataTime.label, data ?? "never"), ("Written", time.dateAndTime(context.now)),
      ("Time zone", words.timeZone), ("Platform", words.platform),
      ("Not counted", words.otherPlatforms), ("People", words.people.map(VisibleText.line)),
    ]
    let entries = lines.compactMap { term, value in value.map { (term, $0) } }
    let width = entries.map(\.0.count).max() ?? 0
    for (term, value) in entries {
      let start = DisplayWidth.fitted(term, to: width) + "  "
      for (number, line) in TextSheet.wrapped(value, to: TextSheet.width - width - 2).enumerated() {
        sheet.line((number == 0 ? start : String(repeating: " ", count: width + 2)) + line)
      }
    }
  }

  private static func write(_ section: Section, _ block: TextBlock, _ sheet: inout TextSheet) {
    sheet.gap()
    sheet.line(section.title)
    sheet.rule("-")
    sheet.paragraph(section.lead)
    for one in section.blocks { block.write(one, to: &sheet) }
  }
}

/// Writes a block as text.
struct TextBlock {
  let words: CellWords
  let report: Report.Name
  let layout: PageLayout

  func write(_ block: Block, to sheet: inout TextSheet) {
    sheet.gap()
    switch block {
    case .text(let text): sheet.paragraph(text)
    case .figures(let figures): write(figures, to: &sheet)
    case .table(let table):
      if table.isTitled { sheet.line(table.title) }
      writeBody(table, to: &sheet)
    case .chart(let chart): write(chart, to: &sheet)
    case .definitions(let definitions):
      for definition in definitions {
        sheet.paragraph("\(definition.term): \(definition.meaning)", hanging: 2)
      }
    case .findings(let findings): write(findings, to: &sheet)
    case .feedback(let list): write(list, to: &sheet)
    case .popups(let gallery): TextPopups.write(gallery, to: &sheet)
    case .contents(let links): write(links, to: &sheet)
    }
  }

  func write(_ findings: [Finding], to sheet: inout TextSheet) {
    if findings.isEmpty { sheet.line("Nothing needs you.") }
    let shown = findings.prefix(report.shownFindings)
    for finding in shown {
      let sentence = VisibleText.clipped(finding.sentence, to: 300)
      sheet.paragraph("\(finding.level.sign) \(finding.level.word): \(sentence)", hanging: 2)
      for text in finding.supportWords { sheet.paragraph(text, indent: 2) }
      if let place = place(of: finding.report) { sheet.line("  see \(place), \(finding.section)") }
    }
    guard shown.count < findings.count else { return }
    sheet.line(
      ShownWords.sentence(
        shown: shown.count, total: findings.count, of: "findings", in: report, layout))
  }

  /// The file of a report, or its name when all reports share a file; nil when it is not written.
  private func place(of report: Report.Name) -> String? {
    guard let file = layout.fileName(of: report, .text) else { return nil }
    return layout.isSingleFile ? report.rawValue : file
  }

  private func write(_ links: [PageLink], to sheet: inout TextSheet) {
    for link in links {
      sheet.line(place(of: link.report).map { "\(link.title) (\($0))" } ?? link.title)
      sheet.paragraph(link.summary, indent: 2)
      sheet.paragraph(words.time.freshness(of: link.dataTime), indent: 2)
    }
  }

  func write(_ figures: [Figure], to sheet: inout TextSheet) {
    let label = figures.map { DisplayWidth.of($0.label) }.max() ?? 0
    let value = figures.map { DisplayWidth.of(words.words($0.value)) }.max() ?? 0
    for figure in figures {
      let note = figure.share.map { "\(words.words($0)) \(figure.note ?? "")" } ?? figure.note
      let said = [note, words.changeWords(of: figure)].compactMap { $0 }.joined(separator: ", ")
      // Days that do not fit a line have no sparkline.
      let days = figure.drawnTrend.flatMap { $0.count <= 31 ? $0 : nil } ?? []
      let rest = [said, TextBar.sparkline(days.map { $0.map(Double.init) })].filter { !$0.isEmpty }
      let start =
        DisplayWidth.fitted(figure.label, to: label) + "  "
        + DisplayWidth.fitted(words.words(figure.value), to: value, trailing: true)
      let room = TextSheet.width - DisplayWidth.of(start) - 2
      let lines = TextSheet.wrapped(rest.joined(separator: " "), to: max(room, 12))
      sheet.line(lines.first.map { "\(start)  \($0)" } ?? start)
      for line in lines.dropFirst() {
        sheet.line(String(repeating: " ", count: DisplayWidth.of(start) + 2) + line)
      }
    }
  }

  private func writeBody(_ table: Table, to sheet: inout TextSheet, barsFor column: String? = nil) {
    guard !table.rows.isEmpty else { return sheet.line(table.emptyText) }
    for (number, part) in parts(of: table).enumerated() {
      if number > 0 { sheet.line() }
      ReportTextTable(part, words: words, barsFor: column).write(to: &sheet)
    }
    writeTrends(of: table, to: &sheet)
    guard let (shown, total) = table.shownOf else { return }
    sheet.line(
      ShownWords.sentence(
        shown: shown, total: total, held: table.rows.count, of: table.id, in: report, layout))
  }

  /// A table of very many columns as several that a line has room for, each with the first column.
  func parts(of table: Table) -> [Table] {
    let most = 6
    let count = table.columns.count
    guard count > 8, count > 10 || !ReportTextTable(table, words: words).fits else {
      return [table]
    }
    var parts: [Table] = []
    var start = 1
    while start < count {
      var end = min(start + most, count)
      var part = table.part(columns: [0] + Array(start..<end))
      while end > start + 1, !ReportTextTable(part, words: words).fitsWhole {
        end -= 1
        part = table.part(columns: [0] + Array(start..<end))
      }
      parts.append(part)
      start = end
    }
    return parts
  }

  /// Writes the numbers of each trend, because the table only has its sparkline.
  private func writeTrends(of table: Table, to sheet: inout TextSheet) {
    for row in table.shownRows {
      for (column, cell) in zip(table.columns, row.cells) {
        guard case .trend = cell, let name = row.cells.first else { continue }
        sheet.paragraph(
          "\(words.words(name)), \(column.title.lowercased()): \(words.words(cell))", hanging: 2)
      }
    }
  }

  private func write(_ chart: Chart, to sheet: inout TextSheet) {
    sheet.line(chart.table.isTitled ? "\(chart.title) (\(chart.unit))" : "(\(chart.unit))")
    guard !chart.table.rows.isEmpty else { return sheet.line(chart.table.emptyText) }
    guard !chart.isSentence else {
      sheet.paragraph(chart.sentence(words))
      return writeBody(chart.table, to: &sheet)
    }
    let lines: [(title: String, column: String)]
    switch chart.form {
    case .columns, .line: lines = chart.series.map { ($0.title, $0.column) }
    case .heatMap: lines = chart.table.columns.dropFirst().map { ($0.title, $0.id) }
    case .bars(let column, _): return writeBody(chart.table, to: &sheet, barsFor: column)
    }
    sparklines(lines, of: chart, to: &sheet)
    if let usual = chart.expectedWords { sheet.paragraph(usual) }
    for mark in chart.markedDays {
      sheet.paragraph("\(mark.number)  \(mark.day.short): \(mark.words)", hanging: 3)
    }
    writeBody(chart.table, to: &sheet)
  }

  private func sparklines(
    _ lines: [(title: String, column: String)], of chart: Chart, to sheet: inout TextSheet
  ) {
    let width = lines.map { DisplayWidth.of($0.title) }.max() ?? 0
    // A level over time has no sums.
    let isLevel = if case .line = chart.form { true } else { false }
    var size = 1
    for (title, column) in lines {
      let values = chart.table.values(of: column)
      let start = DisplayWidth.fitted(title, to: width) + "  "
      let room = TextSheet.width - width - 2
      if values.count <= room {
        sheet.line(start + TextBar.sparkline(values))
      } else if !isLevel {
        let folded = values.map { $0.map { Int($0) } }.folded(to: room)
        sheet.line(start + TextBar.sparkline(folded.counts.map { $0.map(Double.init) }))
        size = folded.of
      }
    }
    if size > 1 { sheet.line("One mark is \(size) rows of the table together.") }
    sheet.gap()
  }
}

/// Writes comments as text: stars, words and source.
extension TextBlock {
  fileprivate func write(_ list: FeedbackList, to sheet: inout TextSheet) {
    guard !list.entries.isEmpty else { return sheet.line(list.emptyText) }
    for entry in list.shownEntries {
      sheet.gap()
      let heading = VisibleText.clipped(entry.heading, to: UserComment.headingLimit)
      sheet.paragraph("\(CellWords.stars(entry.stars)) \(heading)")
      sheet.paragraph(
        VisibleText.clipped(entry.text, to: UserComment.textLimit), indent: 2)
      let source = [
        words.words(.instant(entry.at)), entry.country, entry.gender, entry.appVersion,
        entry.userId,
      ].filter { !$0.isEmpty }.map {
        TextDirection.isolated(VisibleText.clipped($0, to: UserComment.wordLimit))
      }
      sheet.paragraph((source + entry.statusWords).joined(separator: " · "), indent: 2)
    }
    guard let (shown, total) = list.shownOf else { return }
    sheet.line(
      ShownWords.sentence(shown: shown, total: total, of: list.id, in: report, layout))
  }
}
