/// Writes the list of a long page's sections.
struct PageContents {
  let page: HTMLPage

  func write() {
    page.out.element(
      "nav", .class("page-contents"), .plain("aria-label", "Sections of \(page.report.title)")
    ) {
      page.out.element("ul") {
        for section in page.report.sections {
          page.out.element("li") {
            page.out.element("a", .href(anchor: section.id), text: section.title)
          }
        }
      }
    }
  }
}

extension Report {
  /// Whether the page has so many sections that it begins with a list of them.
  var hasContents: Bool { name != .index && sections.count >= 3 }

  /// Whether the page draws a chart.
  var hasDrawings: Bool {
    sections.flatMap(\.blocks).contains { block in
      guard case .chart(let chart) = block else { return false }
      return !chart.table.rows.isEmpty && !chart.isSentence
    }
  }

  /// Whether the page needs the rules of the popups.
  var hasPopups: Bool {
    sections.flatMap(\.blocks).contains { block in
      if case .popups = block { true } else { false }
    }
  }
}

/// Writes the patterns that drawings fill shapes with: a second sign beside the colour.
enum Hatching {
  static func write(to out: MarkupStream) {
    out.element(
      "svg", .class("patterns"), .plain("width", 0), .plain("height", 0), .hiddenFromReaders
    ) {
      out.element("defs") {
        for name in ["blocked", "absent"] { pattern(name, out) }
      }
    }
  }

  private static func pattern(_ name: String, _ out: MarkupStream) {
    out.element(
      "pattern", .id("hatch-\(name)"), .plain("width", 5), .plain("height", 5),
      .plain("patternUnits", "userSpaceOnUse"), .plain("patternTransform", "rotate(45)")
    ) {
      for (part, width) in [("ground", 5.0), ("stripe", 1.5)] {
        out.element(
          "rect", .class("\(name)-\(part)"), .plain("width", width), .plain("height", 5))
      }
    }
  }
}
