import Model
package import Store

/// A report as CSV by RFC 4180, one value a line: docs/reports.md#csv.
///
/// Every line has the same five fields, so that all tables of a report fit one file: section,
/// table, row (from 1), column and value.
package enum CSVWriter {
  package static func bytes(of report: Report) -> [UInt8] {
    var sheet = CSVSheet()
    sheet.line(head)
    write(report, &sheet)
    return sheet.bytes
  }

  /// The reports as one file; each line begins with the name of its report.
  package static func bytes(of reports: [Report]) -> [UInt8] {
    var sheet = CSVSheet()
    sheet.line(["report"] + head)
    for report in reports {
      sheet.prefix = [report.name.rawValue]
      write(report, &sheet)
    }
    return sheet.bytes
  }

  private static let head = ["section", "table", "row", "column", "value"]

  private static func write(_ report: Report, _ sheet: inout CSVSheet) {
    context(of: report, &sheet)
    figures(report.headline, section: "headline", &sheet)
    findings(report.findings, section: "findings", &sheet)
    for section in report.sections {
      for block in section.blocks { write(block, in: section.id, &sheet) }
    }
  }

  private static func context(of report: Report, _ sheet: inout CSVSheet) {
    let context = report.context
    let values: [(String, Cell)] = [
      ("report", .text(report.name.rawValue)), ("app", .text(context.appName)),
      ("written_at", .instant(context.now)), ("time_zone", .text(context.timeZone)),
      ("start", .instant(context.start)), ("end", .instant(context.end)),
      ("data_at", .optional(report.dataTime.at)), ("profile", .optional(context.scope)),
      ("anonymous", .text("\(context.isAnonymous)")),
    ]
    for (name, cell) in values { sheet.cell(cell, ["frame", "frame", "1"], name) }
  }

  private static func write(_ block: Block, in section: String, _ sheet: inout CSVSheet) {
    switch block {
    case .text, .definitions: break
    case .figures(let figures): self.figures(figures, section: section, &sheet)
    case .table(let table): self.table(table, section, &sheet)
    case .chart(let chart):
      table(chart.table, section, &sheet)
      for mark in chart.markedDays {
        let place = [section, "\(chart.table.id)-marks", "\(mark.number)"]
        sheet.cell(.day(mark.day), place, "day")
        sheet.cell(.text(mark.words), place, "words")
      }
      for (number, day) in chart.expected.enumerated() {
        let place = [section, "\(chart.table.id)-expected", "\(number + 1)"]
        sheet.cell(.day(day.day), place, "day")
        sheet.value(.decimal(day.range.lowerBound), place, "low")
        sheet.value(.decimal(day.range.upperBound), place, "high")
        sheet.value(.integer(day.comparedDays), place, "days")
      }
    case .findings(let findings): self.findings(findings, section: section, &sheet)
    case .feedback(let list): feedback(list, section, &sheet)
    case .popups(let gallery): popups(gallery, section, &sheet)
    case .contents(let links): contents(links, section, &sheet)
    }
  }

  private static func table(_ table: Table, _ section: String, _ sheet: inout CSVSheet) {
    for (number, row) in table.rows.enumerated() {
      let place = [section, table.id, "\(number + 1)"]
      for (column, cell) in zip(table.columns, row.cells) { sheet.cell(cell, place, column.id) }
      if row.isTotal { sheet.value(.boolean(true), place, "is_total") }
    }
  }

  private static func figures(_ figures: [Figure], section: String, _ sheet: inout CSVSheet) {
    for figure in figures {
      let cells: [(suffix: String, cell: Cell?)] = [
        ("", figure.value), (".share", figure.share.map(Cell.ratio)),
        (".change", figure.change.map(Cell.change)),
        (".change_note", figure.changeNote.map(Cell.text)),
        (".expected", figure.expected.map { .text($0.words) }),
        (".trend", figure.trend.map(Cell.trend)),
      ]
      for (suffix, cell) in cells {
        if let cell { sheet.cell(cell, [section, "figures", "1"], figure.id + suffix) }
      }
    }
  }

  private static func findings(_ findings: [Finding], section: String, _ sheet: inout CSVSheet) {
    for (number, finding) in findings.enumerated() {
      let place = [section, "findings", "\(number + 1)"]
      sheet.cell(.text(finding.level.rawValue), place, "level")
      sheet.cell(.text(finding.sentence), place, "sentence")
      sheet.cell(.text(finding.id), place, "id")
      for (index, evidence) in finding.evidence.enumerated() {
        write(evidence, "evidence.\(index + 1)", place, &sheet)
      }
      for (index, quote) in finding.quotes.enumerated() {
        sheet.cell(.text(quote), place, "quotes.\(index + 1)")
      }
      if let advice = finding.advice { sheet.cell(.text(advice), place, "advice") }
    }
  }

  private static func write(
    _ evidence: Evidence, _ column: String, _ place: [String], _ sheet: inout CSVSheet
  ) {
    sheet.cell(.text(evidence.label), place, "\(column).label")
    sheet.value(.decimal(evidence.value), place, "\(column).value")
    sheet.cell(.text(evidence.unit.rawValue), place, "\(column).unit")
    if let currency = evidence.currency {
      sheet.cell(.text(currency), place, "\(column).currency")
    }
    guard let expected = evidence.expected else { return }
    sheet.value(.decimal(expected.lowerBound), place, "\(column).expected.low")
    sheet.value(.decimal(expected.upperBound), place, "\(column).expected.high")
    guard let days = evidence.comparedDays else { return }
    sheet.value(.integer(days), place, "\(column).expected.days")
  }

  private static func feedback(
    _ list: FeedbackList, _ section: String, _ sheet: inout CSVSheet
  ) {
    for (number, entry) in list.entries.enumerated() {
      let place = [section, list.id, "\(number + 1)"]
      for (name, cell) in entry.fields {
        if let cell { sheet.cell(cell, place, name) }
      }
    }
  }

  private static func popups(
    _ gallery: PopupGallery, _ section: String, _ sheet: inout CSVSheet
  ) {
    for (number, preview) in gallery.previews.enumerated() {
      for part in preview.parts {
        sheet.value(part.value, [section, gallery.id, "\(number + 1)"], part.name ?? "value")
      }
    }
  }

  private static func contents(
    _ links: [PageLink], _ section: String, _ sheet: inout CSVSheet
  ) {
    for (number, link) in links.enumerated() {
      let place = [section, "reports", "\(number + 1)"]
      sheet.cell(.text(link.report.rawValue), place, "report")
      sheet.cell(.text(link.summary), place, "summary")
      sheet.cell(.optional(link.dataTime.at), place, "data_at")
    }
  }
}

