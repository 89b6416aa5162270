import Model
import Reports

/// Writes a table in a box that scrolls when the page is too narrow.
extension HTMLPage {
  func write(_ table: Table) {
    guard !table.isFolded || table.rows.isEmpty else {
      return out.element("details", .class("fold")) {
        out.element("summary") {
          out.element(
            "h3", .id("\(table.id)-table"),
            text: "\(table.title) (\(NumberWords.grouped(table.rows.count)))")
        }
        body(of: table)
        write(table.source)
      }
    }
    if table.isTitled { out.element("h3", .id("\(table.id)-table"), text: table.title) }
    body(of: table)
    write(table.source)
  }

  /// Writes the table without its heading, for a chart that has its own.
  ///
  /// Of a chart by day it also says what the script needs that draws a range of days.
  func body(of table: Table, in chart: Chart? = nil) {
    let drawn = chart.flatMap { $0.hasRange ? $0 : nil }
    let expected = drawn.map { $0.drawsExpected ? $0.expected : [] } ?? []
    guard !table.rows.isEmpty else {
      return out.element("p", .class("empty"), text: table.emptyText)
    }
    out.element(
      "div", .class("scroll"), .plain("tabindex", "0"), .plain("role", "group"),
      table.isTitled
        ? .plain("aria-labelledby", "\(table.id)-\(chart == nil ? "table" : "chart-title")")
        : .plain("aria-label", table.title)
    ) {
      out.element("table", table.isStacked ? [.class("cards")] : []) {
        head(of: table, drawn)
        out.element("tbody") {
          var before: String?
          for (index, row) in table.shownRows.enumerated() {
            let name = name(of: row)
            write(
              row, of: table, repeatsFirst: name != nil && name == before,
              drawn: (drawn?.uncovered.contains(index) == true ? [.plain("data-gap", "")] : [])
                + usual(row, expected))
            before = name
          }
        }
      }
    }
    guard let (shown, total) = table.shownOf else { return }
    shownOf(shown: shown, total: total, held: table.rows.count, of: table.id)
  }

  private func head(of table: Table, _ chart: Chart?) {
    let series = chart?.series ?? []
    out.element("thead") {
      out.element("tr") {
        for column in table.columns {
          var attributes: [Attribute] = [.plain("scope", "col"), .class(column.alignment.rawValue)]
          // The tone of a drawn column, and whether its days can be added up.
          if let tone = series.first(where: { $0.column == column.id })?.tone {
            attributes.append(.plain("data-tone", tone.rawValue))
          }
          if column.id == chart?.previous { attributes.append(.plain("data-previous", "")) }
          if !series.isEmpty, table.holdsCounts(column.id) {
            attributes.append(.plain("data-sum", ""))
          }
          out.element("th", attributes) { out.text(column.title) }
        }
      }
    }
  }

  /// The words of the first cell, to mark repetition; nil for a time.
  private func name(of row: Table.Row) -> String? {
    switch row.cells.first {
    case .instant, .day, nil: nil
    case .some(let cell): words.words(cell)
    }
  }

  /// What was expected of the day of a row.
  private func usual(_ row: Table.Row, _ expected: [Chart.ExpectedDay]) -> [Attribute] {
    guard case .day(let day) = row.cells.first,
      let range = expected.first(where: { $0.day == day })?.range
    else { return [] }
    return [
      .plain("data-low", range.lowerBound), .plain("data-high", range.upperBound),
    ]
  }

  /// `drawn` is what the script needs of the row beside its cells.
  private func write(
    _ row: Table.Row, of table: Table, repeatsFirst: Bool, drawn: [Attribute]
  ) {
    out.element("tr", (row.isTotal ? [.class("total")] : []) + drawn) {
      for (index, (column, cell)) in zip(table.columns, row.cells).enumerated() {
        let barClass = column.drawsBars ? " bar-cell" : ""
        let again = index == 0 && repeatsFirst && !row.isTotal ? " again" : ""
        let scope: [Attribute] = index == 0 ? [.plain("scope", "row")] : []
        let key: [Attribute] = cell.sortKey.map { [.plain("data-v", $0)] } ?? []
        let label: [Attribute] =
          index > 0 && table.isStacked ? [.plain("data-label", column.title)] : []
        out.element(
          index == 0 ? "th" : "td",
          scope + [.class(column.alignment.rawValue + barClass + again)] + key + label
        ) { content(cell, column, of: row, in: table) }
      }
    }
  }

