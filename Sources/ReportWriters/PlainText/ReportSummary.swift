import Model
package import Reports

/// The newest numbers of all reports and what needs a person, short enough for a message:
/// docs/summary.md#contents.
package struct ReportSummary: Sendable {
  /// Lines of the text at most; docs/summary.md#contents.
  package static let mostLines = 30
  /// Findings that the text has at most.
  private static let mostFindings = 5
  /// Characters of a sentence in the text.
  private static let longestSentence = 150

  /// The figures of each line, from the head or the sections of a report: always the same, so that
  /// lines keep their places from day to day.
  private static let taken: [(report: Report.Name, label: String, figures: [String])] = [
    (.users, "Users", ["total"]), (.users, "Seen", ["seen-hour", "seen-day"]),
    (.usage, "People active", ["active-users"]), (.usage, "Limit hits", ["blocked"]),
    (.usage, "Subscription taps", ["subscription-taps"]),
    (.money, "New subscribers", ["new-subscribers", "through-the-limit"]),
    (.limits, "Limits now", ["cooling-down", "at-limit"]),
    (.ratings, "Ratings", ["ratings", "mean-stars"]),
    (.ratings, "Feedback texts", ["feedback", openFeedback]),
    (.runs, "Jobs in order", ["on-time", "success"]), (.runs, "Open incidents", ["open-incidents"]),
    (.runs, "Age of backup", ["backup-age", "proof-age"]),
    (.runs, "Billed reads", ["reads", "cost"]),
  ]

  /// What names a figure that is not the first of its line, or whose line has another label.
  private static let names = [
    "seen-hour": "within an hour", "seen-day": "within a day", "cooling-down": "cooling down",
    "at-limit": "at the limit", "mean-stars": "mean stars", openFeedback: "open",
    "success": "runs that succeeded", "cost": "estimated cost",
    "through-the-limit": "through the limit", "proof-age": "since the last restore test",
  ]

  private static let openFeedback = "open-feedback"

  let context: ReportContext
  /// One sentence about all jobs.
  let sentence: String
  let figures: [Figure]
  /// Worst first.
  let findings: [Finding]
  /// What the index says when there are none.
  let verdict: String
  /// What queries say of money, a sentence each.
  let said: [String]
  /// Its figures, for the next one to be compared with.
  package let past: PastReport?
  private let before: EarlierFigures?
  private let usersFetchedAt: Instant?

  /// - Parameters:
  ///   - reports: the index and the five reports.
  ///   - before: the last report of an earlier day; nil without one.
  package init(of reports: [Report], after before: PastReport? = nil) {
    precondition(!reports.isEmpty, "there is always an index")
    context = reports[0].context
    let byName = Dictionary(reports.map { ($0.name, $0) }) { first, _ in first }
    sentence = byName[.runs]?.summary ?? ""
    figures = Self.taken.flatMap { name, _, ids in
      ids.compactMap { id in
        byName[name]?.figures.first { $0.id == id }.map { figure in
          var figure = figure
          figure.report = name
          figure.trend = nil
          return figure
        }
      }
    }
    findings = Finding.worstFirst(reports.flatMap { $0.name == .index ? [] : $0.findings })
    verdict =
      byName[.index]?.sections.first { $0.id == IndexAttention.id }?.lead ?? "Nothing needs you."
    said = byName[.index]?.moneySentences ?? []
    var past = PastReport(of: reports)
    self.before = before.flatMap { [past] in EarlierFigures($0, now: past) }
    past?.figures = figures.compactMap(PastFigure.init)
    past?.findings = []
    self.past = past
    usersFetchedAt = byName[.users]?.dataTime.at
  }

  /// The text, at most 30 lines of at most 80 columns, with a line end after the last.
  package var text: String {
    var details = SummaryDetails(findings.prefix(Self.mostFindings).map(\.level))
    var lines = lines(details)
    while lines.count > Self.mostLines, details.drop() { lines = self.lines(details) }
    // The same figures are below: findings come first.
    let withMoney = said.isEmpty ? lines : self.lines(details, saysMoney: true)
    if withMoney.count <= Self.mostLines { lines = withMoney }
    return lines.prefix(Self.mostLines).joined(separator: "\n") + "\n"
  }

  /// The platform whose events are counted, and how many others are not.
  var platformWords: String {
    let platform = context.platform.map(PlatformWords.title) ?? "all platforms"
    let others = context.otherPlatforms.values.reduce(0, +)
    return platform + (others > 0 ? "; not \(NumberWords.counted(others, "event")) of others" : "")
  }

  /// `Thu 26 Nov: 1 error and 1 warning`, for the subject of a mail.
  package var headline: String {
    let day = TimeWords(context: context).calendar.day(of: context.now).withWeekday
    let sentence = verdict.prefix { $0 != "." && $0 != "," }
    return "\(VisibleText.clipped(context.appName, to: 30)), \(day): \(sentence)"
  }

  private func lines(_ details: SummaryDetails, saysMoney: Bool = false) -> [String] {
    let time = TimeWords(context: context)
    var sheet = TextSheet()
    let app = VisibleText.clipped(context.appName, to: 30)
    sheet.paragraph("\(app), \(time.dateAndTime(context.now)) (\(context.timeZone))")
    sheet.paragraph(
      "Counted: \(time.period(from: context.start, to: context.end)), \(platformWords)")
    sheet.gap()
    let shown = Array(zip(findings, details.all))
    // A finding about jobs says what the sentence about all of them says.
    if !shown.contains(where: { $0.0.report == .runs && $0.0.level >= .warn }) {
      sheet.paragraph(VisibleText.clipped(sentence, to: Self.longestSentence))
    }
    if findings.isEmpty { sheet.paragraph(verdict) }
    for (finding, detail) in shown { write(finding, detail, to: &sheet) }
    if findings.count > details.all.count {
      let more = findings.count - details.all.count
      sheet.line("\(NumberWords.counted(more, "more finding")): firetally report --text")
    }
    if saysMoney { sheet.paragraph(said.joined(separator: " ")) }
    sheet.gap()
    write(time, to: &sheet)
    if figures.flatMap(\.cells).contains(where: CellWords.isMarked) {
      sheet.paragraph(CellWords.smallNote)
    }
    return sheet.lines
  }

  private func write(
    _ finding: Finding, _ detail: SummaryDetails.Detail, to sheet: inout TextSheet
  ) {
    let words = VisibleText.clipped(finding.sentence, to: Self.longestSentence)
    sheet.paragraph("\(finding.level.sign) \(finding.level.word): \(words)", hanging: 2)
    if detail == .evidence, let evidence = finding.evidence.first {
      sheet.line("  " + DisplayWidth.cut(VisibleText.line(evidence.words), to: TextSheet.width - 2))
    }
    if detail >= .next, let advice = finding.advice {
      sheet.paragraph(
        VisibleText.clipped("Next: \(advice)", to: Self.longestSentence), indent: 2)
    }
  }

  private func write(_ time: TimeWords, to sheet: inout TextSheet) {
    let words = CellWords(time: time)
    let width = Self.taken.map { DisplayWidth.of($0.label) }.max() ?? 0
    for line in Self.taken {
      let figures = line.figures.compactMap { (id: String) -> Figure? in
        self.figures.first { $0.report == line.report && $0.id == id }
      }
      guard !figures.isEmpty else { continue }
      let head = DisplayWidth.fitted(line.label, to: width) + "  "
      // Where a line is too long its changes go, of the last figure first: values never do.
      let lines = (0...figures.count).map { left in
        head
          + figures.enumerated().map { index, figure in
            self.words(of: figure, words, withChange: index < figures.count - left)
          }.joined(separator: "; ")
      }
      let fitting = lines.first { DisplayWidth.of($0) <= TextSheet.width } ?? lines[figures.count]
      sheet.line(DisplayWidth.cut(fitting, to: TextSheet.width))
    }
  }

  /// `1 of 2 (50%†) at the limit`, `300, +12% from 268`.
  private func words(
    of figure: Figure, _ words: CellWords, withChange: Bool
  ) -> String {
    let name = Self.names[figure.id].map { "\($0) " } ?? ""
    let parts = [
      valueWords(of: figure, words), withChange ? words.changeWords(of: figure) : nil,
      fetched(figure, words.time),
    ]
    return name + parts.compactMap(\.self).joined(separator: ", ")
  }

  /// `300`, `24, 12% of 200`.
  func valueWords(of figure: Figure, _ words: CellWords) -> String {
    [words.words(figure.value), figure.share.flatMap { $0.whole > 0 ? words.words($0) : nil }]
      .compactMap(\.self).joined(separator: ", ")
  }

  /// What it was before: its change, else its value in the last report of an earlier day; nil
  /// without either.
  func beforeWords(of figure: Figure, _ words: CellWords) -> String? {
    words.changeWords(of: figure) ?? before?.words(of: figure, words)
  }

  func fetched(_ figure: Figure, _ time: TimeWords) -> String? {
    guard figure.report == .users, figure.id == "total" else { return nil }
    return usersFetchedAt.map { "fetched \(time.ago($0))" } ?? "never fetched"
  }
}

