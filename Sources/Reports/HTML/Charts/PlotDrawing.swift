/// The area of a drawing over rows in a line: its slots from left to right, and what is behind the
/// values.
private struct Plot {
  let page: HTMLPage
  /// Pixels above the area, where the numbers of marks stand, and of the area itself.
  let top: Double
  let height: Double
  let slotCount: Int
  /// The numbers beside the lines behind the values, from the lowest.
  let ticks: [(value: Double, words: String)]

  var bottom: Double { top + height }

  var slot: Double { 1 / Double(slotCount) }

  func middle(_ index: Int) -> Double { (Double(index) + 0.5) * slot }

  func y(_ value: Double) -> Double {
    let (first, last) = (ticks[0].value, ticks[ticks.count - 1].value)
    let share = (value - first) / (last - first)
    return top + height * (1 - share)
  }

  /// A rectangle of the width of a column.
  func column(_ index: Int, y: Double, height: Double, class name: String, hint: String) {
    page.rectangle(
      x: (Double(index) + 0.14) * slot, y: y, width: 0.72 * slot, height: height, class: name,
      hint: hint)
  }

  /// Hatches a slot whose data is missing or not whole.
  func hatch(_ index: Int, _ words: String) {
    column(index, y: top, height: height, class: "uncovered", hint: "\(words): data is missing")
  }

  /// A pale area behind the column of a day, with a line at both ends: what was expected of it.
  func band(_ index: Int, from high: Double, to low: Double, _ words: String) {
    let start = Double(index) * slot
    page.rectangle(
      x: start, y: high, width: slot, height: low - high, class: "expected", hint: words)
    for y in [high, low] {
      page.line(from: (start, y), to: (start + slot, y), class: "expected-end")
    }
  }

  func grid() {
    for (index, tick) in ticks.enumerated() {
      let y = self.y(tick.value)
      page.line(from: (0, y), to: (1, y), class: index == 0 ? "base" : "grid")
      page.label(tick.words, x: 0, y: y + 4, dx: -8, class: "tick y")
    }
  }

  /// The labels of the slots that have one; on a narrow page every second one is hidden.
  func axis(_ labels: AxisLabels, _ words: [String], below space: Double, hidesSome: Bool = true) {
    for index in labels.indices {
      guard let row = labels.row(under: index) else { continue }
      page.label(
        words[row], x: middle(index), y: bottom + space,
        class: hidesSome && labels.isMinor(index) ? "tick x minor" : "tick x")
    }
  }

  /// A line at each marked place, with the numbers of its marks above.
  func marks(_ marks: [(number: Int, place: Double)]) {
    for mark in marks {
      page.line(from: (mark.place, top - 3), to: (mark.place, bottom), class: "marked")
    }
    for label in MarkLabel.all(of: marks) {
      page.label(label.text, x: label.middle, y: 10, class: "mark")
    }
  }
}

/// Draws stacked columns: one a row, or, for counts by day, one a day or a week.
struct ColumnsDrawing {
  /// Fewer columns leave room at the right instead of growing wide.
  private static let fewestSlots = 7

  private let page: HTMLPage
  private let chart: Chart
  private let series: [Chart.Series]
  /// The rows of each column.
  private let columns: [Range<Int>]
  private let labels: AxisLabels
  private let alternative: String

  init(page: HTMLPage, chart: Chart, series: [Chart.Series]) {
    self.page = page
    self.chart = chart
    self.series = series
    if chart.isDaily {
      let byDay = DayColumns(chart.days)
      columns = byDay.days
      labels = AxisLabels(byDay, of: chart.days)
      alternative = "\(chart.alternative) \(byDay.words)"
    } else {
      columns = chart.table.rows.indices.map { $0..<($0 + 1) }
      labels = AxisLabels(count: columns.count)
      alternative = chart.alternative
    }
  }

