package import Model

/// One report as a value, in the order of reading; all four formats write it.
package struct Report: Sendable {
  /// A report's kebab-case name: its file name, its place in links, `report NAME` on the command
  /// line.
  package enum Name: String, CaseIterable, Codable, Sendable {
    case index, usage, money, limits, popups, ratings, users, runs
    /// The figures that the reader's own queries count; only with such a query.
    case own
    /// A list of every section of the other pages, to look for words in.
    case search
    /// The list of past reports, in the folder `history`; the page above all workspaces.
    case history, overview

    /// The index, the five reports with the money and the popups of two of them, the reader's own
    /// figures, and the list of their sections, in the order of reading.
    package static let pages: [Name] = [
      .index, .usage, .money, .limits, .popups, .ratings, .users, .runs, .own, .search,
    ]

    /// The pages that every workspace has.
    package static let shipped = pages.filter { $0 != .own }

    /// The pages that queries can be placed on: the index is one screen, and lists are of
    /// themselves.
    package static let placeable = pages.filter { $0 != .index && $0 != .search }
  }

  /// The time of the newest data in the report, and what that data is.
  package struct DataTime: Hashable, Sendable {
    /// For example "Newest event".
    package var label: String
    /// Nil without data.
    package var at: Instant?
  }

  package var name: Name
  package var title: String
  package var context: ReportContext
  package var dataTime: DataTime
  /// One or two sentences about what the report shows.
  package var summary: String
  /// The figures at the top of the page; the index repeats some of them.
  package var headline: [Figure] = []
  /// What needs a person, worst first; the index lists the findings of all reports.
  package var findings: [Finding] = []
  package var sections: [Section]
  /// On the index: the findings of all reports, worst first; empty on other reports.
  package var attention: [Finding] = []
  /// What is found and was acknowledged, worst first; the index lists that of all reports.
  package var acknowledged: [AcknowledgedFinding] = []
  /// On the index: what cannot be judged, in sentences; nil when all can, and on other reports.
  package var unjudged: String?
  /// On the index: what queries say of money, a sentence each; empty on other reports.
  package var moneySentences: [String] = []
}

/// A part of a report with a title; findings link to it.
package struct Section: Sendable {
  /// Kebab-case, unique in its report.
  package var id: String
  package var title: String
  /// One or two sentences about what the section shows.
  package var lead: String
  package var blocks: [Block] = []

  /// Leaves out the title of the only table, if the section has the same; one that is folded needs
  /// it.
  mutating func hideRepeatedTitle() {
    let places = blocks.indices.filter { blocks[$0].table != nil }
    guard places.count == 1, let place = places.first, let table = blocks[place].table,
      table.title == title, !table.isFolded
    else { return }
    switch blocks[place] {
    case .table(var table):
      table.isTitled = false
      blocks[place] = .table(table)
    case .chart(var chart):
      chart.table.isTitled = false
      blocks[place] = .chart(chart)
    default: break
    }
  }
}

extension Report {
  /// The figures at the top of the page, then those of its sections.
  var figures: [Figure] {
    headline + sections.flatMap(\.blocks).flatMap(\.figures)
  }

  /// Every cell that HTML and text show, in the order of reading.
  package var shownCells: [Cell] {
    headline.flatMap(\.cells) + sections.flatMap { $0.blocks.flatMap(\.shownCells) }
  }

  /// Whether a cell has the mark of small counts, which the page then explains.
  var hasMarkedCells: Bool { shownCells.contains(where: CellWords.isMarked) }
}

extension Figure {
  /// The value, and the share and the change if it has them.
  var cells: [Cell] {
    [value] + [share.map(Cell.ratio), change.map(Cell.change)].compactMap(\.self)
  }
}

/// A piece of a section.
package enum Block: Sendable {
  case text(String)
  case figures([Figure])
  case table(Table)
  case chart(Chart)
  case definitions([Definition])
  case findings([Finding])
  case feedback(FeedbackList)
  case popups(PopupGallery)
  case contents([PageLink])
}

/// A term of the report and its meaning.
package struct Definition: Hashable, Sendable {
  package var term: String
  package var meaning: String

  package init(_ term: String, _ meaning: String) {
    self.term = term
    self.meaning = meaning
  }
}

/// A link to another report, with its summary.
package struct PageLink: Hashable, Sendable {
  package var report: Report.Name
  package var title: String
  package var summary: String
  package var dataTime: Report.DataTime
}

extension Block {
  /// The table, or that of the chart; nil for other blocks.
  var table: Table? {
    switch self {
    case .table(let table): table
    case .chart(let chart): chart.table
    default: nil
    }
  }

