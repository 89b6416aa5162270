import Model

/// The section with what changed since the last report of an earlier day: docs/reports.md#history.
enum IndexSince {
  static let id = "since"
  static func section(_ earlier: EarlierReport, now: PastReport, _ time: TimeWords) -> Section {
    Section(
      id: id, title: "Since the last report", lead: lead(earlier, now, time),
      blocks: blocks(earlier, now))
  }

  private static func lead(
    _ earlier: EarlierReport, _ now: PastReport, _ time: TimeWords
  ) -> String {
    switch earlier {
    case .absent: return "There is no report of an earlier day to compare with yet."
    case .unreadable(let day):
      return "The report of \(day) cannot be read back, so there is nothing to compare with."
    case .report(let then):
      let written = time.dateAndTime(then.writtenAt)
      if let obstacle = EarlierReport.obstacle(between: then, and: now) {
        return "The report of \(written) cannot be compared: \(obstacle)."
      }
      let gap = EarlierReport.gap(between: then, and: now)
      return "Compared with the report of \(written), whose period began "
        + "\(time.dateAndTime(then.start))."
        + (gap.map { " \($0)" } ?? "")
    }
  }

  private static func blocks(_ earlier: EarlierReport, _ now: PastReport) -> [Block] {
    guard case .report(let then) = earlier,
      EarlierReport.obstacle(between: then, and: now) == nil
    else { return [] }
    let difference = ReportDifference(from: then, to: now)
    let hasGap = EarlierReport.gap(between: then, and: now) != nil
    let hasBefore = difference.findings.contains { $0.before != nil }
    return [
      .table(
        id: "since-findings", title: "What needs attention", of: difference.findings,
        columns: [
          Column("change", "Change", .leading) { .text($0.change.rawValue.capitalizedFirst) },
          Column("level", "Level", .leading) { .level($0.finding.level, $0.finding.level.word) },
          Column("sentence", "What", .leading) { .text($0.finding.sentence) },
        ] + (hasBefore ? [before] : []),
        shownLimit: 10, emptyText: "No finding is new, gone or different.", isFolded: true),
      .table(figures(difference, hasGap: hasGap)),
    ]
  }

  private static var before: Column<FindingDifference> {
    Column("before", "In that report", .leading) { $0.before.map(Cell.text) ?? .missing }
  }

  /// With a gap counts of events have no difference.
  private static func figures(_ difference: ReportDifference, hasGap: Bool) -> Table {
    Table(
      id: "since-figures", title: "Figures", of: difference.figures,
      columns: [
        Column("figure", "Figure", .leading) { .text($0.now.label) },
        Column("then", "Then") { $0.then.cell },
        Column("now", "Now") { $0.now.value.cell },
        Column("change", "Difference") {
          hasGap && $0.now.isOfEvents == true ? .missing : change($0)
        },
      ],
      shownLimit: 10, emptyText: "No figure has changed.", isFolded: true)
  }

  /// That of shares is one of points; means have one of what is shown of them.
  private static func change(_ figure: FigureDifference) -> Cell {
    switch (figure.then, figure.now.value) {
    case (.count(let then), .count(let now)): return .change(PeriodChange(from: then, to: now))
    case (.ratio(let thenPart, let thenWhole), .ratio(let part, let whole)):
      guard thenWhole > 0, whole > 0 else { return .missing }
      let change = Ratio(part, of: whole).share - Ratio(thenPart, of: thenWhole).share
      return .pointError(100 * change)
    case (.mean(let thenTotal, let thenCount), .mean(let total, let count)):
      guard thenCount > 0, count > 0 else { return .missing }
      let then = Mean(total: thenTotal, count: thenCount)
      return .text(NumberWords.change(from: then, to: Mean(total: total, count: count)))
    case (.money(let then, let thenCurrency), .money(let now, let currency)):
      guard thenCurrency == currency else { return .missing }
      let difference = NumberWords.money(Money(amount: now - then, currency: currency))
      return .text((now > then ? "+" : "") + difference)
    default: return .missing
    }
  }
}

/// The last report of an earlier day, if there is one.
package enum EarlierReport: Hashable, Sendable {
  case absent
  /// The copy of the day (`2026-11-20`) has a summary that is missing, cut or of another version.
  case unreadable(day: String)
  case report(PastReport)

  /// Why the figures of two reports cannot be compared, as the end of a sentence; nil when they
  /// can.
  package static func obstacle(between then: PastReport, and now: PastReport) -> String? {
    if then.isAnonymous != now.isAnonymous {
      return "only one of the two has its people replaced by pseudonyms"
    }
    if then.scope != now.scope { return "it counted the events of other people" }
    if let platform = then.platform, platform != now.platform {
      let words = platform == "all" ? "all platforms together" : PlatformWords.title(platform)
      return "it counted the events of \(words)"
    }
    if then.timeZone != now.timeZone { return "its days were those of \(then.timeZone)" }
    if then.dayCount != now.dayCount {
      return "it covered \(NumberWords.counted(then.dayCount, "day")), not "
        + NumberWords.grouped(now.dayCount)
    }
    return nil
  }

  /// Why counts of events of two reports have no difference, as a sentence; nil when they have.
  static func gap(between then: PastReport, and now: PastReport) -> String? {
    let whole = PastReport.wholeCoverage
    let reason: String? =
      if let fault = now.coverage, fault != whole {
        fault
      } else if let fault = then.coverage, fault != whole {
        "in the last report, \(fault)"
      } else if then.coverage == nil {
        "the last report does not say whether it knew all of its days"
      } else { nil }
    return reason.map { "Counts of events have no difference: \($0)." }
  }
}

/// A figure whose value differs between two reports.
typealias FigureDifference = (then: PastValue, now: PastFigure)

/// A finding that only one of two reports has, or that differs: as it is in the newer report, or in
/// the older one when it is gone; `before` is the sentence of the older one where both have it.
typealias FindingDifference = (change: FindingChange, finding: PastFinding, before: String?)

/// How a finding differs.
enum FindingChange: String {
  case new, gone
  /// Of another level.
  case worse, better
  /// Of the same level, with another sentence.
  case changed
}

/// What differs between two reports of different days: docs/reports.md#history.
struct ReportDifference {
  /// In the order of the newer report.
  let figures: [FigureDifference]
  /// New and worse findings, then better ones, other changed ones, and those that are gone.
  let findings: [FindingDifference]

  init(from then: PastReport, to now: PastReport) {
    figures = now.figures.compactMap { figure in
      let before = then.figures.first { ($0.report, $0.id) == (figure.report, figure.id) }
      guard let before, before.value != figure.value else { return nil }
      return (before.value, figure)
    }
    var older = then.findings
    let met = now.findings.map { finding in
      let place = older.firstIndex { Self.isSame($0, finding) }
      return (finding, place.map { older.remove(at: $0) })
    }
    let changes =
      met.compactMap { finding, before -> FindingDifference? in
        guard let before else { return (.new, finding, nil) }
        guard before != finding else { return nil }
        let change: FindingChange =
          before.level < finding.level ? .worse : before.level > finding.level ? .better : .changed
        return (change, finding, before.sentence)
      } + older.map { (.gone, $0, nil) }
    let order: [[FindingChange]] = [[.new, .worse], [.better], [.changed], [.gone]]
    findings = order.flatMap { group in changes.filter { group.contains($0.change) } }
  }

  /// Compares subjects first, because the numbers in a sentence change from day to day.
  private static func isSame(_ left: PastFinding, _ right: PastFinding) -> Bool {
    guard left.report == right.report, left.subject == right.subject else { return false }
    return left.subject != nil || left.sentence == right.sentence
  }
}
