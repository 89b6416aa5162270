import Model

/// Writes a cell: its words, and the markup of its kind.
struct CellMarkup {
  /// Characters of a network text in a cell: docs/reports.md#hostile-text.
  static let textLimit = 160

  /// Texts up to this length stay on one line.
  private static let shortText = 22
  /// Longer texts are sentences and get a readable width.
  private static let proseText = 40
  /// Longer words may break anywhere.
  private static let longWord = 32

  let page: HTMLPage

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
    case .place(let title, let report, let section):
      page.out.element("a", .href(report, anchor: section), content: { page.out.text(title) })
    case .excerpt(let text): page.out.element("bdi", .class("excerpt"), text: text)
    case .pastDay(let day, let file):
      let address = file.map { Attribute.href(.pastDay(day, $0)) }
      page.out.element("a", [address].compactMap { $0 }, content: { write(.day(day)) })
    case .count, .ratio, .rate, .points, .mean, .change, .seconds, .money:
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

/// Writes an instant: words for people, ISO 8601 for machines.
struct TimeMarkup {
  let page: HTMLPage

  func write(_ instant: Instant) {
    page.out.element(
      "time", .plain("datetime", instant.iso8601), text: page.time.dateAndTime(instant))
  }
}

/// Writes a level as a shape and a word, never as a colour alone.
struct LevelMarkup {
  let page: HTMLPage

  func write(_ level: Level, _ words: String) {
    page.out.element("span", .class("level \(level.rawValue)")) {
      sign(level)
      page.out.text(words)
    }
  }

  func sign(_ level: Level) {
    page.out.element("span", .class("sign"), .hiddenFromReaders, text: level.sign)
  }
}

extension Level {
  /// A shape for each level.
  var sign: String {
    switch self {
    case .pass: "●"
    case .notice: "○"
    case .warn: "▲"
    case .error: "■"
    }
  }

  package var word: String {
    switch self {
    case .pass: "Fine"
    case .notice: "Note"
    case .warn: "Warning"
    case .error: "Error"
    }
  }
}

extension Cell {
  /// The number by which the script of the page sorts the cell; nil to sort by words or time.
  var sortKey: String? {
    switch self {
    case .ratio(let ratio), .rate(let ratio):
      ratio.whole > 0 ? SortKey.text(ratio.share) : nil
    case .points(let earlier, let later):
      PointChange(from: earlier, to: later).map { SortKey.text($0.points) }
    case .mean(let mean): mean.value.map(SortKey.text)
    case .change(let change): SortKey.text(change.growth)
    case .seconds(let seconds): SortKey.text(seconds)
    case .money(let amount, _): SortKey.text(amount)
    case .level(let level, _): Level.allCases.firstIndex(of: level).map(String.init)
    case .stars(let stars): String(stars)
    case .countdown(let remaining, _): SortKey.text(remaining)
    case .text, .code, .count, .day, .pastDay, .place, .excerpt, .instant, .trend, .missing: nil
    }
  }
}

extension PeriodChange {
  /// The difference as a part of the previous number; the largest of all after 0.
  fileprivate var growth: Double {
    guard previous > 0 else { return current > 0 ? 1_000_000_000 : 0 }
    return Double(difference) / Double(previous)
  }
}

private enum SortKey {
  /// The number in JavaScript, rounded to the millionth.
  static func text(_ number: Double) -> String {
    let rounded = (number * 1_000_000).rounded() / 1_000_000
    guard let whole = Int(exactly: rounded) else { return "\(rounded)" }
    return "\(whole)"
  }
}
