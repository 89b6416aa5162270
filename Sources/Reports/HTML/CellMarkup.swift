/// A cell's words with what its kind adds to them.
struct CellMarkup {
  /// Characters of a network text in a cell: docs/reports.md#hostile-text.
  static let textLimit = 160

  /// Texts up to this length stay on one line.
  private static let shortText = 22
  /// Texts beyond this length are sentences, and keep the width to be read.
  private static let proseText = 40
  /// Words beyond this length may break anywhere.
  private static let longWord = 32

  let page: Page

  func write(_ cell: Cell) {
    switch cell {
    case .instant(let instant): TimeMarkup(page: page).write(instant)
    case .level(let level, let words): LevelMarkup(page: page).write(level, words)
    case .text(let text): network(text)
    case .code(let text): page.out.element("code") { network(text) }
    case .stars(let stars): self.stars(stars)
    case .countdown(let remaining, let duration): countdown(remaining, duration)
    case .trend(let counts): TrendDrawing(page: page).write(counts, words: page.words.words(cell))
    case .missing: page.out.element("span", .class("missing"), text: page.words.words(cell))
    case .day(let day):
      page.out.element("time", .plain("datetime", day.iso8601), text: page.words.words(cell))
    case .pastDay(let day, let file):
      let address = file.map { Attribute.href(.pastDay(day, $0)) }
      page.out.element("a", [address].compactMap { $0 }, content: { write(.day(day)) })
    case .count, .ratio, .mean, .change, .seconds, .money:
      page.out.text(page.words.words(cell))
    }
  }

  private func network(_ text: String) {
    let visible = VisibleText.clipped(text, to: CellMarkup.textLimit)
    let longest = visible.split(whereSeparator: \.isWhitespace).map(\.count).max() ?? 0
    let fit =
      longest > CellMarkup.longWord
      ? "long"
      : visible.count <= CellMarkup.shortText
        ? "short" : visible.count > CellMarkup.proseText ? "prose" : ""
    page.out.element("bdi", fit.isEmpty ? [] : [.class(fit)]) { page.out.text(visible) }
  }

  func stars(_ stars: Int) {
    page.out.element(
      "span", .class("stars stars-\(min(max(stars, 1), 5))"), .plain("role", "img"),
      .plain("aria-label", NumberWords.counted(stars, "star")), text: CellWords.stars(stars))
  }

  private func countdown(_ remaining: Double, _ duration: Double) {
    CountdownDrawing(page: page).write(share: duration > 0 ? remaining / duration : 0)
    page.out.text(page.words.words(.countdown(remaining: remaining, of: duration)))
  }
}