  /// A total has no bar: it would be beyond the end of the others'.
  private func content(
    _ cell: Cell, _ column: Table.ColumnHead, of row: Table.Row, in table: Table
  ) {
    guard column.drawsBars else { return write(cell) }
    let most = table.magnitudes(of: column.id).max() ?? 0
    out.element("span", .class("barred")) {
      if !row.isTotal { bar(share: most > 0 ? (cell.magnitude ?? 0) / most : 0) }
      out.element("span", .class("number")) { write(cell) }
    }
  }

  /// Writes the line under a cut list, with a link to the rest.
  ///
  /// `list` is the id of the table or list, `held` how many rows the other formats have: all for
  /// nil.
  func shownOf(shown: Int, total: Int, held: Int? = nil, of list: String) {
    out.element("p", .class("shown-of")) {
      out.text(ShownWords.counts(shown: shown, total: total))
      if let file = layout.restFile(of: list, in: report.name) {
        out.text(ShownWords.rest(total: total, held: held ?? total))
        out.element("a", .href(file.address), text: file.name)
      }
      out.text(".")
    }
  }
}

extension Table {
  /// Whether a narrow page shows each row as names and values.
  fileprivate var isStacked: Bool { columns.count > 3 || columns.contains(where: \.wraps) }

  /// Whether every cell of the column is a count, none below 0.
  fileprivate func holdsCounts(_ columnId: String) -> Bool {
    guard let column = columns.firstIndex(where: { $0.id == columnId }) else { return false }
    return rows.allSatisfy { row in
      guard case .count(let count) = row.cells[column] else { return false }
      return count >= 0
    }
  }
}

/// The words about what a table or list leaves out.
enum ShownWords {
  /// `25 of 4,862 shown`.
  static func counts(shown: Int, total: Int) -> String {
    "\(NumberWords.grouped(shown)) of \(NumberWords.grouped(total)) shown"
  }

  /// `; the rest is in `, before the name of the file.
  static func rest(total: Int, held: Int) -> String {
    held == total ? "; the rest is in " : "; \(NumberWords.grouped(held)) are in "
  }

  static func sentence(
    shown: Int, total: Int, held: Int? = nil, of list: String, in report: Report.Name,
    _ layout: PageLayout
  ) -> String {
    let file = layout.restFile(of: list, in: report).map {
      rest(total: total, held: held ?? total) + $0.name
    }
    return counts(shown: shown, total: total) + (file ?? "") + "."
  }
}

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
    case .app(let title, let page):
      guard let page else { return network(title) }
      out.element("a", .href(.workspace(page))) { network(title) }
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
    case .excerpt(let text):
      // A narrow page shows it when somebody asks.
      out.element("details", .class("tuck"), .plain("open", "")) {
        out.element("summary", text: "Words")
        out.element("bdi", .class("excerpt"), text: text)
      }
    case .list: out.element("bdi", text: words.words(cell))
    case .pastDay(let day, let file):
      let address = file.map { [Attribute.href(.pastDay(day, $0))] } ?? []
      out.element("a", address) { write(.day(day)) }
    case .rate, .points: interval(words.words(cell))
    case .ratio: ratio(words.words(cell))
    case .count, .pointError, .mean, .change, .seconds, .money: out.text(words.words(cell))
    }
  }

  /// A share and its interval, which has a line of its own where the table has no room.
  private func interval(_ words: String) {
    let parts = words.split(separator: ", ")
    for (index, part) in parts.enumerated() {
      let isLast = index == parts.count - 1
      out.element("span", .class("range"), text: isLast ? String(part) : part + ",")
      if !isLast { out.text(" ") }
    }
  }

  /// A share of few, `5 of 14 (36%†)`, whose percentage has a line of its own where there is no
  /// room.
  private func ratio(_ words: String) {
    guard let place = words.firstRange(of: " (") else { return out.text(words) }
    out.element("span", .class("range"), text: String(words[..<place.lowerBound]))
    out.text(" ")
    out.element("span", .class("range"), text: String(words[place.lowerBound...].dropFirst()))
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

  /// Writes the shape of a level beside its word: never a colour alone.
  func sign(of level: Level) {
    out.element("span", .class("sign"), .hiddenFromReaders, text: level.sign)
  }
}

extension Cell {
  /// The number by which the script of the page sorts the cell; nil to sort by words or time.
  var sortKey: String? {
    switch self {
    case .count: nil
    case .ratio(let ratio), .rate(let ratio):
      ratio.whole > 0 ? SortKey.text(ratio.share) : nil
    case .points(let earlier, let later):
      PointChange(from: earlier, to: later).map { SortKey.text($0.points) }
    case .pointError(let points): SortKey.text(points)
    case .change(let change): SortKey.text(change.growth)
    case .level(let level, _): String(level.rank)
    default: magnitude.map(SortKey.text)
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
