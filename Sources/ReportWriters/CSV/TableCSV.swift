import Model
package import Reports
import Store

/// Each table of a report as a CSV file of its own: docs/reports/files.md#one-csv-a-table.
///
/// The first line names the columns; a cell of several parts fills a column for each
/// (`blocked.percent`). Files begin with a byte order mark, without which Excel does not read them
/// as UTF-8.
package enum TableCSV {
  /// The folder of the files, in the output folder.
  package static let folder = "tables"

  package struct File: Sendable {
    /// `usage.days.csv`, without a folder.
    package let name: String
    package let bytes: [UInt8]
  }

  static func name(of table: String, in report: Report.Name) -> String {
    "\(report.rawValue).\(table).csv"
  }

  /// Whether a name is that of a table of one of the reports, or of what is told beside it.
  package static func isName(_ name: String) -> Bool {
    let name = name.hasSuffix(metadataSuffix) ? name.dropLast(metadataSuffix.count) : name[...]
    let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    return parts.count == 3 && parts[2] == "csv"
      && Report.Name.pages.map(\.rawValue).contains(parts[0])
      && !parts[1].isEmpty && parts[1].utf8.allSatisfy { WholeWord.isOfWord($0) && $0 < 0x80 }
  }

  /// The tables, lists of texts, figures and findings of a report; a table without rows, too.
  package static func files(of report: Report) -> [File] {
    var files = [
      file("figures", figureRows(of: report), report.name),
      file("findings", findingRows(of: report), report.name),
    ]
    for block in report.sections.flatMap(\.blocks) {
      if let table = block.table {
        files.append(file(table.id, rows(of: table), report.name))
      } else if case .feedback(let list) = block {
        files.append(file(list.id, rows(of: list), report.name))
      }
    }
    return files
  }

  /// Columns in order, and a value for some of them in each row.
  struct Rows {
    var columns: [String]
    var rows: [[String: JSONNode]]
  }

  private static func file(_ id: String, _ rows: Rows, _ report: Report.Name) -> File {
    var sheet = CSVSheet(hasByteOrderMark: true)
    sheet.line(rows.columns)
    for row in rows.rows {
      sheet.line(rows.columns.map { CSVSheet.text(of: row[$0] ?? .null) })
    }
    return File(name: name(of: id, in: report), bytes: sheet.bytes)
  }

  static func rows(of table: Table) -> Rows {
    let hasTotals = table.rows.contains(where: \.isTotal)
    let cells = table.rows.map { row in
      let total = CellField(name: nil, value: .boolean(row.isTotal))
      return zip(table.columns, row.cells).map { (column: $0.id, parts: $1.parts) }
        + (hasTotals ? [(column: "is_total", parts: [total])] : [])
    }
    return joined(cells, columns: table.columns.map(\.id) + (hasTotals ? ["is_total"] : []))
  }

  private static func rows(of list: FeedbackList) -> Rows {
    joined(
      list.entries.map { entry in
        entry.fields.map { (column: $0.name, parts: ($0.cell ?? .missing).parts) }
      }, columns: UserComment.fieldNames)
  }

  /// The columns of cells are those of their parts; one that is empty in every row keeps its name.
  private static func joined(
    _ rows: [[(column: String, parts: [CellField])]], columns: [String]
  ) -> Rows {
    var names: [String: [String]] = [:]
    for (column, parts) in rows.joined() {
      for part in parts where part.name != nil || part.value != .null {
        let name = part.name(in: column)
        if names[column]?.contains(name) != true { names[column, default: []].append(name) }
      }
    }
    return Rows(
      columns: columns.flatMap { names[$0] ?? [$0] },
      rows: rows.map { row in
        row.reduce(into: [:]) { values, cell in
          for part in cell.parts { values[part.name(in: cell.column)] = part.value }
        }
      })
  }

  /// The parts that a figure's value can have, each with a column; the same for every report.
  private static let valueParts = [
    "value", "part", "whole", "percent", "mean", "of", "amount", "currency",
  ]
  private static let figureColumns =
    ["section", "id", "label"] + valueParts + [
      "note", "share.part", "share.whole", "share.percent",
    ]
    + ["change.previous", "change.difference", "change.percent", "trend"]

  /// The figures of the head and of the sections.
  private static func figureRows(of report: Report) -> Rows {
    let ofSections = report.sections.flatMap { section in
      section.blocks.flatMap(\.figures).map { (section.id, $0) }
    }
    let all = report.headline.map { ("headline", $0) } + ofSections
    return Rows(columns: figureColumns, rows: all.map(row))
  }

  private static func row(_ section: String, _ figure: Figure) -> [String: JSONNode] {
    var row: [String: JSONNode] = [
      "section": .text(section), "id": .text(figure.id), "label": .text(figure.label),
    ]
    row["note"] = figure.note.map(JSONNode.text)
    for part in figure.value.parts { row[part.name ?? "value"] = part.value }
    for part in figure.share.map({ Cell.ratio($0).parts }) ?? [] {
      row[part.name(in: "share")] = part.value
    }
    for part in figure.change.map(Cell.change)?.parts ?? [] {
      row[part.name(in: "change")] = part.value
    }
    row["trend"] = figure.trend.map(JSONNode.integers)
    return row
  }

  private static func findingRows(of report: Report) -> Rows {
    Rows(
      columns: ["level", "sentence", "report", "section"],
      rows: (report.findings + report.attention).map { finding in
        [
          "level": .text(finding.level.rawValue), "sentence": .text(finding.sentence),
          "report": .text(finding.report.rawValue), "section": .text(finding.section),
        ]
      })
  }
}

extension UserComment {
  static let fieldNames = [
    "at", "stars", "title", "text", "user_id", "gender", "country", "app_version", "origin",
    "state", "id", "themes", "open",
  ]

  /// Every field by its name in CSV; nil for one that the comment does not have.
  var fields: [(name: String, cell: Cell?)] {
    let cells: [Cell?] = [
      .instant(at), .stars(stars), title.map(Cell.text), .text(text), .code(userId), .text(gender),
      .text(country), .text(appVersion), (origin?.rawValue).map(Cell.text),
      (state?.rawValue).map(Cell.text), id.map(Cell.code),
      themes.isEmpty ? nil : .list(themes), isOpen.map { .text("\($0)") },
    ]
    return Array(zip(Self.fieldNames, cells)).map { (name: $0, cell: $1) }
  }
}
