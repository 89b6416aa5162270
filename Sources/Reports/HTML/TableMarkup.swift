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
      }
    }
    out.element("h3", .id("\(table.id)-table"), text: table.title)
    body(of: table)
  }

  /// Writes the table without its heading, for a chart that has its own.
  ///
  /// For a table by day, `series` are those that its chart draws and `uncovered` the rows that the
  /// ledger does not know wholly, for the script that draws a range of days.
  func body(
    of table: Table, labelledBy heading: String? = nil, series: [Chart.Series] = [],
    uncovered: Set<Int> = []
  ) {
    guard !table.rows.isEmpty else {
      return out.element("p", .class("empty"), text: table.emptyText)
    }
    out.element(
      "div", .class("scroll"), .plain("tabindex", "0"), .plain("role", "group"),
      .plain("aria-labelledby", heading ?? "\(table.id)-table")
    ) {
      out.element("table", table.isStacked ? [.class("cards")] : []) {
        head(of: table, series)
        out.element("tbody") {
          var before: String?
          for (index, row) in table.shownRows.enumerated() {
            let name = name(of: row)
            write(
              row, of: table, repeatsFirst: name != nil && name == before,
              isGap: uncovered.contains(index))
            before = name
          }
        }
      }
    }
    guard let (shown, total) = table.shownOf else { return }
    shownOf(shown: shown, total: total, held: table.rows.count, of: table.id)
  }

  private func head(of table: Table, _ series: [Chart.Series]) {
    out.element("thead") {
      out.element("tr") {
        for column in table.columns {
          var attributes: [Attribute] = [.plain("scope", "col"), .class(column.alignment.rawValue)]
          // The tone of a drawn column, and whether its days can be added up.
          if let tone = series.first(where: { $0.column == column.id })?.tone {
            attributes.append(.plain("data-tone", tone.rawValue))
          }
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

  private func write(_ row: Table.Row, of table: Table, repeatsFirst: Bool, isGap: Bool) {
    let gap: [Attribute] = isGap ? [.plain("data-gap", "")] : []
    out.element("tr", (row.isTotal ? [.class("total")] : []) + gap) {
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
        ) { content(cell, column, in: table) }
      }
    }
  }

  private func content(_ cell: Cell, _ column: Table.ColumnHead, in table: Table) {
    guard column.drawsBars else { return write(cell) }
    let most = table.magnitudes(of: column.id).max() ?? 0
    out.element("span", .class("barred")) {
      bar(share: most > 0 ? (cell.magnitude ?? 0) / most : 0)
      out.element("span", .class("number")) { write(cell) }
    }
  }

  /// Writes the line under a cut list, with a link to the rest.
  ///
  /// `list` is the id of the table or list, `held` how many rows the other formats have: all for nil.
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
