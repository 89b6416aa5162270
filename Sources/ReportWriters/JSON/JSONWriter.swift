import Model
package import Reports
import Store

/// A report as JSON: every row, numbers as numbers, instants in UTC: docs/reports.md#formats.
package enum JSONWriter {
  package static func bytes(of report: Report) throws(ReportWriterError) -> [UInt8] {
    try JSONFile.bytes(of: report.json, named: report.name.rawValue)
  }

  /// The reports as one object with an array `reports`.
  package static func bytes(of reports: [Report]) throws(ReportWriterError) -> [UInt8] {
    let together: JSONNode = .object([
      "schemaVersion": .integer(ReportSchema.version), "reports": .list(reports.map(\.json)),
    ])
    return try JSONFile.bytes(of: together, named: PageLayout.singleName)
  }
}

/// What needs a person, for programs: docs/findings.md#findingsjson.
package enum FindingsFile {
  package static let name = "findings.json"
  /// Raise the number when a field goes or changes its meaning.
  static let currentSchema = 1

  /// Worst first; the links lead to the pages of the layout.
  static func bytes(of index: Report, in layout: PageLayout) throws(ReportWriterError) -> [UInt8] {
    let context = index.context
    let content: JSONNode = .object([
      "schemaVersion": .integer(currentSchema), "app": .text(context.appName),
      "writtenAt": .instant(context.now), "timeZone": .text(context.timeZone),
      "platform": context.platformJSON, "anonymous": .boolean(context.isAnonymous),
      "findings": .list(index.attention.map { $0.json(in: layout) }),
    ])
    return try JSONFile.bytes(of: content, named: name)
  }
}

/// What a dated copy keeps for comparison: docs/reports.md#history.
extension PastReport {
  /// Takes all reports of one moment, whose copy has the files of the layout; nil without reports.
  package init?(of reports: [Report], in layout: PageLayout = .whole) {
    self.init(of: reports, firstPage: layout.firstPage)
  }

  package func bytes() throws(ReportWriterError) -> [UInt8] {
    try JSONFile.bytes(of: self, named: Self.fileName)
  }
}

extension ReportContext {
  /// `all` when events of all platforms are counted together.
  var platformJSON: JSONNode { .text(platform ?? "all") }

  /// Nil when there are none.
  fileprivate var otherPlatformsJSON: JSONNode? {
    otherPlatforms.isEmpty
      ? nil : .members(otherPlatforms.mapValues { JSONNode.integer($0) })
  }
}

extension Report {
  fileprivate var json: JSONNode {
    .object([
      "schemaVersion": .integer(ReportSchema.version), "report": .text(name.rawValue),
      "title": .text(title), "summary": .text(summary), "frame": frame,
      "dataTime": .members([
        "label": .text(dataTime.label), "at": dataTime.at.map(JSONNode.instant),
      ]),
      "figures": .list(headline.map { $0.json() }),
      "findings": .list(findings.map { $0.json() }),
      "sections": .list(
        sections.map { section in
          .object([
            "id": .text(section.id), "title": .text(section.title), "lead": .text(section.lead),
            "blocks": .list(section.blocks.map(\.json)),
          ])
        }),
    ])
  }

  /// The previous span is the one that changes compare with; `profile` is missing for everybody.
  private var frame: JSONNode {
    let previous = context.comparison.main?.previous
    return .members([
      "app": .text(context.appName), "writtenAt": .instant(context.now),
      "timeZone": .text(context.timeZone), "platform": context.platformJSON,
      "otherPlatforms": context.otherPlatformsJSON, "start": .instant(context.start),
      "end": .instant(context.end), "previousStart": (previous?.lowerBound).map(JSONNode.instant),
      "previousEnd": (previous?.upperBound).map(JSONNode.instant),
      "profile": context.scope.map(JSONNode.text), "anonymous": .boolean(context.isAnonymous),
    ])
  }
}

extension Block {
  /// An object whose `kind` decides its other members.
  fileprivate var json: JSONNode {
    switch self {
    case .text(let text): .object(["kind": "text", "text": .text(text)])
    case .figures(let figures):
      .object(["kind": "figures", "figures": .list(figures.map { $0.json() })])
    case .table(let table): .object(["kind": "table", "table": table.json])
    case .chart(let chart):
      .object([
        "kind": "chart", "form": .text(chart.form.name), "unit": .text(chart.unit),
        "alternative": .text(chart.alternative), "table": chart.table.json,
        "marks": .list(
          chart.markedDays.map {
            .object(["day": .text($0.day.iso8601), "words": .text($0.words)])
          }),
        "expected": .list(
          chart.expected.map {
            .object([
              "day": .text($0.day.iso8601), "low": .decimal($0.range.lowerBound),
              "high": .decimal($0.range.upperBound), "days": .integer($0.comparedDays),
            ])
          }),
      ])
    case .definitions(let definitions):
      .object([
        "kind": "definitions",
        "definitions": .list(
          definitions.map { .object(["term": .text($0.term), "meaning": .text($0.meaning)]) }),
      ])
    case .findings(let findings):
      .object(["kind": "findings", "findings": .list(findings.map { $0.json() })])
    case .feedback(let list):
      .object(["kind": "feedback", "entries": .list(list.entries.map(\.json))])
    case .popups(let gallery):
      .object([
        "kind": "popups", "id": .text(gallery.id), "title": .text(gallery.title),
        "popups": .list(gallery.previews.map { JSONNode($0.parts) }),
      ])
    case .contents(let links):
      .object(["kind": "contents", "reports": .list(links.map(\.json))])
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
    case .heatMap: "heat-map"
    }
  }
}