/// The values of figures in the last report of an earlier day: docs/summary.md#html.
private struct EarlierFigures {
  /// Figures of the moment, which no length of a period changes.
  private static let momentary: Set = [
    "total", "seen-hour", "seen-day", "cooling-down", "at-limit", "feedback", "on-time",
  ]

  private let report: PastReport
  private let isOfSamePeriod: Bool

  /// Nil when the two counted different people or days of another time zone.
  init?(_ then: PastReport, now: PastReport?) {
    guard let now else { return nil }
    var likened = then
    likened.dayCount = now.dayCount
    guard EarlierReport.obstacle(between: likened, and: now) == nil else { return nil }
    report = then
    isOfSamePeriod = then.dayCount == now.dayCount
  }

  /// `4,790 on Sun 1 Mar`; nil for a figure that the other report does not have.
  func words(of figure: Figure, _ words: CellWords) -> String? {
    guard isOfSamePeriod || Self.momentary.contains(figure.id) else { return nil }
    let then = report.figures.first { ($0.report, $0.id) == (figure.report, figure.id) }
    return then.map {
      let day = words.time.calendar.day(of: report.writtenAt).withWeekday
      return "\(words.words($0.value.cell)) on \(day)"
    }
  }
}

/// How much the summary says of each finding, where not all of it fits: docs/summary.md#contents.
struct SummaryDetails {
  /// The least first; each says what the one before it says.
  enum Detail: Comparable {
    case sentence, next, evidence
  }