  /// Nil for other blocks.
  var chart: Chart? { if case .chart(let chart) = self { chart } else { nil } }

  /// Empty for other blocks.
  var figures: [Figure] { if case .figures(let figures) = self { figures } else { [] } }

  var isGallery: Bool { if case .popups = self { true } else { false } }

  /// Whether the block also uses the margin beside it: popups, and tables of nine columns or more.
  var isWide: Bool {
    if case .table(let table) = self { table.columns.count >= 9 } else { isGallery }
  }

  /// Every cell of the block that HTML and text show.
  var shownCells: [Cell] {
    switch self {
    case .figures(let figures): figures.flatMap(\.cells)
    case .table(let table): table.shownRows.flatMap(\.cells)
    case .chart(let chart): chart.table.shownRows.flatMap(\.cells)
    case .feedback(let list): list.shownEntries.map { .stars($0.stars) }
    case .text, .definitions, .findings, .popups, .contents: []
    }
  }
}

/// A sentence about something that a person should know, what supports it, and what to do.
package struct Finding: Hashable, Sendable {
  package var level: Level
  /// What changed.
  package var sentence: String
  package var report: Report.Name
  /// The id of a section of that report.
  package var section: String
  /// What identifies the finding while the numbers in its sentence change.
  ///
  /// Unique in its report; nil when the sentence never changes.
  package var subject: String?
  /// The rule that found it; nil for what no rule of findings is about, such as a job in trouble.
  package var rule: FindingRule?
  /// The day with which it began, as `2026-11-20` in the time zone of the report; nil when it has
  /// no first day.
  package var since: String?
  package var evidence: [Evidence]
  /// What people wrote about it, newest first.
  package var quotes: [String]
  /// What to do next, as a sentence; nil when the sentence of the finding says it.
  package var advice: String?
  /// Orders the findings of one level, the largest first.
  package var weight: Double
  /// What `findings --explain` shows: the shares that were out, the surest first, and the sentences
  /// of findings that this one explains, in the order in which they were left out.
  package var judgements: [Judgement] = []
  package var explained: [String] = []

  /// A share of people as it was judged: docs/shares.md#when-a-share-is-out.
  package struct Judgement: Hashable, Sendable {
    package let label: String
    package let dayCount: Int
    package let count: Int
    package let whole: Int
    /// The share that was expected, from 0 to 1.
    package let expected: Double
    package let probability: Double
  }

  package init(
    _ level: Level, _ sentence: String, report: Report.Name, section: String,
    subject: String? = nil, rule: FindingRule? = nil, since: String? = nil,
    evidence: [Evidence] = [], quotes: [String] = [], advice: String? = nil, weight: Double = 0
  ) {
    self.level = level
    self.sentence = sentence
    self.report = report
    self.section = section
    self.subject = subject
    self.rule = rule
    self.since = since
    self.evidence = evidence
    self.quotes = quotes
    self.advice = advice
    self.weight = weight
  }

  /// The place of the finding in links: kebab-case, the same every day while the matter lasts.
  package var id: String { "\(report.rawValue)-\(Self.kebab(subject ?? sentence))" }

  /// Letters and digits of ASCII, with one hyphen for everything between them; at most 80 bytes.
  private static func kebab(_ text: String) -> String {
    let words = text.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    let id = words.joined(separator: "-").prefix(80)
    return String(id.last == "-" ? id.dropLast() : id)
  }

  /// Worst first, then by weight; others keep their order.
  package static func worstFirst(_ findings: [Finding]) -> [Finding] {
    let numbered = findings.enumerated().sorted { left, right in
      if left.element.level != right.element.level {
        return left.element.level > right.element.level
      }
      if left.element.weight != right.element.weight {
        return left.element.weight > right.element.weight
      }
      return left.offset < right.offset
    }
    return numbered.map(\.element)
  }

  /// Evidence, quotes and advice, each as a line for a page.
  var supportWords: [String] {
    evidence.map(\.words) + quotes.map { "“\(VisibleText.clipped($0, to: 160))”" }
      + [advice.map { "Next: \($0)" }].compactMap(\.self)
  }

  /// One line of evidence and what to do next, for the index.
  var shortSupport: [String] {
    [evidence.first?.words, advice.map { "Next: \($0)" }].compactMap(\.self)
  }
}

