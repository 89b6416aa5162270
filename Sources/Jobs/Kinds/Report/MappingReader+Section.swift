import Model
import Reports
import Workspace
import Yams

/// Reads the parts of a section's header: docs/figures.md#header.
extension MappingReader {
  private static let columnKeys = ["title", "unit", "bars", "leading", "wraps", "optional"]

  /// Reads the columns, in the order of the file.
  func sectionColumns() -> [QueryColumn] {
    guard let entry = entry("columns") else {
      missing("columns", "name the columns of the query with their units")
      return []
    }
    let columns = mapping("columns")
    if case .mapping(let none) = entry.value, none.isEmpty { problem(entry, "has no column") }
    return columns.entries.compactMap { columns.sectionColumn($0) }
  }

  /// Reads a column, written as `taps: count` or as a mapping of keys.
  private func sectionColumn(_ entry: Entry) -> QueryColumn? {
    guard Self.isColumnName(entry.name) else {
      log.add(
        "a column has small letters, digits and '_'", at: entry.key.mark, keyPath: path(entry.name))
      return nil
    }
    let title = entry.name.replacing("_", with: " ")
    let words = title.prefix(1).uppercased() + title.dropFirst()
    guard case .mapping = entry.value else {
      return choice(of: entry, among: QueryUnit.allCases).map { QueryColumn(entry.name, words, $0) }
    }
    let reader = mapping(of: entry)
    reader.refuseOthers(than: Self.columnKeys)
    guard let unit = reader.choice("unit", of: QueryUnit.self) else {
      if reader.entry("unit") == nil {
        let units = QueryUnit.allCases.map(\.rawValue).joined(separator: ", ")
        reader.missing("unit", "it is one of \(units)")
      }
      return nil
    }
    var column = QueryColumn(entry.name, reader.text("title") ?? words, unit)
    column.drawsBars = reader.boolean("bars") ?? false
    column.isLeading = reader.boolean("leading")
    column.wraps = reader.boolean("wraps") ?? false
    column.isOptional = reader.boolean("optional") ?? false
    if column.drawsBars, !unit.isDrawn, let bars = reader.entry("bars") {
      reader.problem(bars, "needs a number; the unit is \(unit.rawValue)")
    }
    return column
  }

  private static func isColumnName(_ text: String) -> Bool {
    func isLetter(_ byte: UInt8) -> Bool { (97...122).contains(byte) }
    return isLetter(text.utf8.first ?? 0) && text.utf8.count <= 60
      && text.utf8.allSatisfy { isLetter($0) || (48...57).contains($0) || $0 == UInt8(ascii: "_") }
  }

  func columnName(_ key: String, of columns: [QueryColumn]) -> String? {
    guard let entry = entry(key), let name = text(of: entry) else { return nil }
    return isColumn(name, of: columns, at: entry) ? name : nil
  }

  /// Reads a key that names the column for a chart to draw.
  private func drawnColumn(_ key: String, _ columns: [QueryColumn]) -> QueryColumn? {
    guard let name = columnName(key, of: columns),
      let column = columns.first(where: { $0.id == name })
    else { return nil }
    if !column.unit.isDrawn, let entry = entry(key) {
      problem(entry, "cannot draw '\(column.id)': its unit is \(column.unit.rawValue)")
    }
    return column
  }

  private func isColumn(_ name: String, of columns: [QueryColumn], at entry: Entry) -> Bool {
    let names = columns.map(\.id)
    guard !names.contains(name) else { return true }
    problem(
      entry,
      "names no column of the header: '\(name)'.\(ClosestName.hint(for: name, among: names))")
    return false
  }

  func sectionChecks(of columns: [QueryColumn]) -> [RowCheck] {
    (items("checks") ?? []).compactMap { item in
      let reader = mapping(of: item)
      reader.refuseOthers(than: ["when", "level", "say"])
      for (key, advice) in [
        ("when", "write an expression of SQL"), ("say", "write the sentence of the finding"),
      ] where reader.entry(key) == nil { reader.missing(key, advice) }
      let level = reader.choice("level", of: CheckLevel.self) ?? .warn
      guard let when = reader.text("when"), let say = reader.text("say") else { return nil }
      var check = RowCheck(when: when, level: level.level, say: say)
      check.line = reader.entry("when")?.key.mark?.line ?? 1
      if let entry = reader.entry("say") {
        for name in check.namedColumns { _ = reader.isColumn(name, of: columns, at: entry) }
      }
      return check
    }
  }

  private static let chartKeys = [
    "form", "series", "unit", "week_unit", "labels", "previous", "from", "to", "alternative",
    "table",
  ]

  /// The largest end of a chart's axis.
  private static let largestEnd = 1e15

  func sectionChart(of columns: [QueryColumn]) -> QueryChart? {
    guard entry("chart") != nil else { return nil }
    let reader = mapping("chart")
    reader.refuseOthers(than: Self.chartKeys)
    guard let form = reader.choice("form", of: QueryChart.Form.self) else {
      if reader.entry("form") == nil {
        let forms = QueryChart.Form.allCases.map(\.rawValue).joined(separator: ", ")
        reader.missing("form", "it is one of \(forms)")
      }
      return nil
    }
    if reader.entry("unit") == nil { reader.missing("unit", "say what the axis counts") }
    var chart = QueryChart(
      form: form, series: reader.chartSeries(form, columns), unit: reader.text("unit") ?? "",
      labels: reader.columnName("labels", of: columns) ?? columns.first?.id ?? "")
    chart.weekUnit = reader.text("week_unit")
    chart.previous = reader.drawnColumn("previous", columns)?.id
    if let entry = reader.entry("previous"), form != .columns {
      reader.problem(entry, "only a chart of form columns draws the period before")
    }
    chart.lower = reader.amount("from") ?? 0
    chart.upper = reader.amount("to")
    for key in ["from", "to"] {
      guard let end = reader.entry(key), reader.amount(key) ?? 0 > Self.largestEnd else { continue }
      reader.problem(end, "must be at most 10^15")
    }
    if let upper = chart.upper, upper <= chart.lower, let to = reader.entry("to") {
      reader.problem(to, "must be above 'from'")
    }
    chart.alternative = reader.text("alternative")
    chart.showsTable = reader.boolean("table") ?? false
    return chart
  }

  private func chartSeries(
    _ form: QueryChart.Form, _ columns: [QueryColumn]
  ) -> [Chart.Series] {
    let items = entry("series") == nil ? [] : items("series") ?? []
    if !(1...form.mostSeries).contains(items.count), let entry = entry("series") ?? entry("form") {
      let wanted = form.mostSeries == 1 ? "one series" : "1 to \(form.mostSeries) series"
      problem(entry, "a chart of form \(form.rawValue) takes \(wanted)")
    }
    return items.compactMap { item in
      let reader = mapping(of: item)
      reader.refuseOthers(than: ["column", "title", "tone"])
      if reader.entry("column") == nil { reader.missing("column", "name the column to draw") }
      guard let column = reader.drawnColumn("column", columns) else { return nil }
      return Chart.Series(
        column.id, reader.text("title") ?? column.title,
        reader.choice("tone", of: Chart.Tone.self) ?? .main)
    }
  }
}

private enum CheckLevel: String, CaseIterable {
  case notice, warn, error

  var level: Level {
    switch self {
    case .notice: .notice
    case .warn: .warn
    case .error: .error
    }
  }
}
