import Model
import ReportsTesting
import Testing

@testable import ReportWriters
@testable import Reports

/// The parts of drawings stay in place for any numbers.
@Suite struct ChartGeometryTests {
  /// Tables of many, few and one row, with values from 0 to large.
  static let counts: [[Int]] = [
    [7], [0], [1_000_000_000], [0, 0, 0], [1, 1_000_000_000], Array(repeating: 0, count: 366),
    (0..<366).map { $0 * $0 % 97 }, (0..<92).map { $0 % 9 }, (0..<93).map { $0 % 9 },
    (0..<14).map { $0 * 1_234 }, (0..<31).map { $0 % 5 },
    [0, 0, 5], (0..<70).map { 1 << ($0 % 30) },
  ]

  private static let series = [
    Chart.Series("a", "A", .main), Chart.Series("b", "B", .blocked),
  ]

  private func chart(_ form: ChartForm, _ counts: [Int], isDaily: Bool = false) -> Chart {
    let calendar = ReportCalendar(timeZone: "Europe/Berlin")
    let start = SampleReports.at("2025-03-02T12:00:00Z")
    let days = counts.indices.map { calendar.day(of: start + .seconds($0 * 86_400)) }
    return Chart(
      form: form, labels: days.map(\.short), unit: "u", alternative: "A picture.",
      table: Table(
        id: "t", title: "T",
        columns: [
          Table.ColumnHead(id: "day", title: "Day", alignment: .leading),
          Table.ColumnHead(id: "a", title: "A"),
          Table.ColumnHead(id: "b", title: "B"),
        ],
        rows: zip(days, counts).map { day, count in
          Table.Row(cells: [
            isDaily ? .day(day) : .text(day.short), .count(count), .count(count / 3),
          ])
        }))
  }

  /// The attribute as a number, of percents or of pixels.
  private func number(_ node: HTMLNode, _ name: String) throws -> Double {
    let text = try #require(node.attributes[name], "\(node.name) \(name)")
    return try #require(Double(text.hasSuffix("%") ? String(text.dropLast()) : text), "\(text)")
  }

  private func expectInside(_ svg: HTMLNode) throws {
    let height = try number(svg, "height")
    // Coordinates are rounded to hundredths.
    let slack = 0.02
    for shape in svg.all("rect") {
      let (x, width) = (try number(shape, "x"), try number(shape, "width"))
      let (y, tall) = (try number(shape, "y"), try number(shape, "height"))
      #expect(x >= 0 && width >= 0 && x + width <= 100 + slack)
      #expect(y >= 0 && tall >= 0 && y + tall <= height + slack)
    }
    for line in svg.all("line") {
      for end in ["x1", "x2"] {
        let x = try number(line, end)
        #expect((0...100).contains(x))
      }
      for end in ["y1", "y2"] {
        let y = try number(line, end)
        #expect((0...height).contains(y))
      }
    }
    for text in svg.all("text") {
      let (x, y) = (try number(text, "x"), try number(text, "y"))
      #expect((0...100).contains(x) && (0...height).contains(y), "\(text.text)")
    }
  }

  /// No column is blurred in a drawing of `width` pixels.
  private func expectCrisp(_ svg: HTMLNode, width: Double) throws {
    for column in svg.all("rect") {
      let pixels = try number(column, "width") / 100 * width
      #expect(pixels >= 1.8)
    }
  }

  /// No two labels of the axis overlap in a drawing of `width` pixels; a narrow one hides minor
  /// labels.
  private func expectApart(_ svg: HTMLNode, width: Double, isNarrow: Bool) throws {
    var end = -Double.infinity
    for text in svg.all("text") {
      let names = (text.attributes["class"] ?? "").split(separator: " ")
      guard names.contains("x"), !(isNarrow && names.contains("minor")) else { continue }
      // Figures and letters of 12 px are at most 7 px wide on average.
      let half = Double(text.text.count) * 7 / 2
      let middle = try number(text, "x") / 100 * width
      #expect(middle - half >= end, "\(text.text) at \(width) px")
      #expect(middle + half <= width + 30)
      end = middle + half
    }
  }

  @Test(arguments: counts)
  func `stacked columns stay inside, and their labels apart, by day and otherwise`(counts: [Int])
    throws
  {
    for isDaily in [true, false] {
      let chart = chart(.columns(Self.series), counts, isDaily: isDaily)
      #expect(chart.isSentence == (counts.count <= 2))
      guard !chart.isSentence else { continue }
      let svg = try ChartPage.drawing(of: chart)
      try expectInside(svg)
      try expectApart(svg, width: 700, isNarrow: false)
      try expectApart(svg, width: 240, isNarrow: true)
      if isDaily { try expectCrisp(svg, width: 236) }
      let ticks = svg.all("text").filter { $0.attributes["class"] == "tick y" }
      #expect((2...6).contains(ticks.count) && ticks.allSatisfy { $0.text.count <= 6 })
    }
  }

  @Test(arguments: counts.filter { $0.count <= 31 })
  func `bars stay inside`(counts: [Int]) throws {
    try expectInside(ChartPage.drawing(of: chart(.bars(column: "a", tones: []), counts)))
  }

  @Test(arguments: counts)
  func `heat maps stay inside, of one row and of 366`(counts: [Int]) throws {
    let svg = try ChartPage.drawing(of: chart(.heatMap, counts))
    try expectInside(svg)
    try expectApart(svg, width: 700, isNarrow: false)
    try expectApart(svg, width: 240, isNarrow: true)
    #expect(svg.all("rect").count == 2 * counts.count)
  }

  @Test(arguments: [3, 9, 53, 366])
  func `lines stay inside, of three points, of gaps and of a year of weeks`(count: Int) throws {
    var chart = chart(
      .line(Chart.Series("a", "A", .main), range: 1...5), Array(repeating: 0, count: count))
    for row in 0..<count {
      let mean = row % 4 == 3 ? Mean() : Mean(total: 1 + row % 5, count: 1)
      chart.table.rows[row].cells[1] = .mean(mean)
    }
    let svg = try ChartPage.drawing(of: chart)
    try expectInside(svg)
    try expectApart(svg, width: 700, isNarrow: false)
    try expectApart(svg, width: 240, isNarrow: true)
    #expect(svg.all("circle").count == count - count / 4)
  }

  @Test(arguments: [
    (7_500, ["0", "2,000", "4,000", "6,000", "8,000"]),
    (10_000, ["0", "2k", "4k", "6k", "8k", "10k"]),
    (12_000, ["0", "5k", "10k", "15k"]),
    (1_200_000, ["0", "0.5M", "1M", "1.5M"]),
    (2_000_000_000, ["0", "0.5bn", "1bn", "1.5bn", "2bn"]),
  ])
  func `ticks from 10,000 are short, and all of an axis have one unit`(
    most: Int, expected: [String]
  ) {
    let scale = AxisScale(most: Double(most))
    #expect(scale.ticks.map(scale.words) == expected)
  }

  @Test func `a course has at most 62 columns, each the sum of equally many neighbours`() {
    #expect([1, 2, 3].folded(to: 3) == ([1, 2, 3], 1))
    #expect([1, 2, 3, 4].folded(to: 3) == ([3, 7], 2))
    #expect([1, 2, 3, 4, 5].folded(to: 3) == ([1, 5, 9], 2))
    let year = Array(repeating: Int?.some(1), count: 366).folded(to: 62)
    #expect(
      year.counts.count == 61 && year.of == 6 && year.counts.compactMap(\.self).reduce(0, +) == 366)
    #expect([1, nil, 2, nil, nil].folded(to: 3) == ([1, nil, nil], 2))
  }
}