extension Table {
  /// Its columns, and each row as an object keyed by the ids of the columns; `shown` is the number
  /// of rows in HTML and text, `total` that in the workspace.
  fileprivate var json: JSONNode {
    .members([
      "id": .text(id), "title": .text(title), "query": source?.queryJSON,
      "parameters": source?.parametersJSON,
      "columns": .list(
        columns.map { .object(["id": .text($0.id), "title": .text($0.title)]) }),
      "rows": .list(
        rows.map { row in
          var members: [String: JSONNode] = row.isTotal ? ["is_total": .boolean(true)] : [:]
          for (column, cell) in zip(columns, row.cells) {
            members[column.id] = JSONNode(cell.parts)
          }
          return .object(members)
        }),
      "shown": .integer(shownRows.count), "total": .integer(totalCount ?? rows.count),
    ])
  }
}

extension Figure {
  /// With the name of its report for a figure that stands alone.
  func json(withReport: Bool = false) -> JSONNode {
    .members([
      "id": .text(id), "label": .text(label), "value": JSONNode(value.parts),
      "share": share.map { JSONNode(Cell.ratio($0).parts) }, "note": note.map(JSONNode.text),
      "change": change.map { JSONNode($0.parts) }, "changeNote": changeNote.map(JSONNode.text),
      "expected": expected.map {
        .object([
          "low": .decimal($0.low), "high": .decimal($0.high), "days": .integer($0.days),
          "verdict": .text($0.verdict.rawValue),
        ])
      },
      "trend": trend.map { .integers($0) }, "definition": definition.map(JSONNode.text),
      "query": source?.queryJSON,
      "parameters": source?.parametersJSON,
      "report": withReport ? report.map { .text($0.rawValue) } ?? .null : nil,
    ])
  }
}

extension QuerySource {
  /// Its statement; nil when it is left out.
  fileprivate var queryJSON: JSONNode? { sql.map(JSONNode.text) }

  fileprivate var parametersJSON: JSONNode {
    .object(Dictionary(parameters.map { ($0.name, $0.value.json) }) { $1 })
  }
}

extension SQLValue {
  var json: JSONNode {
    switch self {
    case .null: .null
    case .integer(let integer): .integer(Int(integer))
    case .real(let real): real.isFinite ? .decimal(real) : .text("\(real)")
    case .text(let text): .text(text)
    case .blob: .text(literal)
    }
  }
}

extension Finding {
  /// With the place of the section on its page for a layout: `usage.html#days`; without one when
  /// the page is not written.
  func json(in layout: PageLayout? = nil) -> JSONNode {
    .members([
      "id": .text(id), "level": .text(level.rawValue), "sentence": .text(sentence),
      "report": .text(report.rawValue), "section": .text(section),
      "evidence": .list(evidence.map(\.json)), "quotes": .texts(quotes),
      "advice": advice.map(JSONNode.text), "rule": (rule?.rawValue).map(JSONNode.text),
      "since": since.map(JSONNode.text),
      "link": layout.flatMap { $0.fileAddress(of: report, anchor: section) }.map(JSONNode.text),
    ])
  }
}

extension Evidence {
  fileprivate var json: JSONNode {
    .members([
      "label": .text(label), "value": .decimal(value), "unit": .text(unit.rawValue),
      "currency": currency.map(JSONNode.text),
      "expected": expected.map {
        .members([
          "low": .decimal($0.lowerBound), "high": .decimal($0.upperBound),
          "days": comparedDays.map(JSONNode.integer),
        ])
      },
    ])
  }
}

extension UserComment {
  fileprivate var json: JSONNode {
    .members([
      "at": .instant(at), "stars": .integer(stars), "title": title.map(JSONNode.text),
      "text": .text(text), "userId": .text(userId), "gender": .text(gender),
      "country": .text(country), "appVersion": .text(appVersion),
      "origin": (origin?.rawValue).map(JSONNode.text),
      "state": (state?.rawValue).map(JSONNode.text), "id": id.map(JSONNode.text),
      "themes": .texts(themes), "isOpen": isOpen.map(JSONNode.boolean),
    ])
  }
}

extension PageLink {
  fileprivate var json: JSONNode {
    .members([
      "report": .text(report.rawValue), "title": .text(title), "summary": .text(summary),
      "dataAt": dataTime.at.map(JSONNode.instant),
    ])
  }
}

extension JSONNode {
  /// A plain value, or an object when the parts have names.
  init(_ parts: [CellField]) {
    if parts.count == 1, parts[0].name == nil {
      self = parts[0].value
    } else {
      self = .object(
        Dictionary(parts.map { ($0.name ?? "value", $0.value) }) { $1 })
    }
  }

  static func instant(_ instant: Instant) -> JSONNode { .text("\(instant)") }
}

/// The JSON Schemas of the files in JSON: docs/reports/files.md#json-schema.
///
/// They are the files of the manual, compiled into the program.
package enum ReportSchema {
  /// Raise it when a member goes, or means something else; not when one comes.
  package static let version = 1

  /// The text of `docs/report.schema.json`: its objects may have more members than it names.
  package static var text: String {
    String(decoding: PackageResources.report_schema_json, as: UTF8.self)
  }

  /// The text of `docs/findings.schema.json`: its objects are closed, and a member that it does not
  /// name is a fault of the file's writer.
  package static var findingsText: String {
    String(decoding: PackageResources.findings_schema_json, as: UTF8.self)
  }
}
