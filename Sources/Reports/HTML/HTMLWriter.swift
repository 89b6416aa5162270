import Model

/// A report as one HTML file that needs nothing else: docs/reports.md#formats.
package enum HTMLWriter {
  package static func bytes(of report: Report) throws(ReportsError) -> [UInt8] {
    guard let out = MarkupStream() else {
      throw .writerFailed(page: report.name.rawValue)
    }
    write(Page(report, out: out))
    guard let bytes = out.bytes() else { throw .writerFailed(page: report.name.rawValue) }
    return bytes
  }

  private static func write(_ page: Page) {
    let out = page.out
    out.doctype()
    out.element("html", .plain("lang", "en")) {
      head(page)
      out.element("body", .class("page-\(page.report.name.rawValue)")) {
        out.element("a", .class("skip"), .href(anchor: "content"), text: "Skip to the content")
        Masthead(page: page).write()
        out.element("main", .id("content")) { content(page) }
        Colophon(page: page).write()
      }
    }
  }

  private static func head(_ page: Page) {
    let out = page.out
    let report = page.report
    out.element("head") {
      out.element("meta", .plain("charset", "utf-8"))
      out.element(
        "meta", .plain("http-equiv", "Content-Security-Policy"),
        .plain("content", StyleSheet.shared.contentSecurityPolicy))
      out.element(
        "meta", .plain("name", "viewport"), .plain("content", "width=device-width, initial-scale=1")
      )
      out.element("meta", .plain("name", "color-scheme"), .plain("content", "light dark"))
      out.element("meta", .plain("name", "referrer"), .plain("content", "no-referrer"))
      out.element("meta", .plain("name", "generator"), .plain("content", "Firetally"))
      out.element("title", text: "\(report.title) · \(report.frame.appName)")
      out.element("style") { out.styleSheet(.shared) }
    }
  }

  private static func content(_ page: Page) {
    let report = page.report
    if !report.headline.isEmpty {
      page.out.element("section", .class("headline"), .plain("aria-label", "Figures")) {
        FiguresMarkup(page: page).write(report.headline)
      }
    }
    if report.name != .index, !report.findings.isEmpty {
      page.out.element("section", .class("findings-band"), .plain("aria-label", "Findings")) {
        FindingsMarkup(page: page).write(report.findings)
      }
    }
    for section in report.sections { SectionMarkup(page: page).write(section) }
  }
}
