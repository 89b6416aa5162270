/// What two reports of different days disagree in: docs/reports.md#history.
struct ReportDifference {
  struct Figure: Hashable {
    var report: Report.Name
    var id: String
    var label: String
    var then: PastValue
    var now: PastValue
  }

  struct Finding: Hashable {
    enum Kind: String {
      case new, worse, better, gone
    }

    var kind: Kind
    /// That of the newer report; of the older one for what is gone.
    var level: Level
    var sentence: String
  }

  /// Those that differ, in the order of the newer report.
  let figures: [Figure]
  /// What came and what got worse first, then what got better and what went; each as it was listed.
  let findings: [Finding]

  init(from then: PastReport, to now: PastReport) {
    figures = now.figures.compactMap { figure in
      let before = then.figures.first { ($0.report, $0.id) == (figure.report, figure.id) }
      guard let before, before.value != figure.value else { return nil }
      return Figure(
        report: figure.report, id: figure.id, label: figure.label, then: before.value,
        now: figure.value)
    }
    var older = then.findings
    let met = now.findings.map { finding in
      (finding, older.takeFirst { Self.isSame($0, finding) })
    }
    let changes = met.compactMap { finding, before -> Finding? in
      guard let before else { return Finding(kind: .new, finding) }
      guard before.level != finding.level else { return nil }
      return Finding(kind: before.level < finding.level ? .worse : .better, finding)
    }
    findings =
      changes.filter { $0.kind != .better } + changes.filter { $0.kind == .better }
      + older.map { Finding(kind: .gone, $0) }
  }

  /// Sentences carry numbers that change from day to day, so a subject decides where there is one.
  private static func isSame(_ left: PastReport.Finding, _ right: PastReport.Finding) -> Bool {
    guard left.report == right.report, left.subject == right.subject else { return false }
    return left.subject != nil || left.sentence == right.sentence
  }
}

extension ReportDifference.Finding {
  fileprivate init(kind: Kind, _ finding: PastReport.Finding) {
    self.init(kind: kind, level: finding.level, sentence: finding.sentence)
  }
}

extension Array {
  /// Takes out the first element that passes; nil when none does.
  fileprivate mutating func takeFirst(where passes: (Element) -> Bool) -> Element? {
    firstIndex(where: passes).map { remove(at: $0) }
  }
}
