import Foundation
import Model
import ReportsTesting
import Testing

@testable import ReportWriters
@testable import Reports

/// The four formats carry the same numbers: docs/reports.md#formats.
@Suite struct AgreementTests {
  private let reports = SampleReports.reports()

  private func words(_ report: Report) -> CellWords {
    CellWords(time: TimeWords(context: report.context))
  }

  private func tables(of report: Report) -> [(section: String, table: Table)] {
    report.sections.flatMap { section in
      section.blocks.compactMap { block in
        switch block {
        case .table(let table): (section.id, table)
        case .chart(let chart): (section.id, chart.table)
        default: nil
        }
      }
    }
  }

  @Test func `the sample has every kind of cell, so that the checks below see them all`() {
    let names = Set(
      reports.flatMap(\.shownCells).map { cell in "\(cell)".prefix { $0 != "(" } })
    #expect(
      names == [
        "text", "code", "count", "ratio", "mean", "pointError", "change", "seconds", "money", "day",
        "instant",
        "level", "stars", "countdown", "trend", "missing", "place", "excerpt", "rate", "points",
      ])
  }

  @Test func `each shown cell stands in the same row and column of the page's table`() throws {
    for report in reports {
      let root = try #require(HTMLNode(parsing: try HTMLWriter.bytes(of: report)))
      let expected = tables(of: report).map(\.table).filter { !$0.rows.isEmpty }
      let found = root.all("table")
      try #require(found.count == expected.count, "\(report.name)")
      for (table, node) in zip(expected, found) {
        let rows = node.all("tr").dropFirst().map { $0.children.map(\.text) }
        #expect(rows == table.shownRows.map { $0.cells.map { html($0, words(report)) } })
      }
    }
  }

  private func html(_ cell: Cell, _ words: CellWords) -> String {
    switch cell {
    case .level(let level, let text): level.sign + text
    // What a narrow page unfolds it by comes first.
    case .excerpt(let text): "Words" + text
    default: words.words(cell)
    }
  }

  @Test func `each shown number follows the one before it in the text report`() throws {
    for report in reports {
      let text = String(decoding: TextWriter.bytes(of: report), as: UTF8.self)
      var rest = text[...]
      for (_, table) in tables(of: report) where !table.rows.isEmpty {
        let title = try #require(rest.range(of: table.title), "\(report.name) \(table.title)")
        rest = rest[title.upperBound...]
        let parts = TextBlock(words: words(report), report: report.name, layout: .whole)
          .parts(of: table)
        for cell in parts.flatMap(\.shownRows).flatMap(\.cells) where isNumber(cell) {
          let word = words(report).words(cell)
          let place = try #require(rest.range(of: word), "\(report.name) \(table.id): \(word)")
          rest = rest[place.upperBound...]
        }
      }
    }
  }

  /// Texts may be cut, and trends follow their table; all other cells must be there whole.
  private func isNumber(_ cell: Cell) -> Bool {
    switch cell {
    case .text, .code, .trend, .level, .place, .excerpt: false
    default: true
    }
  }

  @Test func `a trend's numbers follow its table in the text report`() {
    for report in reports {
      let text = String(decoding: TextWriter.bytes(of: report), as: UTF8.self)
      let joined = text.replacing("\n", with: " ").replacing("  ", with: " ")
      for case .trend(let counts) in report.shownCells {
        let numbers = counts.map { $0.map(NumberWords.grouped) ?? "–" }.joined(separator: " ")
        #expect(joined.contains(numbers), "\(report.name)")
      }
    }
  }

  @Test func `each cell, shown or not, is in JSON under its row and column`() throws {
    for report in reports {
      let data = Data(try JSONWriter.bytes(of: report))
      let root = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
      let sections = try #require(root["sections"] as? [[String: Any]])
      let found = sections.flatMap { $0["blocks"] as? [[String: Any]] ?? [] }
        .compactMap { $0["table"] as? [String: Any] }
      let expected = tables(of: report).map(\.table)
      try #require(found.count == expected.count)
      for (table, object) in zip(expected, found) { try compare(table, object) }
    }
  }

  private func compare(_ table: Table, _ object: [String: Any]) throws {
    let rows = try #require(object["rows"] as? [[String: Any]])
    try #require(rows.count == table.rows.count)
    for (row, object) in zip(table.rows, rows) {
      for (column, cell) in zip(table.columns, row.cells) {
        for field in cell.parts {
          let value = object[column.id]
          let part = field.name.map { (value as? [String: Any])?[$0] } ?? value
          #expect(field.value.equals(part), "\(table.id) \(column.id): \(field)")
        }
      }
    }
  }

  @Test
  func `each cell, shown or not, is in CSV under its section, table, row and column`() throws {
    for report in reports {
      var values: [[String]: String] = [:]
      for record in try CSVReader.records(of: CSVWriter.bytes(of: report)) {
        values[Array(record.dropLast())] = record.last
      }
      for (section, table) in tables(of: report) {
        for (number, row) in table.rows.enumerated() {
          for (column, cell) in zip(table.columns, row.cells) {
            for field in cell.parts {
              let name = field.name.map { "\(column.id).\($0)" } ?? column.id
              let found = values[[section, table.id, "\(number + 1)", name]]
              #expect(found == field.value.csv, "\(report.name) \(table.id) \(name)")
            }
          }
        }
      }
    }
  }

  @Test
  func `each figure is in all four formats with its value, its share and its change`() throws {
    for report in reports {
      let html = try #require(HTMLNode(parsing: try HTMLWriter.bytes(of: report))).text
      let text = String(decoding: TextWriter.bytes(of: report), as: UTF8.self)
      let csv = try CSVReader.records(of: CSVWriter.bytes(of: report)).map { $0.last ?? "" }
      for figure in report.headline {
        let words = words(report)
        #expect(text.contains(words.words(figure.value)), "\(figure.id)")
        if case .ratio(let ratio) = figure.value {
          #expect(html.contains(NumberWords.percent(ratio.percent)))
          #expect(csv.contains("\(ratio.part)"))
        } else {
          #expect(html.contains(words.words(figure.value)), "\(figure.id)")
        }
        for part in [figure.share.map(words.words), figure.change.map(words.words)] {
          guard let part else { continue }
          #expect(html.contains(part) && text.contains(part), "\(figure.id): \(part)")
        }
      }
    }
  }
}
