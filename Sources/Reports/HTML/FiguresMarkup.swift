/// Numbers with a place of their own, in a row.
struct FiguresMarkup {
  let page: Page

  func write(_ figures: [Figure]) {
    page.out.element("dl", .class("figures")) {
      for figure in figures {
        page.out.element("div") { write(figure) }
      }
    }
  }

  private func write(_ figure: Figure) {
    page.out.element("dt") { label(of: figure) }
    page.out.element("dd", .class("value")) { value(figure.value) }
    if let note = note(figure) { page.out.element("dd", .class("note"), text: note) }
    if let change = figure.change {
      page.out.element("dd", .class("change"), text: page.words.words(change))
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

  /// A percentage stands large, what it is of stands small beneath it; of few it is the reverse.
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
