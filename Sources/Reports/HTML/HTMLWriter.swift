import Model

/// A report as one HTML file that needs nothing else: docs/reports.md#formats.
package enum HTMLWriter {
  package static func bytes(
    of report: Report, in layout: PageLayout = .whole
  ) throws(ReportsError) -> [UInt8] {
    try bytes(named: report.name.rawValue, layout) { write(Page(report, out: $0)) }
  }

  /// All the reports as one page, each an article with the name of the report as its anchor.
  package static func bytes(
    of reports: [Report], in layout: PageLayout
  ) throws(ReportsError) -> [UInt8] {
    try bytes(named: PageLayout.singleName, layout) { write(reports, $0) }
  }

  private static func bytes(
    named name: String, _ layout: PageLayout, write: (MarkupStream) -> Void
  ) throws(ReportsError) -> [UInt8] {
    guard let out = MarkupStream(layout) else { throw .writerFailed(page: name) }
    write(out)
    guard let bytes = out.bytes() else { throw .writerFailed(page: name) }
    return bytes
  }

  private static func write(_ page: Page) {
    document(page, [page.report], class: "page-\(page.report.name.rawValue)") {
      Masthead(page: page).write()
      page.out.element("main", .id("content")) { content(page) }
      Colophon(page: page).write(hasMarkedCells: page.report.hasMarkedCells)
    }
  }

  private static func write(_ reports: [Report], _ out: MarkupStream) {
    guard let first = reports.first.map({ Page($0, out: out) }) else { return }
    document(first, reports, class: "page-together") {
      out.element("header", .class("masthead")) { Masthead(page: first).runningHead() }
      out.element("main", .id("content")) {
        for page in reports.map({ Page($0, out: out) }) {
          out.element("article", .id(page.report.name.rawValue)) {
            out.prefixing("\(page.report.name.rawValue)-") {
              Masthead(page: page).title()
              content(page)
            }
          }
        }
      }
      Colophon(page: first).write(hasMarkedCells: reports.contains { $0.hasMarkedCells })
    }
  }

  private static func document(
    _ page: Page, _ reports: [Report], class name: String, body: () -> Void
  ) {
    let out = page.out
    let scripts = PageScript.needed(by: reports)
    out.doctype()
    out.element("html", .plain("lang", "en")) {
      PageHead(page: page, scripts: scripts).write()
      out.element("body", .class(name)) {
        out.element("a", .class("skip"), .href(anchor: "content"), text: "Skip to the content")
        body()
        for script in scripts { out.element("script") { out.script(script) } }
      }
    }
  }

  private static func content(_ page: Page) {
    let report = page.report
    if !report.headline.isEmpty {
      page.out.element(
        "section", .class("headline"), .plain("aria-label", "\(report.title): figures")
      ) {
        FiguresMarkup(page: page).write(report.headline)
      }
    }
    if report.name != .index, !report.findings.isEmpty {
      page.out.element(
        "section", .class("findings-band"), .plain("aria-label", "\(report.title): findings")
      ) {
        FindingsMarkup(page: page).write(report.findings)
      }
    }
    for section in report.sections { SectionMarkup(page: page).write(section) }
  }
}
