import Foundation
import Model

/// A report as JSON: every row, numbers as numbers, instants in UTC: docs/reports.md#formats.
package enum JSONWriter {
  package static func bytes(of report: Report) throws(ReportsError) -> [UInt8] {
    try bytes(of: JSONReport(report), named: report.name.rawValue)
  }

  /// The reports as one object with an array `reports`.
  package static func bytes(of reports: [Report]) throws(ReportsError) -> [UInt8] {
    try bytes(of: Together(reports: reports.map(JSONReport.init)), named: PageLayout.singleName)
  }

  private struct Together: Encodable {
    let schemaVersion = ReportSchema.version
    let reports: [JSONReport]
  }

  static func bytes(
    of value: some Encodable, named name: String
  ) throws(ReportsError) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      return escaped(try encoder.encode(value)) + [UInt8(ascii: "\n")]
    } catch {
      throw .notEncodable(page: name, reason: "\(error)")
    }
  }

  /// Escapes scalars that act on a terminal; JSON has them only inside strings.
  private static func escaped(_ data: Data) -> [UInt8] {
    let text = String(decoding: data, as: UTF8.self)
    guard text.unicodeScalars.contains(where: VisibleText.isReplaced) else { return Array(data) }
    var escaped = ""
    for scalar in text.unicodeScalars {
      guard VisibleText.isReplaced(scalar) else {
        escaped.unicodeScalars.append(scalar)
        continue
      }
      for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
        let digits = String(unit, radix: 16)
        escaped += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
    return Array(escaped.utf8)
  }
}

/// A report as JSON.
struct JSONReport: Encodable {
  struct Context: Encodable {
    var app: String
    var writtenAt: Instant
    var timeZone: String
    /// Inclusive.
    var start: Instant
    /// Exclusive.
    var end: Instant
    /// What changes compare with; nil when nothing is compared.
    var previousStart: Instant?
    var previousEnd: Instant?
    /// Nil for everybody.
    var profile: String?
    var anonymous: Bool
  }

  struct DataTime: Encodable {
    var label: String
    var at: Instant?
  }

  struct Section: Encodable {
    var id: String
    var title: String
    var lead: String
    var blocks: [JSONBlock]
  }

  private enum CodingKeys: String, CodingKey {
    case schemaVersion, report, title, summary
    case context = "frame"
    case dataTime, figures, findings, sections
  }

  let schemaVersion = ReportSchema.version
  var report: String
  var title: String
  var summary: String
  var context: Context
  var dataTime: DataTime
  var figures: [JSONFigure]
  var findings: [JSONFinding]
  var sections: [Section]

  init(_ report: Report) {
    self.report = report.name.rawValue
    title = report.title
    summary = report.summary
    context = Context(
      app: report.context.appName, writtenAt: report.context.now, timeZone: report.context.timeZone,
      start: report.context.start, end: report.context.end,
      previousStart: report.context.comparison.main?.previous.lowerBound,
      previousEnd: report.context.comparison.main?.previous.upperBound,
      profile: report.context.scope, anonymous: report.context.isAnonymous)
    dataTime = DataTime(label: report.dataTime.label, at: report.dataTime.at)
    figures = report.headline.map(JSONFigure.init)
    findings = report.findings.map { JSONFinding($0) }
    sections = report.sections.map { section in
      Section(
        id: section.id, title: section.title, lead: section.lead,
        blocks: section.blocks.map(JSONBlock.init))
    }
  }
}

struct JSONFigure: Encodable {
  var id: String
  var label: String
  var value: JSONCell
  var share: JSONCell?
  var note: String?
  var change: JSONCell?
  var changeNote: String?
  var trend: [Int?]?

  init(_ figure: Figure) {
    id = figure.id
    label = figure.label
    value = JSONCell(figure.value.parts)
    share = figure.share.map { JSONCell(Cell.ratio($0).parts) }
    note = figure.note
    change = figure.change.map { JSONCell($0.parts) }
    changeNote = figure.changeNote
    trend = figure.trend
  }
}