/// A number that supports a finding, and what was to be expected instead.
package struct Evidence: Hashable, Sendable {
  /// What the number counts, and how it is written.
  package enum Unit: String, CaseIterable, Codable, Sendable {
    case people, taps, lines, reads, ratings, hours, days
    case percent, stars
    /// Things that the label names, and a mean of them.
    case count, mean
    /// A probability: how often chance alone does as much.
    case probability
    /// Units of the evidence's currency.
    case money

    fileprivate var places: Int {
      switch self {
      case .people, .taps, .lines, .reads, .ratings, .hours, .days, .count: 0
      case .percent, .mean: 1
      case .stars, .money: 2
      case .probability: 4
      }
    }
  }

  /// For example "Taps on Thu 5 Nov".
  package let label: String
  /// Rounded as it is shown.
  package let value: Double
  package let unit: Unit
  /// Rounded as it is shown; nil when nothing was expected.
  package let expected: ClosedRange<Double>?
  /// The number of days that the expectation comes from; nil without one.
  package let comparedDays: Int?
  /// What these days are.
  package let basis: String
  /// Of an amount of money; nil for any other unit.
  package let currency: String?

  package init(
    _ label: String, _ value: Double, _ unit: Unit, expected: ClosedRange<Double>? = nil,
    comparedDays: Int? = nil, basis: String = "same weekday", currency: String? = nil
  ) {
    self.basis = basis
    self.currency = currency
    self.label = label
    self.unit = unit
    self.value = Self.rounded(value, unit)
    self.expected = expected.map {
      Self.rounded($0.lowerBound, unit)...Self.rounded($0.upperBound, unit)
    }
    self.comparedDays = comparedDays
  }

  package init(_ label: String, _ count: Int, _ unit: Unit) {
    self.init(label, Double(count), unit)
  }

  private static func rounded(_ value: Double, _ unit: Unit) -> Double {
    var scale = 1.0
    for _ in 0..<unit.places { scale *= 10 }
    return (value * scale).rounded() / scale + 0
  }

  /// `Taps on Thu 5 Nov: 212, expected 830 to 1,210 from 6 same weekdays`.
  package var words: String {
    guard let expected else { return "\(label): \(Self.words(value, unit))" }
    let ends = [expected.lowerBound, expected.upperBound].map { Self.words($0, unit) }
    let range = ends[0] == ends[1] ? ends[0] : ends.joined(separator: " to ")
    let days = comparedDays.map { " from \(NumberWords.counted($0, basis))" } ?? ""
    return "\(label): \(Self.words(value, unit)), expected \(range)\(days)"
  }

  /// The number as a person reads it, with the sign of its unit.
  static func words(_ value: Double, _ unit: Unit) -> String {
    let rounded = rounded(value, unit)
    switch unit {
    case .percent: return NumberWords.percent(rounded)
    case .probability:
      return rounded < 0.0001 ? "less than 0.0001" : NumberWords.decimal(rounded, places: 4)
    default: return NumberWords.decimal(rounded, places: unit.places)
    }
  }
}

/// How serious something is, least serious first.
package enum Level: String, CaseIterable, Codable, Comparable, Sendable {
  case pass, notice, warn, error

  package static func < (left: Level, right: Level) -> Bool {
    left.rank < right.rank
  }

  var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// A finding that is still open and was acknowledged: docs/findings.md#acknowledge.
package struct AcknowledgedFinding: Hashable, Sendable {
  package let finding: Finding
  package let acknowledgement: Acknowledgement

  /// `until 1 Dec 2026`, `until it is over`.
  package var end: String {
    guard let until = acknowledgement.until else { return "until it is over" }
    return "until \(CivilDay(iso8601: until)?.plain ?? until)"
  }

  /// As findings are ordered.
  static func worstFirst(_ all: [AcknowledgedFinding]) -> [AcknowledgedFinding] {
    Finding.worstFirst(all.map(\.finding)).compactMap { finding in
      all.first { $0.finding == finding }
    }
  }

  /// One line about all of them, or nil of none.
  static func line(_ all: [AcknowledgedFinding]) -> String? {
    guard let first = all.first else { return nil }
    let many = all.map { "\($0.finding.id) \($0.end)" }.joined(separator: ", ")
    return all.count == 1
      ? "1 acknowledged \(first.end): \(first.finding.id)." : "\(all.count) acknowledged: \(many)."
  }
}

extension ReportContext {
  /// Parts findings into those that need a person and those that are acknowledged, each in order.
  func parted(_ findings: [Finding]) -> (open: [Finding], acknowledged: [AcknowledgedFinding]) {
    let byId = Dictionary(acknowledged.map { ($0.id, $0) }) { first, _ in first }
    let quiet = findings.compactMap { finding in
      byId[finding.id].map { AcknowledgedFinding(finding: finding, acknowledgement: $0) }
    }
    return (findings.filter { byId[$0.id] == nil }, quiet)
  }
}
