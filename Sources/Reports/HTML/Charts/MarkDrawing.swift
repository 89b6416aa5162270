/// Draws a line at each marked place of a drawing by day, with the numbers of its marks above.
struct MarkDrawing {
  /// A digit's share of the narrowest drawing, and the space between two labels.
  private static let digit = 0.03

  let drawing: Drawing

  /// Numbers that are too near each other to be read are written as a range, between them.
  ///
  /// - Parameters:
  ///   - marks: numbers in a row, with their places as shares of the width, in order.
  ///   - top: where the lines begin, in pixels.
  ///   - bottom: where they end.
  func write(_ marks: [(number: Int, place: Double)], from top: Double, to bottom: Double) {
    for mark in marks {
      drawing.line(from: (mark.place, top - 3), to: (mark.place, bottom), class: "marked")
    }
    for label in MarkDrawing.labels(of: marks) {
      drawing.text(label.text, x: label.middle, y: 10, class: "mark")
    }
  }

  struct Label {
    var numbers: ClosedRange<Int>
    var places: ClosedRange<Double>

    var middle: Double { (places.lowerBound + places.upperBound) / 2 }

    /// `1` or `1–3`.
    var text: String {
      numbers.count == 1
        ? "\(numbers.lowerBound)" : "\(numbers.lowerBound)–\(numbers.upperBound)"
    }

    func isNear(_ next: Label) -> Bool {
      next.middle - middle < (Double(text.count + next.text.count) / 2 + 1) * digit
    }
  }

  static func labels(of marks: [(number: Int, place: Double)]) -> [Label] {
    var labels: [Label] = []
    for (number, place) in marks {
      var label = Label(numbers: number...number, places: place...place)
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
