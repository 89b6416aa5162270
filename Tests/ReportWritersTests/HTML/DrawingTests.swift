import ReportsTesting
import Testing

@testable import ReportWriters
@testable import Reports

/// The shapes of the drawings.
@Suite struct DrawingTests {
  private func drawing(
    _ form: ChartForm, _ rows: [[Cell]], labels: [String], uncovered: Set<Int> = []
  ) throws -> HTMLNode {
    var chart = chart(form, rows, labels: labels)
    chart.uncovered = uncovered
    return try ChartPage.drawing(of: chart)
  }

  private func chart(_ form: ChartForm, _ rows: [[Cell]], labels: [String]) -> Chart {
    Chart(
      form: form, labels: labels, unit: "u", alternative: "A picture.",
      table: Table(
        id: "t", title: "T",
        columns: [
          Table.ColumnHead(id: "name", title: "Name", alignment: .leading),
          Table.ColumnHead(id: "a", title: "A"),
          Table.ColumnHead(id: "b", title: "B"),
        ],
        rows: rows.map { Table.Row(cells: $0) }))
  }

  private func rectangles(_ node: HTMLNode, _ name: String) -> [HTMLNode] {
    node.all("rect").filter { $0.attributes["class"] == name }
  }

  private let series = [Chart.Series("a", "A", .main), Chart.Series("b", "B", .blocked)]

  @Test func `stacked columns stand on one another and fill the height they mean`() throws {
    let svg = try drawing(
      .columns(series),
      [
        [.text("x"), .count(6), .count(4)], [.text("y"), .count(0), .count(5)],
        [.text("z"), .count(0), .count(0)],
      ], labels: ["x", "y", "z"])
    let main = rectangles(svg, "main")
    let blocked = rectangles(svg, "blocked")
    #expect(main.count == 1 && blocked.count == 2)
    #expect(main[0].attributes["height"] == "114" && main[0].attributes["y"] == "92")
    #expect(blocked[0].attributes["height"] == "76" && blocked[0].attributes["y"] == "16")
    #expect(blocked[1].attributes["y"] == "111")
    #expect(svg.text.contains("x: a 6"))
  }

  @Test func `columns whose data is not whole are hatched`() throws {
    let rows = ["w", "x", "y", "z"].map { [Cell.text($0), .count(1), .count(0)] }
    let labels = ["w", "x", "y", "z"]
    let whole = try drawing(.columns(series), rows, labels: labels)
    #expect(rectangles(whole, "uncovered").isEmpty)
    let svg = try drawing(.columns(series), rows, labels: labels, uncovered: [0, 2, 3])
    #expect(rectangles(svg, "uncovered").count == 3)
    #expect(svg.text.contains("w: data is missing") && svg.text.contains("z: data is missing"))
    #expect(!svg.text.contains("x: data is missing"))
  }

  @Test func `a line has a point for each value and no line across a gap`() throws {
    let values: [Mean] = [
      Mean(total: 4, count: 1), Mean(), Mean(total: 3, count: 1), Mean(total: 5, count: 1),
    ]
    let svg = try drawing(
      .line(series[0], range: 1...5), values.map { [.text("w"), .mean($0), .missing] },
      labels: ["1", "2", "3", "4"])
    #expect(svg.all("circle").count == 3)
    #expect(svg.all("line").filter { $0.attributes["class"] == "stroke main" }.count == 1)
    #expect(svg.all("circle").last?.attributes["cy"] == "14")
  }

  @Test(arguments: [
    (4, ["0", "1", "2", "3", "4"]), (50, ["0", "10", "20", "30", "40", "50"]),
    (51, ["0", "20", "40", "60"]), (153, ["0", "50", "100", "150", "200"]),
  ])
  func `a line over counts has round ticks, and none of its points is above the last`(
    most: Int, expected: [String]
  ) throws {
    let svg = try drawing(
      .line(series[0], range: 0...Double(most)),
      [0, 0, 0, most].map { [.text("w"), .count($0), .missing] }, labels: ["1", "2", "3", "4"])
    let ticks = svg.all("text").filter { $0.attributes["class"]?.hasPrefix("tick y") == true }
    #expect(ticks.map(\.text) == expected)
    let heights = svg.all("circle").compactMap { $0.attributes["cy"].flatMap(Double.init) }
    let isReached = expected.last == "\(most)"
    #expect(heights.first == 164 && heights.count == 4)
    #expect(isReached ? heights.last == 14 : (heights.last ?? 0) > 14)
  }

  @Test(arguments: [
    (Cell.count(1204), "1,204", 1204.0), (.rate(Ratio(3, of: 8)), "38%", 50),
    (.ratio(Ratio(1, of: 4)), "25%", 50), (.mean(Mean(total: 10, count: 3)), "3.33", 5),
  ])
  func `the few points of a line have their values beside them, a share as a percentage`(
    cell: Cell, expected: String, upper: Double
  ) throws {
    let svg = try drawing(
      .line(series[0], range: 0...upper),
      Array(repeating: [.text("w"), cell, .missing], count: 3), labels: ["1", "2", "3"])
    let marks = svg.all("text").filter { $0.attributes["class"] == "mark" }
    #expect(marks.map(\.text) == [expected, expected, expected])
  }

