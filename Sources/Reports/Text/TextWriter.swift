import Model

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
    foot(of: report, &sheet)
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
      ("Time zone", words.timeZone), ("People", words.people.map(VisibleText.line)),
    ]
    let entries = lines.compactMap { term, value in value.map { (term, $0) } }
    let width = entries.map(\.0.count).max() ?? 0
    for (term, value) in entries {
      sheet.line(DisplayWidth.fitted(term, to: width) + "  " + value)
    }
  }

  private static func write(_ section: Section, _ block: TextBlock, _ sheet: inout TextSheet) {
    sheet.gap()
    sheet.line(section.title)
    sheet.rule("-")
    sheet.paragraph(section.lead)
    for one in section.blocks { block.write(one, to: &sheet) }
  }

  private static func foot(of report: Report, _ sheet: inout TextSheet) {
    guard report.hasMarkedCells else { return }
    sheet.gap()
    sheet.paragraph(CellWords.smallNote)
  }
}
