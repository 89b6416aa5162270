import Reports

/// The area of a drawing over rows in a line: its slots from left to right, and what is behind the
/// values.
struct Plot {
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