  /// Of the worst finding first.
  private(set) var all: [Detail]
  private let levels: [Level]

  /// Everything of findings of these levels, the worst first.
  init(_ levels: [Level]) {
    self.levels = levels
    all = levels.map { _ in .evidence }
  }

  /// Leaves out what matters least; returns false when nothing is left to leave out.
  ///
  /// The two worst findings keep what they say until the others are gone, and the worst longest.
  mutating func drop() -> Bool { drop(after: 2) || drop(after: 1) || drop(after: 0) }

  /// Of the last finding first: the evidence, what to do about notes, the notes themselves, what to
  /// do, then whole findings; the first ones stay.
  private mutating func drop(after count: Int) -> Bool {
    func last(_ detail: Detail, _ isIncluded: (Int) -> Bool = { _ in true }) -> Int? {
      all.indices.last { $0 >= count && all[$0] == detail && isIncluded($0) }
    }
    let isNote = { [levels] (index: Int) in levels[index] <= .notice }
    if let index = last(.evidence) {
      all[index] = .next
    } else if let index = last(.next, isNote) {
      all[index] = .sentence
    } else if all.count > count, isNote(all.count - 1) {
      all.removeLast()
    } else if let index = last(.next) {
      all[index] = .sentence
    } else if all.count > count {
      all.removeLast()
    } else {
      return false
    }
    return true
  }
}

/// The object that `firetally report --summary --json` prints.
extension ReportSummary: Encodable {
  package func encode(to encoder: any Encoder) throws {
    let summary: JSONNode = .object([
      "message_type": "summary", "schemaVersion": .integer(ReportSchema.version),
      "app": .text(context.appName), "writtenAt": .instant(context.now),
      "timeZone": .text(context.timeZone), "platform": context.platformJSON,
      "start": .instant(context.start), "end": .instant(context.end),
      "summary": .text(sentence), "said": .texts(said),
      "figures": .list(figures.map { $0.json(withReport: true) }),
      "findings": .list(findings.map { $0.json() }),
    ])
    try summary.encode(to: encoder)
  }
}
