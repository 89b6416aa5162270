/// A cell's words with what its kind adds to them.
struct CellMarkup {
  /// Characters of a network text in a cell: docs/reports.md#hostile-text.
  static let textLimit = 160

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
    case .count, .ratio, .mean, .change, .seconds, .money, .day:
      page.out.text(page.words.words(cell))
    }
  }

  private func network(_ text: String) {
    page.out.element("bdi", text: VisibleText.clipped(text, to: CellMarkup.textLimit))
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