  func write() {
    let values = series.map { one in
      let values = chart.table.magnitudes(of: one.column)
      return columns.map { values[$0].reduce(0, +) }
    }
    let sums = columns.indices.map { column in values.reduce(0) { $0 + $1[column] } }
    let expected = expected()
    let previous = previous()
    let most = max(
      sums.max() ?? 0, expected.map { $0.range.upperBound }.max() ?? 0,
      previous.map(\.value).max() ?? 0)
    let plot = Plot(
      page: page, top: 16, height: chart.isCompact ? 84 : 190,
      slotCount: max(columns.count, Self.fewestSlots), ticks: AxisScale(most: most).marks)
    page.image(chart, "columns", height: plot.bottom + 26, alternative: alternative) {
      for (index, range) in expected {
        plot.band(
          index, from: plot.y(range.upperBound), to: plot.y(range.lowerBound),
          "\(words(of: columns[index])): usual \(Chart.span(of: range))")
      }
      plot.grid()
      plot.marks(
        chart.markedDays.compactMap { mark in
          columns.firstIndex { $0.contains(mark.row) }.map { (mark.number, plot.middle($0)) }
        })
      absences(plot)
      for index in columns.indices { column(index, values, plot) }
      for (index, value) in previous {
        plot.column(
          index, y: plot.y(value) - 1, height: 2, class: "previous",
          hint: "\(words(of: columns[index])): \(chart.previousTitle?.lowercased() ?? "") "
            + NumberWords.grouped(Int(value)))
      }
      plot.axis(labels, chart.labels, below: 18)
    }
  }

  /// What was expected of each column; nothing when columns are weeks.
  private func expected() -> [(index: Int, range: ClosedRange<Double>)] {
    guard chart.drawsExpected else { return [] }
    let ranges = Dictionary(chart.expected.map { ($0.day, $0.range) }) { first, _ in first }
    return columns.indices.compactMap { index in
      ranges[chart.days[columns[index].lowerBound]].map { (index, $0) }
    }
  }

  /// What the period before had at each column, where all of it is known.
  private func previous() -> [(index: Int, value: Double)] {
    guard chart.previousTitle != nil, let column = chart.previous else { return [] }
    let values = chart.table.values(of: column)
    return columns.enumerated().compactMap { index, rows in
      let known = values[rows].compactMap(\.self)
      return known.count == rows.count ? (index, known.reduce(0, +)) : nil
    }
  }

  private func absences(_ plot: Plot) {
    let values = series.map { chart.table.values(of: $0.column) }
    for (index, rows) in columns.enumerated()
    where !chart.uncovered.isDisjoint(with: rows)
      || rows.allSatisfy({ row in values.allSatisfy { $0[row] == nil } })
    {
      plot.hatch(index, words(of: rows))
    }
  }

  private func column(_ index: Int, _ values: [[Double]], _ plot: Plot) {
    var base = 0.0
    for (one, values) in zip(series, values) where values[index] > 0 {
      let top = plot.y(base + values[index])
      plot.column(
        index, y: top, height: plot.y(base) - top, class: one.tone.rawValue,
        hint: "\(words(of: columns[index])): \(one.title.lowercased()) "
          + NumberWords.grouped(Int(values[index])))
      base += values[index]
    }
  }

  /// The label of the row, or of the first and the last row.
  private func words(of rows: Range<Int>) -> String {
    let first = chart.labels[rows.lowerBound]
    return rows.count == 1 ? first : "\(first) – \(chart.labels[rows.upperBound - 1])"
  }
}

/// Draws a level over time: one point a row, joined by lines, with gaps for missing values.
struct LineDrawing {
  /// Up to this many points have their value beside them.
  private static let mostLabelled = 8
  private static let fewestSlots = 4

  private let page: HTMLPage
  private let chart: Chart
  private let tone: Chart.Tone
  private let cells: [Cell]
  private let values: [Double?]
  private let plot: Plot

