import Model

/// The newest numbers of all reports and what needs a person, short enough for a message:
/// docs/summary.md#contents.
package struct ReportSummary: Sendable {
  /// Lines of the text at most; docs/summary.md#contents.
  package static let mostLines = 25
  /// Findings that the text has at most.
  private static let mostFindings = 5
  /// Characters of a sentence in the text.
  private static let longestSentence = 150

  /// The figures that it takes from the head or the sections of each report, in its order: always
  /// the same, so that lines keep their places from day to day.
  private static let taken: [(report: Report.Name, figures: [String])] = [
    (.users, ["total", "seen-hour", "seen-day"]),
    (.usage, ["active-users", "blocked", "subscription-taps"]),
    (.limits, ["cooling-down", "at-limit"]),
    (.ratings, ["ratings", "mean-stars", "feedback", openFeedback]),
    (.runs, ["on-time", "success", "reads", "cost"]),
  ]

  private static let openFeedback = "open-feedback"

  let context: ReportContext
  /// One sentence about all jobs.
  let sentence: String
  let figures: [Figure]
  /// Worst first.
  let findings: [Finding]
  /// What the index says when there are none.
  private let verdict: String
  private let usersFetchedAt: Instant?

  /// - Parameter reports: the index and the five reports.
  package init(of reports: [Report]) {
    precondition(!reports.isEmpty, "there is always an index")
    context = reports[0].context
    let byName = Dictionary(reports.map { ($0.name, $0) }) { first, _ in first }
    sentence = byName[.runs]?.summary ?? ""
    figures = Self.taken.flatMap { name, ids in
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
    usersFetchedAt = byName[.users]?.dataTime.at
  }

  /// The text, at most 25 lines of at most 80 columns, with a line end after the last.
  package var text: String {
    for count in stride(from: min(findings.count, Self.mostFindings), through: 0, by: -1) {
      let lines = lines(findings: count)
      if lines.count <= Self.mostLines || count == 0 {
        return lines.prefix(Self.mostLines).joined(separator: "\n") + "\n"
      }
    }
    return ""
  }

  private func lines(findings count: Int) -> [String] {
    let time = TimeWords(context: context)
    var sheet = TextSheet()
    let app = VisibleText.clipped(context.appName, to: 30)
    sheet.paragraph("\(app), \(time.dateAndTime(context.now)) (\(context.timeZone))")
    sheet.paragraph("Counted: \(time.period(from: context.start, to: context.end))")
    sheet.gap()
    sheet.paragraph(VisibleText.clipped(sentence, to: Self.longestSentence))
    if findings.isEmpty { sheet.paragraph(verdict) }
    for finding in findings.prefix(count) {
      let words = VisibleText.clipped(finding.sentence, to: Self.longestSentence)
      sheet.paragraph("\(finding.level.sign) \(finding.level.word): \(words)", hanging: 2)
    }
    if findings.count > count {
      let more = findings.count - count
      sheet.line("\(NumberWords.counted(more, "more finding")): firetally report --text")
    }
    sheet.gap()
    write(time, to: &sheet)
    if figures.flatMap(\.cells).contains(where: CellWords.isMarked) {
      sheet.paragraph(CellWords.smallNote)
    }
    return sheet.lines
  }

  /// One line for each figure.
  private func write(_ time: TimeWords, to sheet: inout TextSheet) {
    let words = CellWords(time: time)
    // Open feedback stands in the line of the feedback.
    let figures = figures.filter { $0.id != Self.openFeedback }
    let labels = figures.map { label(of: $0) }
    let width = labels.map(DisplayWidth.of).max() ?? 0
    for (figure, label) in zip(figures, labels) {
      let rest = [
        words.words(figure.value), figure.share.flatMap { $0.whole > 0 ? words.words($0) : nil },
        words.changeWords(of: figure), note(of: figure, time),
      ].compactMap(\.self).joined(separator: ", ")
      let line = DisplayWidth.fitted(label, to: width) + "  " + rest
      sheet.line(DisplayWidth.cut(line, to: TextSheet.width))
    }
  }

  /// Labels that their page explains, and a message does not.
  private func label(of figure: Figure) -> String {
    switch (figure.report, figure.id) {
    case (.users, "seen-day"): "Seen within a day"
    case (.usage, "blocked"): "Limit hits"
    case (.limits, _): "\(figure.label) now"
    default: figure.label
    }
  }

  private func note(of figure: Figure, _ time: TimeWords) -> String? {
    if figure.id == "feedback", let open = figures.first(where: { $0.id == Self.openFeedback }) {
      return "\(CellWords(time: time).words(open.value)) open"
    }
    guard figure.report == .users, figure.id == "total" else { return nil }
    return usersFetchedAt.map { "fetched \(time.distance(to: $0))" } ?? "never fetched"
  }
}

/// The object that `firetally report --summary --json` prints.
extension ReportSummary: Encodable {
  package func encode(to encoder: any Encoder) throws {
    let summary: JSONNode = .object([
      "message_type": "summary", "schemaVersion": .integer(ReportSchema.version),
      "app": .text(context.appName), "writtenAt": .instant(context.now),
      "timeZone": .text(context.timeZone), "start": .instant(context.start),
      "end": .instant(context.end), "summary": .text(sentence),
      "figures": .list(figures.map { $0.json(withReport: true) }),
      "findings": .list(findings.map { $0.json() }),
    ])
    try summary.encode(to: encoder)
  }
}
