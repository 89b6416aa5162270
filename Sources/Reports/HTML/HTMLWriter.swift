import Model
import XML

/// Writes a report as one HTML file that loads nothing: docs/reports.md#formats.
package enum HTMLWriter {
  package static func bytes(
    of report: Report, in layout: PageLayout = .whole
  ) throws(ReportsError) -> [UInt8] {
    try bytes(named: report.name.rawValue, layout) { write(HTMLPage(report, out: $0)) }
  }

  /// All reports on one page, each as an article whose id is the name of the report.
  package static func bytes(
    of reports: [Report], in layout: PageLayout
  ) throws(ReportsError) -> [UInt8] {
    try bytes(named: PageLayout.singleName, layout) { write(reports, $0) }
  }

  private static func bytes(
    named name: String, _ layout: PageLayout, write: (MarkupStream) -> Void
  ) throws(ReportsError) -> [UInt8] {
    let out = MarkupStream(layout)
    write(out)
    guard let bytes = out.bytes() else { throw .writerFailed(page: name) }
    return bytes
  }

  private static func write(_ page: HTMLPage) {
    document(page, [page.report], class: "page-\(page.report.name.rawValue)") {
      Masthead(page: page).write()
      page.out.element("main", .id("content")) { content(page) }
      PageFooter(page: page).write(hasMarkedCells: page.report.hasMarkedCells)
    }
  }

  private static func write(_ reports: [Report], _ out: MarkupStream) {
    guard let first = reports.first.map({ HTMLPage($0, out: out) }) else { return }
    document(first, reports, class: "page-together") {
      out.element("header", .class("masthead")) { Masthead(page: first).runningHead() }
      out.element("main", .id("content")) {
        for page in reports.map({ HTMLPage($0, out: out) }) {
          out.element("article", .id(page.report.name.rawValue)) {
            out.prefixing("\(page.report.name.rawValue)-") {
              Masthead(page: page).title()
              content(page)
            }
          }
        }
      }
      PageFooter(page: first).write(hasMarkedCells: reports.contains { $0.hasMarkedCells })
    }
  }

  private static func document(
    _ page: HTMLPage, _ reports: [Report], class name: String, body: () -> Void
  ) {
    let out = page.out
    let scripts = PageScript.needed(by: reports)
    out.doctype()
    out.element("html", .plain("lang", "en")) {
      PageHead(page: page, scripts: scripts, hasPopups: reports.contains { $0.hasPopups }).write()
      out.element("body", .class(name)) {
        if reports.contains(where: \.hasDrawings) { Hatching.write(to: out) }
        out.element("a", .class("skip"), .href(anchor: "content"), text: "Skip to the content")
        body()
        for script in scripts { out.element("script") { out.script(script) } }
      }
    }
  }

  private static func content(_ page: HTMLPage) {
    guard page.report.hasContents else { return body(page) }
    page.out.element("div", .class("with-contents")) {
      PageContents(page: page).write()
      page.out.element("div") { body(page) }
    }
  }

  private static func body(_ page: HTMLPage) {
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

/// What every part of a page needs: the stream, the words and the report.
struct HTMLPage {
  let out: MarkupStream
  let words: CellWords
  let report: Report

  init(_ report: Report, out: MarkupStream) {
    self.out = out
    self.report = report
    words = CellWords(time: TimeWords(context: report.context))
  }

  var time: TimeWords { words.time }

  var layout: PageLayout { out.layout }
}

/// Writes the foot of a page: notes, and links to the same numbers in other formats.
struct PageFooter {
  let page: HTMLPage

  /// - Parameter hasMarkedCells: whether to explain the mark of small counts.
  func write(hasMarkedCells: Bool) {
    page.out.element("footer", .class("colophon")) {
      if hasMarkedCells {
        page.out.element("p", .id("small-counts"), text: CellWords.smallNote)
      }
      page.out.element("p") {
        otherForms()
        page.out.text("Written by Firetally; nothing on this page is loaded from elsewhere.")
      }
    }
  }

  private func otherForms() {
    let others: [(format: ReportFormat, words: String)] = [
      (.text, "plain text"), (.json, "JSON"), (.csv, "CSV"),
    ].filter { page.layout.formats.contains($0.format) }
    guard !others.isEmpty else { return }
    page.out.text("The same numbers as ")
    for (index, other) in others.enumerated() {
      if index > 0 { page.out.text(index == others.count - 1 ? " and " : ", ") }
      page.out.element("a", .href(page.report.name, other.format), text: other.words)
    }
    page.out.text(". ")
  }
}