  init(page: HTMLPage, chart: Chart, series: Chart.Series, range: ClosedRange<Double>) {
    self.page = page
    self.chart = chart
    tone = series.tone
    cells = chart.table.cells(of: series.column)
    values = cells.map(\.level)
    plot = Plot(
      page: page, top: 14, height: 150, slotCount: max(values.count, Self.fewestSlots),
      ticks: Self.ticks(range))
  }

  func write() {
    page.image(chart, "line", height: plot.bottom + 28) {
      plot.grid()
      for row in chart.uncovered.sorted() { plot.hatch(row, chart.labels[row]) }
      plot.marks(chart.markedDays.map { ($0.number, plot.middle($0.row)) })
      for row in values.indices.dropFirst() { join(row) }
      for (row, value) in values.enumerated() { point(row, value) }
      plot.axis(
        AxisLabels(count: values.count), chart.labels, below: 20, hidesSome: values.count > 4)
    }
  }

  /// The widest range that has a tick at each whole number, such as that of stars.
  private static let mostWholeNumbers = 10.0

  /// Round numbers at and above all values of a range from 0; of a short range that begins
  /// elsewhere each whole number, of a longer one round steps from its beginning.
  private static func ticks(_ range: ClosedRange<Double>) -> [(value: Double, words: String)] {
    guard range.lowerBound != 0 else {
      return AxisScale(most: range.upperBound).marks
    }
    let (lower, upper) = (range.lowerBound.rounded(.down), range.upperBound.rounded(.up))
    let length = upper - lower
    guard length > mostWholeNumbers else {
      return (Int(lower)...Int(upper)).map { (Double($0), "\($0)") }
    }
    return AxisScale(most: length).ticks.map { tick in
      (lower + Double(tick), NumberWords.grouped(Int(lower) + tick))
    }
  }

  private func join(_ row: Int) {
    guard let before = values[row - 1], let value = values[row] else { return }
    page.line(
      from: (plot.middle(row - 1), plot.y(before)), to: (plot.middle(row), plot.y(value)),
      class: "stroke \(tone.rawValue)")
  }

  private func point(_ row: Int, _ value: Double?) {
    guard let value else { return }
    page.out.element(
      "circle", .class("dot \(tone.rawValue)"), .percent("cx", plot.middle(row)),
      .plain("cy", plot.y(value)), .plain("r", 4))
    guard values.count <= Self.mostLabelled else { return }
    page.label(words(cells[row]), x: plot.middle(row), y: plot.y(value) - 10, class: "mark")
  }

  private func words(_ cell: Cell) -> String {
    switch cell {
    case .ratio(let ratio), .rate(let ratio): NumberWords.percent(ratio.percent)
    case .mean(let mean): mean.value.map { NumberWords.decimal($0, places: 2) } ?? ""
    default: page.words.words(cell)
    }
  }
}

/// The numbers of marks above a drawing; those too near each other are one range, between them.
struct MarkLabel {
  /// A digit's share of the narrowest drawing, and the space between two labels.
  private static let digit = 0.03

  var numbers: ClosedRange<Int>
  /// Shares of the drawing's width.
  var places: ClosedRange<Double>

  var middle: Double { (places.lowerBound + places.upperBound) / 2 }

  /// `1` or `1–3`.
  var text: String {
    numbers.count == 1 ? "\(numbers.lowerBound)" : "\(numbers.lowerBound)–\(numbers.upperBound)"
  }

  private func isNear(_ next: MarkLabel) -> Bool {
    next.middle - middle < (Double(text.count + next.text.count) / 2 + 1) * Self.digit
  }

  /// Of numbers in a row, with their places in order.
  static func all(of marks: [(number: Int, place: Double)]) -> [MarkLabel] {
    var labels: [MarkLabel] = []
    for (number, place) in marks {
      var label = MarkLabel(numbers: number...number, places: place...place)
      // What has grown may reach the one before it.
      while let before = labels.last, before.isNear(label) {
        labels.removeLast()
        label.numbers = before.numbers.lowerBound...number
        label.places = before.places.lowerBound...place
      }
      labels.append(label)
    }
    return labels
  }
}
