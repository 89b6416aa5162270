/// Writes a row of figures.
struct FiguresMarkup {
  let page: HTMLPage

  func write(_ figures: [Figure]) {
    page.out.element("dl", .class("figures of-\(figures.count)")) {
      for figure in figures {
        page.out.element("div") { write(figure) }
      }
    }
  }

  private func write(_ figure: Figure) {
    page.out.element("dt") { label(of: figure) }
    page.out.element("dd", .class("value")) { value(figure.value) }
    if let note = note(figure) { page.out.element("dd", .class("note"), text: note) }
    if let change = page.words.changeWords(of: figure) {
      page.out.element("dd", .class("change"), text: change)
    }
    guard let trend = figure.drawnTrend else { return }
    page.out.element("dd", .class("course")) {
      TrendDrawing(page: page).write(
        trend, words: "\(figure.label) by day: \(page.words.words(.trend(trend)))")
    }
  }

  private func label(of figure: Figure) {
    guard let report = figure.report else { return page.out.text(figure.label) }
    page.out.element("a", .href(report, anchor: figure.section)) { page.out.text(figure.label) }
  }

  /// Shows a percentage large above its counts; for small counts, the counts above the percentage.
  private func value(_ cell: Cell) {
    guard case .ratio(let ratio) = cell, ratio.whole > 0 else {
      return CellMarkup(page: page).write(cell)
    }
    page.out.text(ratio.isSmall ? counts(ratio) : NumberWords.percent(ratio.percent))
  }

  private func counts(_ ratio: Ratio) -> String {
    "\(NumberWords.grouped(ratio.part)) of \(NumberWords.grouped(ratio.whole))"
  }

  private func note(_ figure: Figure) -> String? {
    let noun = figure.note.map { " \($0)" } ?? ""
    if let share = figure.share { return page.words.words(share) + noun }
    guard case .ratio(let ratio) = figure.value, ratio.whole > 0 else { return figure.note }
    guard ratio.isSmall else { return counts(ratio) + noun }
    let percent = NumberWords.percent(ratio.percent) + CellWords.smallMark
    return "\(percent) of \(NumberWords.grouped(ratio.whole))\(noun)"
  }
}

/// Writes findings, each as a link to the section that explains it, with its evidence and advice.
struct FindingsMarkup {
  let page: HTMLPage

  func write(_ findings: [Finding]) {
    guard !findings.isEmpty else {
      return page.out.element("p", .class("all-well"), text: "Nothing needs you.")
    }
    let shown = findings.prefix(page.report.name.shownFindings)
    var ids: Set<String> = []
    page.out.element("ul", .class("findings")) {
      for finding in shown {
        let isFirst = ids.insert(finding.id).inserted
        let anchor = isFirst ? [Attribute.id(Self.anchor(of: finding))] : []
        page.out.element("li", anchor + [.class(finding.level.rawValue)]) { write(finding) }
      }
    }
    guard shown.count < findings.count else { return }
    ShownMarkup(page: page).write(
      shown: shown.count, total: findings.count, held: findings.count, of: "findings")
  }

  /// The id of the finding in a page.
  static func anchor(of finding: Finding) -> String { "finding-\(finding.id)" }

  private func write(_ finding: Finding) {
    LevelMarkup(page: page).sign(finding.level)
    page.out.element("span", .class("level-word"), text: finding.level.word)
    // The index is one screen: what supports a finding is on the page that it leads to.
    guard finding.hasSupport, page.report.name != .index else { return link(finding) }
    page.out.element("div") {
      link(finding)
      for text in finding.supportWords {
        page.out.element("p", .class("support")) { page.out.element("bdi", text: text) }
      }
    }
  }

  private func link(_ finding: Finding) {
    page.out.element("a", [.href(finding.report, anchor: finding.section)]) {
      page.out.element(
        "bdi",
        text: VisibleText.clipped(finding.sentence, to: page.report.name == .index ? 160 : 300))
    }
  }
}

extension Report.Name {
  /// How many findings HTML and text show: the index is one screen.
  var shownFindings: Int { self == .index ? IndexReport.shownFindings : .max }
}