  @Test(arguments: [
    (11.0, ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11"]),
    (12, ["1", "6", "11", "16"]), (200_001, ["1", "50,001", "100,001", "150,001", "200,001"]),
    (1e15, nil),
  ])
  func `a line that does not begin at 0 has few ticks, however long it is`(
    upper: Double, expected: [String]?
  ) throws {
    let svg = try drawing(
      .line(series[0], range: 1...upper),
      [1, 2, 3].map { [.text("w"), .count($0), .missing] }, labels: ["1", "2", "3"])
    let ticks = svg.all("text").filter { $0.attributes["class"]?.hasPrefix("tick y") == true }
    #expect(expected.map { $0 == ticks.map(\.text) } ?? (ticks.count < 8), "\(ticks.map(\.text))")
  }

  @Test
  func `heat has shade 0 for 0, and of five shades one for each fifth of the other numbers`() throws
  {
    let rows: [[Cell]] = [
      [.text("0"), .count(0), .count(100)], [.text("1"), .count(1), .count(20)],
      [.text("2"), .count(21), .count(80)],
    ]
    let svg = try drawing(.heatMap, rows, labels: ["0", "1", "2"])
    #expect(
      svg.all("rect").map { $0.attributes["class"] } == [
        "heat-0", "heat-1", "heat-3", "heat-5", "heat-2", "heat-4",
      ])
    #expect(svg.text.contains("B 0: 100"))
  }

  @Test(arguments: [
    ([1, 9, 9, 9], [1, 5, 5, 5]), ([5, 5, 9], [1, 1, 5]), ([7], [5]), ([3, 3], [5, 5]),
    ([1, 2, 3, 4, 5, 6], [1, 1, 2, 3, 4, 5]),
  ])
  func `equal numbers have one shade, and the largest the last`(
    counts: [Int], shades: [Int]
  ) throws {
    let svg = try drawing(
      .heatMap, counts.map { [.text("x"), .count($0), .missing] }, labels: counts.map { "\($0)" })
    let classes = svg.all("rect").map { $0.attributes["class"] }.prefix(counts.count)
    #expect(Array(classes) == shades.map { "heat-\($0)" })
  }

  @Test func `hours that are not in the period are no shade of heat, but a pattern`() throws {
    let svg = try drawing(
      .heatMap, [[.text("0"), .count(0), .missing], [.text("1"), .count(5), .missing]],
      labels: ["0", "1"])
    #expect(
      svg.all("rect").map { $0.attributes["class"] } == [
        "heat-0", "heat-5", "heat-none", "heat-none",
      ])
    #expect(svg.text.contains("B 1: not in the period"))
  }

  @Test func `days of which nothing is known are hatched; days of 0 are not`() throws {
    let rows: [[Cell]] = [
      [.text("x"), .missing, .missing], [.text("y"), .count(0), .count(0)],
      [.text("z"), .count(4), .count(1)], [.text("w"), .count(4), .count(1)],
    ]
    let svg = try drawing(.columns(series), rows, labels: ["x", "y", "z", "w"])
    #expect(rectangles(svg, "uncovered").map { $0.attributes["height"] } == ["190"])
    #expect(svg.text.contains("x: data is missing"))
  }

  @Test(arguments: [(0, false), (1, true), (2, true), (3, false)])
  func `one or two points are a sentence, three a drawing`(known: Int, isSentence: Bool) throws {
    let rows: [[Cell]] = (0..<5).map { row in
      [.text("w"), row < known ? .mean(Mean(total: 120, count: 40)) : .mean(Mean()), .missing]
    }
    for form in [ChartForm.line(series[0], range: 1...5), .columns([series[0]])] {
      let chart = chart(form, rows, labels: ["p", "q", "r", "s", "t"])
      #expect(chart.isSentence == isSentence)
      let words = CellWords(time: TimeWords(context: SampleReports.context))
      if known == 2 { #expect(chart.sentence(words) == "p: a 3.00. q: a 3.00.") }
    }
  }

  @Test func `bars carry their numbers and the colour of their class`() throws {
    let rows: [[Cell]] = [
      [.text("5"), .count(8), .ratio(Ratio(8, of: 40))],
      [.text("1"), .count(2), .ratio(Ratio(2, of: 40))],
    ]
    let svg = try drawing(.bars(column: "a", tones: [.good, .poor]), rows, labels: ["5", "1"])
    #expect(rectangles(svg, "good").map { $0.attributes["width"] } == ["100%"])
    #expect(rectangles(svg, "poor").map { $0.attributes["width"] } == ["25%"])
    #expect(svg.text.contains("8 · 20% of 40"))
  }

  @Test func `each drawing names itself and says what it shows`() throws {
    let svg = try drawing(.heatMap, [[.text("0"), .count(1), .count(2)]], labels: ["0"])
    #expect(svg.children.prefix(2).map(\.name) == ["title", "desc"])
    #expect(svg.children[1].text == "A picture.")
    #expect(svg.attributes["aria-labelledby"] == "t-svg-title t-svg-desc")
  }
}
