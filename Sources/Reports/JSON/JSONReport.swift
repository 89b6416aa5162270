import Model

/// The shape of a report in JSON.
struct JSONReport: Encodable {
  struct Frame: Encodable {
    var app: String
    var writtenAt: Instant
    var timeZone: String
    /// Inclusive.
    var start: Instant
    /// Exclusive.
    var end: Instant
    var previousStart: Instant
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

  var report: String
  var title: String
  var summary: String
  var frame: Frame
  var dataTime: DataTime
  var figures: [JSONFigure]
  var findings: [JSONFinding]
  var sections: [Section]

  init(_ report: Report) {
    self.report = report.name.rawValue
    title = report.title
    summary = report.summary
    frame = Frame(
      app: report.frame.appName, writtenAt: report.frame.now, timeZone: report.frame.timeZone,
      start: report.frame.start, end: report.frame.end, previousStart: report.frame.previousStart,
      profile: report.frame.scope, anonymous: report.frame.isAnonymous)
    dataTime = DataTime(label: report.dataTime.label, at: report.dataTime.at)
    figures = report.headline.map(JSONFigure.init)
    findings = report.findings.map(JSONFinding.init)
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
  var trend: [Int]?

  init(_ figure: Figure) {
    id = figure.id
    label = figure.label
    value = JSONCell(figure.value.fields)
    share = figure.share.map { JSONCell(Cell.ratio($0).fields) }
    note = figure.note
    change = figure.change.map { JSONCell($0.fields) }
    trend = figure.trend
  }
}

struct JSONFinding: Encodable {
  var level: String
  var sentence: String
  var report: String
  var section: String

  init(_ finding: Finding) {
    level = finding.level.rawValue
    sentence = finding.sentence
    report = finding.report.rawValue
    section = finding.section
  }
}
