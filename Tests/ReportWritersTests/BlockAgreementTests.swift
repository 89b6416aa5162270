import Foundation
import Model
import ReportsTesting
import Testing

@testable import ReportWriters
@testable import Reports

/// Figures, findings, feedback and links are in all four formats, too.
@Suite struct BlockAgreementTests {
  private let reports = SampleReports.reports()

  private struct Forms {
    let html: HTMLNode
    /// The text report, with every run of spaces and line feeds as one space.
    let text: String
    let json: [String: Any]
    let csv: [[String]: String]

    init(_ report: Report) throws {
      html = try #require(HTMLNode(parsing: try HTMLWriter.bytes(of: report)))
      text = String(decoding: TextWriter.bytes(of: report), as: UTF8.self)
        .split(whereSeparator: \.isWhitespace).joined(separator: " ")
      let data = Data(try JSONWriter.bytes(of: report))
      json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
      var values: [[String]: String] = [:]
      for record in try CSVReader.records(of: CSVWriter.bytes(of: report)) {
        values[Array(record.dropLast())] = record.last
      }
      csv = values
    }

    /// The objects under a key of the blocks of a kind, in order.
    func objects(_ kind: String, _ key: String) -> [[String: Any]] {
      let sections = json["sections"] as? [[String: Any]] ?? []
      return sections.flatMap { $0["blocks"] as? [[String: Any]] ?? [] }
        .filter { $0["kind"] as? String == kind }.flatMap { $0[key] as? [[String: Any]] ?? [] }
    }
  }

  /// Figures with the section that CSV names for them, the headline first.
  private func figures(of report: Report) -> [(section: String, figure: Figure)] {
    report.headline.map { ("headline", $0) }
      + report.sections.flatMap { section in
        section.blocks.flatMap { block -> [Figure] in
          guard case .figures(let figures) = block else { return [] }
          return figures
        }.map { (section.id, $0) }
      }
  }

  private func equals(_ datum: JSONNode, _ value: Any?) -> Bool {
    datum == .null && value == nil || datum.equals(value)
  }

  /// The parts of a figure: its value, its share, its change, each with its name in JSON and CSV.
  private func parts(_ figure: Figure) -> [(json: String, csv: String, cell: Cell)] {
    var parts = [(json: "value", csv: figure.id, cell: figure.value)]
    if let share = figure.share {
      parts.append((json: "share", csv: "\(figure.id).share", cell: .ratio(share)))
    }
    if let change = figure.change {
      parts.append((json: "change", csv: "\(figure.id).change", cell: .change(change)))
    }
    return parts
  }

  @Test func `the sample has figures in headlines with shares and with changes`() {
    let all = reports.flatMap(figures)
    #expect(all.contains { $0.figure.share != nil } && all.contains { $0.figure.change != nil })
    #expect(all.count > 20)
  }

  @Test func `each figure has the same value, share and change in JSON and CSV`() throws {
    for report in reports {
      let forms = try Forms(report)
      let found =
        (forms.json["figures"] as? [[String: Any]] ?? []) + forms.objects("figures", "figures")
      let expected = figures(of: report)
      try #require(found.map { $0["id"] as? String } == expected.map(\.figure.id))
      for ((section, figure), object) in zip(expected, found) {
        for part in parts(figure) {
          for field in part.cell.parts {
            let value = object[part.json]
            let json = field.name.map { (value as? [String: Any])?[$0] } ?? value
            #expect(equals(field.value, json), "\(report.name) \(figure.id) \(part.json)")
            let name = field.name.map { "\(part.csv).\($0)" } ?? part.csv
            #expect(
              forms.csv[[section, "figures", "1", name]] == field.value.csv,
              "\(report.name) \(name)")
          }
        }
      }
    }
  }

  @Test
  func `each figure stands in its order on page and text, with every number of its parts`() throws {
    for report in reports {
      let forms = try Forms(report)
      let words = CellWords(time: TimeWords(context: report.context))
      let lists = forms.html.all("dl").filter {
        $0.attributes["class"]?.hasPrefix("figures of-") == true
      }
      let nodes = lists.flatMap(\.children)
      let expected = figures(of: report).map(\.figure)
      try #require(nodes.map { $0.children.first?.text } == expected.map(\.label))
      var rest = forms.text[...]
      for (figure, node) in zip(expected, nodes) {
        let label = try #require(rest.range(of: figure.label), "\(report.name) \(figure.label)")
        rest = rest[label.upperBound...]
        for part in parts(figure) {
          let shown = words.words(part.cell)
          #expect(rest.contains(shown), "\(figure.id): \(shown)")
          for number in shown.matches(of: /\d[\d,.:]*/) {
            #expect(node.text.contains(number.output), "\(figure.id): \(shown) in \(node.text)")
          }
        }
      }
    }
  }

  @Test func `each finding is in all four formats, with its level`() throws {
    for report in reports where !report.findings.isEmpty {
      let forms = try Forms(report)
      let found = forms.json["findings"] as? [[String: Any]] ?? []
      try #require(found.count == report.findings.count)
      for (number, finding) in report.findings.enumerated() {
        #expect(found[number]["sentence"] as? String == finding.sentence)
        #expect(found[number]["level"] as? String == finding.level.rawValue)
        let place = ["findings", "findings", "\(number + 1)"]
        #expect(forms.csv[place + ["sentence"]] == finding.sentence)
        #expect(forms.csv[place + ["level"]] == finding.level.rawValue)
        guard report.name != .index else { continue }
        #expect(forms.html.text.contains(finding.sentence))
        #expect(
          forms.text.contains("\(finding.level.sign) \(finding.level.word): \(finding.sentence)"))
      }
    }
  }

  @Test func `each feedback text is in all four formats with its stars, time and writer`() throws {
    let report = try #require(reports.first { $0.name == .ratings })
    let forms = try Forms(report)
    let words = CellWords(time: TimeWords(context: report.context))
    let found = forms.objects("feedback", "entries")
    let lists = report.sections.flatMap { section in
      section.blocks.compactMap { block -> (section: String, list: FeedbackList)? in
        guard case .feedback(let list) = block else { return nil }
        return (section.id, list)
      }
    }
    let entries = lists.flatMap { section, list in
      list.entries.enumerated().map { (place: [section, list.id, "\($0 + 1)"], entry: $1) }
    }
    try #require(lists.count == 2 && found.count == entries.count)
    for (found, (place, entry)) in zip(found, entries) {
      #expect(found["text"] as? String == entry.text)
      #expect(found["stars"] as? Int == entry.stars)
      #expect(forms.csv[place + ["text"]] == entry.text)
      #expect(forms.csv[place + ["at"]] == entry.at.iso8601)
      #expect(forms.csv[place + ["user_id"]] == entry.userId)
      for part in [entry.text, entry.country, entry.userId, words.words(.instant(entry.at))] {
        #expect(forms.html.text.contains(part) && forms.text.contains(part), "\(part)")
      }
    }
  }
}
