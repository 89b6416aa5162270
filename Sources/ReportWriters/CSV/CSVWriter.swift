import Model
package import Reports
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
    sheet.write([frame(of: report)], "frame", "frame") { $0 }
    figures(report.headline, "headline", &sheet)
    findings(report.findings, "findings", &sheet)
    for section in report.sections {
      for block in section.blocks { write(block, section.id, &sheet) }
    }
  }

  private static func frame(of report: Report) -> CSVSheet.Fields {
    let context = report.context
    return [
      ("report", .text(report.name.rawValue)), ("app", .text(context.appName)),
      ("written_at", .text(context.now.iso8601)), ("time_zone", .text(context.timeZone)),
      ("platform", .text(context.platform ?? "all")),
      ("start", .text(context.start.iso8601)), ("end", .text(context.end.iso8601)),
      ("data_at", .optional(report.dataTime.at?.iso8601)), ("profile", .optional(context.scope)),
      ("anonymous", .text("\(context.isAnonymous)")),
    ]
  }

  private static func write(_ block: Block, _ section: String, _ sheet: inout CSVSheet) {
    switch block {
    case .text, .definitions: break
    case .figures(let figures): self.figures(figures, section, &sheet)
    case .table(let table): self.table(table, section, &sheet)
    case .chart(let chart):
      table(chart.table, section, &sheet)
      sheet.write(chart.markedDays, section, "\(chart.table.id)-marks") {
        [("day", .text($0.day.iso8601)), ("words", .text($0.words))]
      }
      sheet.write(chart.expected, section, "\(chart.table.id)-expected") {
        [
          ("day", .text($0.day.iso8601)), ("low", .decimal($0.range.lowerBound)),
          ("high", .decimal($0.range.upperBound)), ("days", .integer($0.comparedDays)),
        ]
      }
    case .findings(let findings): self.findings(findings, section, &sheet)
    case .feedback(let list):
      sheet.write(list.entries, section, list.id) { entry in
        entry.fields.flatMap { $0.cell?.fields(in: $0.name) ?? [] }
      }
    case .popups(let gallery):
      sheet.write(gallery.previews, section, gallery.id) { preview in
        preview.parts.map { ($0.name ?? "value", $0.value) }
      }
    case .contents(let links):
      sheet.write(links, section, "reports") {
        [
          ("report", .text($0.report.rawValue)), ("summary", .text($0.summary)),
          ("data_at", .optional($0.dataTime.at?.iso8601)),
        ]
      }
    }
  }

  private static func table(_ table: Table, _ section: String, _ sheet: inout CSVSheet) {
    sheet.write(table.rows, section, table.id) { row in
      zip(table.columns, row.cells).flatMap { $1.fields(in: $0.id) }
        + [("is_total", row.isTotal ? .boolean(true) : nil)]
    }
  }

  private static func figures(_ figures: [Figure], _ section: String, _ sheet: inout CSVSheet) {
    sheet.write([figures], section, "figures") { figures in
      figures.flatMap { figure -> CSVSheet.Fields in
        let cells: [(suffix: String, cell: Cell?)] = [
          ("", figure.value), (".share", figure.share.map(Cell.ratio)),
          (".change", figure.change.map(Cell.change)),
          (".change_note", figure.changeNote.map(Cell.text)),
          (".expected", figure.expected.map { .text($0.words) }),
          (".trend", figure.trend.map(Cell.trend)),
        ]
        return cells.flatMap { $0.cell?.fields(in: figure.id + $0.suffix) ?? [] }
      }
    }
  }

  private static func findings(_ findings: [Finding], _ section: String, _ sheet: inout CSVSheet) {
    sheet.write(findings, section, "findings") { finding in
      let evidence = finding.evidence.enumerated().flatMap { index, evidence in
        fields(of: evidence).map { ("evidence.\(index + 1).\($0.column)", $0.value) }
      }
      let quotes: CSVSheet.Fields = finding.quotes.enumerated().map {
        ("quotes.\($0 + 1)", .text($1))
      }
      return [
        ("level", .text(finding.level.rawValue)), ("sentence", .text(finding.sentence)),
        ("id", .text(finding.id)),
      ] + evidence + quotes + [("advice", finding.advice.map(JSONNode.text))]
    }
  }

  private static func fields(of evidence: Evidence) -> CSVSheet.Fields {
    let expected = evidence.expected
    return [
      ("label", .text(evidence.label)), ("value", .decimal(evidence.value)),
      ("unit", .text(evidence.unit.rawValue)),
      ("currency", evidence.currency.map(JSONNode.text)),
      ("expected.low", expected.map { .decimal($0.lowerBound) }),
      ("expected.high", expected.map { .decimal($0.upperBound) }),
      ("expected.days", expected.flatMap { _ in evidence.comparedDays.map(JSONNode.integer) }),
    ]
  }
}

extension Cell {
  /// Each part in a column of its own: `blocked.percent`.
  fileprivate func fields(in column: String) -> CSVSheet.Fields {
    parts.map { ($0.name(in: column), $0.value) }
  }
}

extension CellField {
  /// The column of the part of a cell.
  func name(in column: String) -> String { name.map { "\(column).\($0)" } ?? column }
}

/// Feedback as CSV by RFC 4180, one entry a line: docs/ratings.md#feedback.
package enum FeedbackCSV {
  /// The beginning of the file: a byte order mark, for spreadsheets, and the names.
  package static let head =
    CSVSheet(hasByteOrderMark: true).bytes
    + CSVLine.bytes(of: [
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

  /// What is known of a record, in the order of the columns; nil for what it does not have.
  typealias Fields = [(column: String, value: JSONNode?)]

  /// Writes each field of each record in a line, with the number of the record, from 1.
  mutating func write<Record>(
    _ records: [Record], _ section: String, _ table: String, _ fields: (Record) -> Fields
  ) {
    for (number, record) in records.enumerated() {
      for (column, value) in fields(record) {
        guard let value else { continue }
        line(prefix + [section, table, "\(number + 1)", column, CSVSheet.text(of: value)])
      }
    }
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
    guard let first = text.unicodeScalars.first, formulaStarts.contains(first) else { return text }
    return "'" + text
  }

  /// Also in full width, which spreadsheets read as the same.
  private static let formulaStarts = Set("=+-@\t\r\n＝＋－＠".unicodeScalars)

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
    "\"" + replacingScalars("\\", with: "\\\\").replacingScalars("\"", with: "\\\"") + "\""
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