/// Feedback as CSV by RFC 4180, one entry a line: docs/ratings.md#feedback.
package enum FeedbackCSV {
  package static let head = CSVLine.bytes(of: [
    "written_at", "stars", "text", "user_id", "gender", "country", "app_version", "state",
    "document", "origin",
  ])

  package static func line(of entry: RatingsData.FeedbackEntry) -> [UInt8] {
    let feedback = entry.feedback
    let fields: [JSONNode] = [
      .text(Instant(unixSeconds: feedback.timestamp).iso8601), .integer(feedback.stars),
      .text(feedback.text), .text(feedback.userId), .text(feedback.gender),
      .text(feedback.country), .text(feedback.appVersion), .text(entry.state?.rawValue ?? ""),
      .text(entry.remoteName ?? ""), .text(entry.origin.rawValue),
    ]
    return CSVLine.bytes(of: fields.map(CSVSheet.text))
  }
}

/// Lines of quoted fields by RFC 4180, in UTF-8.
struct CSVSheet {
  private(set) var bytes: [UInt8]
  /// The first fields of every line with a value.
  var prefix: [String] = []

  init(hasByteOrderMark: Bool = false) {
    bytes = hasByteOrderMark ? [0xEF, 0xBB, 0xBF] : []
  }

  /// Writes each part of a cell in a line; its column is `column.part`.
  mutating func cell(_ cell: Cell, _ place: [String], _ column: String) {
    for field in cell.parts {
      value(field.value, place, field.name.map { "\(column).\($0)" } ?? column)
    }
  }

  mutating func value(_ value: JSONNode, _ place: [String], _ column: String) {
    line(prefix + place + [column, CSVSheet.text(of: value)])
  }

  /// Ends the line with CR LF: RFC 4180, section 2.
  mutating func line(_ fields: [String]) {
    for (position, field) in fields.enumerated() {
      if position > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes.append(contentsOf: CSVSheet.quoted(field).utf8)
    }
    bytes.append(contentsOf: [0x0D, 0x0A])
  }

  static func text(of value: JSONNode) -> String {
    switch value {
    case .text(let text): guarded(VisibleText.of(text))
    case .integer(let number): "\(number)"
    case .decimal(let number):
      number == number.rounded() && abs(number) < 1e15 ? "\(Int(number))" : "\(number)"
    case .boolean(let flag): flag ? "true" : "false"
    case .list(let nodes): "[\(nodes.map(element).joined(separator: ","))]"
    // No cell has members: each part of it has a column.
    case .null, .object: ""
    }
  }

  private static func element(_ node: JSONNode) -> String {
    switch node {
    case .text(let text): VisibleText.of(text).quotedForJSON
    case .null: "null"
    default: text(of: node)
    }
  }

  /// Puts an apostrophe before a text that a spreadsheet would run as a formula.
  ///
  /// Source: OWASP, "CSV Injection". Only for texts, never for our own numbers.
  private static func guarded(_ text: String) -> String {
    guard let first = text.unicodeScalars.first, "=+-@\t\r".unicodeScalars.contains(first) else {
      return text
    }
    return "'" + text
  }

  private static func quoted(_ field: String) -> String {
    let needsQuotes = field.utf8.contains { byte in
      byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == 0x0A || byte == 0x0D
    }
    let space = UInt8(ascii: " ")
    let hasOuterSpace = field.utf8.first == space || field.utf8.last == space
    return needsQuotes || hasOuterSpace ? field.quoted : field
  }
}

extension String {
  /// A text without control characters as JSON has it.
  fileprivate var quotedForJSON: String {
    "\"" + replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }
}

/// One line of any CSV file: fields as they are, without a guard against formulas.
package enum CSVLine {
  /// With CR LF at its end.
  package static func bytes(of fields: [String]) -> [UInt8] {
    var sheet = CSVSheet()
    sheet.line(fields)
    return sheet.bytes
  }
}
