/// A bar before a number in a table; the number says the same, so readers need not hear it.
struct BarDrawing {
  let page: Page

  func write(share: Double) {
    page.out.element(
      "svg", .class("bar"), .plain("width", "100%"), .plain("height", 10), .hiddenFromReaders
    ) {
      page.out.element(
        "rect", .percent("width", min(max(share, 0), 1)), .plain("height", 10), .class("main"))
    }
  }
}

/// The 4 px bar of a wait, shrinking from right to left.
struct CountdownDrawing {
  let page: Page

  func write(share: Double) {
    page.out.element(
      "svg", .class("countdown"), .plain("width", "100%"), .plain("height", 4), .hiddenFromReaders
    ) {
      page.out.element(
        "rect", .class("track"), .plain("width", "100%"), .plain("height", 4), .plain("rx", 2))
      page.out.element(
        "rect", .class("left"), .percent("width", min(max(share, 0), 1)), .plain("height", 4),
        .plain("rx", 2))
    }
  }
}

/// A row of small columns, one a day: the course of a number inside a table.
struct TrendDrawing {
  private static let height = 24.0

  let page: Page

  func write(_ counts: [Int], words: String) {
    let most = Double(max(counts.max() ?? 0, 1))
    page.out.element(
      "svg", .class("trend"), .plain("height", TrendDrawing.height), .plain("role", "img"),
      .plain("aria-label", words)
    ) {
      page.out.element("title", text: words)
      for (position, count) in counts.enumerated() where count > 0 {
        let height = max(1, TrendDrawing.height * Double(count) / most)
        page.out.element(
          "rect", .class("main"), .percent("x", Double(position) / Double(counts.count)),
          .plain("y", TrendDrawing.height - height), .percent("width", 0.72 / Double(counts.count)),
          .plain("height", height))
      }
    }
  }
}
