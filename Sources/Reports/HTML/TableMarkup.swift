/// Writes a table in a box that scrolls when the page is too narrow.
struct TableMarkup {
  let page: HTMLPage
  /// The series that the chart of the table draws by day, for the script that draws a range of
  /// days.
  var series: [Chart.Series] = []
  /// Rows of days that the ledger does not know wholly, for the same script.
  var uncovered: Set<Int> = []

  /// Tables of more columns are rows of names and values on a narrow page.
  private static let mostNarrowColumns = 3

  func write(_ table: Table) {
    guard !table.isFolded || table.rows.isEmpty else {
      return page.out.element("details", .class("fold")) {
        page.out.element("summary") {
          page.out.element("h3", .id("\(table.id)-table")) {
            page.out.text("\(table.title) (\(NumberWords.grouped(table.rows.count)))")
          }
        }
        writeBody(table)
      }
    }
    page.out.element("h3", .id("\(table.id)-table"), text: table.title)
    writeBody(table)
  }

  /// Writes the table without its heading, for a chart that has its own.
  func writeBody(_ table: Table, labelledBy heading: String? = nil) {
    guard !table.rows.isEmpty else {
      return page.out.element("p", .class("empty"), text: table.emptyText)
    }
    page.out.element(
      "div", .class("scroll"), .plain("tabindex", "0"), .plain("role", "group"),
      .plain("aria-labelledby", heading ?? "\(table.id)-table")
    ) {
      page.out.element("table", isStacked(table) ? [.class("cards")] : []) {
        head(table)
        page.out.element("tbody") {
          var before: String?
          for (index, row) in table.shownRows.enumerated() {
            let name = name(of: row)
            let isGap = uncovered.contains(index)
            write(row, of: table, repeatsFirst: name != nil && name == before, isGap: isGap)
            before = name
          }
        }
      }
    }
    shownOf(table)
  }

  private func isStacked(_ table: Table) -> Bool {
    table.columns.count > TableMarkup.mostNarrowColumns || table.columns.contains(where: \.wraps)
  }

  private func head(_ table: Table) {
    page.out.element("thead") {
      page.out.element("tr") {
        for column in table.columns {
          page.out.element(
            "th",
            [.plain("scope", "col"), .class(column.alignment.name)] + daily(column, of: table)
          ) { page.out.text(column.title) }
        }
      }
    }
  }

  /// For a table by day: the tone of a drawn column, and whether its days can be added up.
  private func daily(_ column: Table.ColumnHead, of table: Table) -> [Attribute] {
    guard !series.isEmpty else { return [] }
    let tone = series.first { $0.column == column.id }?.tone
    let marks: [Attribute] = tone.map { [.plain("data-tone", $0.rawValue)] } ?? []
    return marks + (table.holdsCounts(column.id) ? [.plain("data-sum", "")] : [])
  }

  /// The words of the first cell, to mark repetition; nil for a time.
  private func name(of row: Table.Row) -> String? {
    switch row.cells.first {
    case .instant, .day, nil: nil
    case .some(let cell): page.words.words(cell)
    }
  }

  private func write(
    _ row: Table.Row, of table: Table, repeatsFirst: Bool, isGap: Bool
  ) {
    let gap: [Attribute] = isGap ? [.plain("data-gap", "")] : []
    page.out.element("tr", (row.isTotal ? [.class("total")] : []) + gap) {
      for (index, (column, cell)) in zip(table.columns, row.cells).enumerated() {
        let barClass = column.drawsBars ? " bar-cell" : ""
        let again = index == 0 && repeatsFirst && !row.isTotal ? " again" : ""
        let attributes: [Attribute] = [.class(column.alignment.name + barClass + again)]
        let scope: [Attribute] = index == 0 ? [.plain("scope", "row")] : []
        let key: [Attribute] = cell.sortKey.map { [.plain("data-v", $0)] } ?? []
        let label: [Attribute] =
          index > 0 && isStacked(table) ? [.plain("data-label", column.title)] : []
        page.out.element(index == 0 ? "th" : "td", scope + attributes + key + label) {
          content(cell, column, in: table)
        }
      }
    }
  }

  private func content(_ cell: Cell, _ column: Table.ColumnHead, in table: Table) {
    guard column.drawsBars else { return CellMarkup(page: page).write(cell) }
    let most = table.magnitudes(of: column.id).max() ?? 0
    page.out.element("span", .class("barred")) {
      BarDrawing(page: page).write(share: most > 0 ? (cell.magnitude ?? 0) / most : 0)
      page.out.element("span", .class("number")) { CellMarkup(page: page).write(cell) }
    }
  }

  private func shownOf(_ table: Table) {
    guard let (shown, total) = table.shownOf else { return }
    ShownMarkup(page: page).write(
      shown: shown, total: total, held: table.rows.count, of: table.id)
  }
}

/// Writes the line under a cut list, with a link to the rest.
struct ShownMarkup {
  let page: HTMLPage

  /// `list` is the id of the table or list.
  func write(shown: Int, total: Int, held: Int, of list: String) {
    page.out.element("p", .class("shown-of")) {
      page.out.text(ShownWords.counts(shown: shown, total: total))
      if let file = page.layout.restFile(of: list, in: page.report.name) {
        page.out.text(ShownWords.rest(total: total, held: held))
        page.out.element("a", .href(file.address), text: file.name)
      }
      page.out.text(".")
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
    shown: Int, total: Int, held: Int, of list: String, in report: Report.Name,
    _ layout: PageLayout
  ) -> String {
    let file =
      layout.restFile(of: list, in: report).map { rest(total: total, held: held) + $0.name } ?? ""
    return counts(shown: shown, total: total) + file + "."
  }
}

extension Table.Alignment {
  var name: String {
    switch self {
    case .leading: "leading"
    case .trailing: "trailing"
    }
  }
}
