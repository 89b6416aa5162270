import Model

/// Writes a cell: its words, and the markup of its kind.
extension HTMLPage {
  func write(_ cell: Cell) {
    switch cell {
    case .instant(let instant): write(instant)
    case .level(let level, let words):
      out.element("span", .class("level \(level.rawValue)")) {
        sign(of: level)
        out.text(words)
      }
    case .text(let text): network(text)
    case .code(let text): out.element("code") { network(text) }
    case .stars(let stars): self.stars(stars)
    case .countdown(let remaining, let duration):
      countdown(share: duration > 0 ? remaining / duration : 0)
      out.text(words.words(cell))
    case .trend(let counts): trend(counts, words: words.words(cell))
    case .missing: out.element("span", .class("missing"), text: words.words(cell))
    case .day(let day):
      out.element("time", .plain("datetime", day.iso8601), text: words.words(cell))
    case .place(let title, let report, let section):
      out.element("a", .href(report, anchor: section), text: title)
    case .excerpt(let text): out.element("bdi", .class("excerpt"), text: text)
    case .pastDay(let day, let file):
      let address = file.map { [Attribute.href(.pastDay(day, $0))] } ?? []
      out.element("a", address) { write(.day(day)) }
    case .count, .ratio, .rate, .points, .mean, .change, .seconds, .money:
      out.text(words.words(cell))
    }
  }

  /// Short texts stay on one line, sentences get a readable width, long words break anywhere.
  private func network(_ text: String) {
    let visible = VisibleText.clipped(text, to: Cell.textLimit)
    let longest = visible.split(whereSeparator: \.isWhitespace).map(\.count).max() ?? 0
    let fit = longest > 32 ? "long" : visible.count <= 22 ? "short" : "prose"
    let isPlain = fit == "prose" && visible.count <= 40
    out.element("bdi", isPlain ? [] : [.class(fit)]) { out.text(visible) }
  }

  func stars(_ stars: Int) {
    out.element(
      "span", .class("stars stars-\(min(max(stars, 1), 5))"), .plain("role", "img"),
      .plain("aria-label", NumberWords.counted(stars, "star")), text: CellWords.stars(stars))
  }

  /// Writes an instant: words for people, ISO 8601 for machines.
  func write(_ instant: Instant) {
    out.element("time", .plain("datetime", instant.iso8601), text: time.dateAndTime(instant))
  }

  /// Writes the shape of a level, which stands beside its word: never a colour alone.
  func sign(of level: Level) {
    out.element("span", .class("sign"), .hiddenFromReaders, text: level.sign)
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
