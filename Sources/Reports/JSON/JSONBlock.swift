import Model

/// A block as a JSON object; its `kind` decides its other keys.
struct JSONBlock: Encodable {
  private let block: Block

  init(_ block: Block) {
    self.block = block
  }

  private enum Key: String, CodingKey {
    case kind, text, figures, table, form, unit, alternative, definitions, findings, entries
    case popups, reports, id, title, marks
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(kind, forKey: .kind)
    switch block {
    case .text(let text): try container.encode(text, forKey: .text)
    case .figures(let figures): try container.encode(figures.map(JSONFigure.init), forKey: .figures)
    case .table(let table): try container.encode(JSONTable(table), forKey: .table)
    case .chart(let chart):
      try container.encode(chart.form.name, forKey: .form)
      try container.encode(chart.unit, forKey: .unit)
      try container.encode(chart.alternative, forKey: .alternative)
      try container.encode(chart.markedDays.map(JSONMark.init), forKey: .marks)
      try container.encode(JSONTable(chart.table), forKey: .table)
    case .definitions(let definitions): try container.encode(definitions, forKey: .definitions)
    case .findings(let findings):
      try container.encode(findings.map { JSONFinding($0) }, forKey: .findings)
    case .feedback(let list): try container.encode(list.entries, forKey: .entries)
    case .popups(let gallery):
      try container.encode(gallery.id, forKey: .id)
      try container.encode(gallery.title, forKey: .title)
      try container.encode(gallery.previews.map { JSONCell($0.parts) }, forKey: .popups)
    case .contents(let links): try container.encode(links.map(JSONLink.init), forKey: .reports)
    }
  }

  private var kind: String {
    switch block {
    case .text: "text"
    case .figures: "figures"
    case .table: "table"
    case .chart: "chart"
    case .definitions: "definitions"
    case .findings: "findings"
    case .feedback: "feedback"
    case .popups: "popups"
    case .contents: "contents"
    }
  }
}

extension ChartForm {
  /// The stable name of the form.
  var name: String {
    switch self {
    case .columns: "columns"
    case .line: "line"
    case .bars: "bars"
    case .funnel: "funnel"
    case .heatMap: "heat-map"
    }
  }
}

/// What may explain a change of the counts on a day.
struct JSONMark: Encodable {
  var day: String
  var words: String

  init(_ mark: Chart.MarkedDay) {
    day = mark.day.iso8601
    words = mark.words
  }
}

struct JSONLink: Encodable {
  var report: String
  var title: String
  var summary: String
  var dataAt: Instant?

  init(_ link: PageLink) {
    report = link.report.rawValue
    title = link.title
    summary = link.summary
    dataAt = link.dataTime.at
  }
}
