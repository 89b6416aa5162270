/// Draws a bar before a number in a table; hidden from screen readers, which read the number.
struct BarDrawing {
  let page: HTMLPage

  func write(share: Double) {
    page.out.element(
      "svg", .class("bar"), .plain("width", "100%"), .plain("height", 10), .hiddenFromReaders
    ) {
      page.out.element(
        "rect", .percent("width", min(max(share, 0), 1)), .plain("height", 10), .class("main"))
    }
  }
}

/// Draws the 4 px bar of a wait, which shrinks from right to left.
struct CountdownDrawing {
  let page: HTMLPage

  func write(share: Double) {
    bar {
      part("track", from: 0, width: 1, radius: 2)
      part("left", from: 0, width: min(max(share, 0), 1), radius: 2)
    }
  }

  /// Covers the elapsed part of a background with a gradient.
  func writeRest(share: Double) {
    let share = min(max(share, 0), 1)
    bar { part("track", from: share, width: 1 - share, radius: 0) }
  }

  private func bar(content: () -> Void) {
    page.out.element(
      "svg", .class("countdown"), .plain("width", "100%"), .plain("height", 4), .hiddenFromReaders,
      content: content)
  }

  private func part(_ name: String, from start: Double, width: Double, radius: Double) {
    page.out.element(
      "rect", .class(name), .percent("x", start), .percent("width", width), .plain("height", 4),
      .plain("rx", radius))
  }
}

/// Draws a trend in a table as a row of small columns, one a day.
struct TrendDrawing {
  private static let height = 24.0
  /// More columns would be thinner than a line.
  private static let mostColumns = 62

  let page: HTMLPage

  /// Draws sums of neighbours when there are too many counts; what is unknown is hatched.
  func write(_ counts: [Int?], words: String) {
    let counts = counts.folded(to: TrendDrawing.mostColumns).counts
    let most = Double(max(counts.compactMap(\.self).max() ?? 0, 1))
    page.out.element(
      "svg", .class(counts.contains(nil) ? "drawing trend" : "trend"),
      .plain("height", TrendDrawing.height), .plain("role", "img"),
      .plain("aria-label", words)
    ) {
      page.out.element("title", text: words)
      for (position, count) in counts.enumerated() where count != 0 {
        let height =
          count.map { max(1, TrendDrawing.height * Double($0) / most) }
          ?? TrendDrawing.height
        page.out.element(
          "rect", .class(count == nil ? "uncovered" : "main"),
          .percent("x", Double(position) / Double(counts.count)),
          .plain("y", TrendDrawing.height - height), .percent("width", 0.72 / Double(counts.count)),
          .plain("height", height))
      }
    }
  }
}
