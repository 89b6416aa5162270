/// The frame of an inline SVG: widths in percent and heights in pixels, so that text never scales.
struct Drawing {
  let page: Page

  /// An image with a title and a description for those who do not see it, the chart's unless told.
  func image(
    _ chart: Chart, _ kind: String, height: Double, alternative: String? = nil,
    content: () -> Void
  ) {
    let id = chart.table.id
    page.out.element(
      "svg", .class("drawing \(kind)"), .plain("width", "100%"), .plain("height", height),
      .plain("role", "img"), .plain("aria-labelledby", "\(id)-svg-title \(id)-svg-desc")
    ) {
      page.out.element("title", .id("\(id)-svg-title"), text: chart.title)
      page.out.element("desc", .id("\(id)-svg-desc"), text: alternative ?? chart.alternative)
      content()
    }
  }

  /// A rectangle with a hint under the pointer, when there is one.
  func rectangle(
    x: Double, y: Double, width: Double, height: Double, class names: String, hint: String? = nil
  ) {
    page.out.element(
      "rect", .class(names), .percent("x", x), .plain("y", y), .percent("width", width),
      .plain("height", height)
    ) {
      if let hint { page.out.element("title", text: hint) }
    }
  }

  func line(from start: (x: Double, y: Double), to end: (x: Double, y: Double), class name: String)
  {
    page.out.element(
      "line", .class(name), .percent("x1", start.x), .plain("y1", start.y), .percent("x2", end.x),
      .plain("y2", end.y))
  }

  /// Text at a share of the width, moved by `dx` pixels.
  func text(_ text: String, x: Double, y: Double, dx: Double = 0, class names: String) {
    page.out.element(
      "text", .class(names), .percent("x", x), .plain("y", y), .plain("dx", dx), text: text)
  }
}
