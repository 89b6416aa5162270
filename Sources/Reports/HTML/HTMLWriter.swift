import Model
import XML

/// Writes a report as one HTML file that loads nothing: docs/reports.md#formats.
package enum HTMLWriter {
  package static func bytes(
    of report: Report, in layout: PageLayout = .whole
  ) throws(ReportsError) -> [UInt8] {
    try bytes(named: report.name.rawValue, layout) { out in
      let page = HTMLPage(report, out: out)
      page.document([report], class: "page-\(report.name.rawValue)") {
        out.element("header", .class("masthead")) {
          page.runningHead()
          page.title()
        }
        out.element("main", .id("content")) { page.content() }
        page.footer(hasMarkedCells: report.hasMarkedCells)
      }
    }
  }

  /// All reports on one page, each as an article whose id is the name of the report.
  package static func bytes(
    of reports: [Report], in layout: PageLayout
  ) throws(ReportsError) -> [UInt8] {
    try bytes(named: PageLayout.singleName, layout) { out in
      let pages = reports.map { HTMLPage($0, out: out) }
      pages.first?.document(reports, class: "page-together") {
        out.element("header", .class("masthead")) { pages[0].runningHead() }
        out.element("main", .id("content")) {
          for page in pages {
            out.element("article", .id(page.report.name.rawValue)) {
              out.prefixing("\(page.report.name.rawValue)-") {
                page.title()
                page.content()
              }
            }
          }
        }
        pages[0].footer(hasMarkedCells: reports.contains { $0.hasMarkedCells })
      }
    }
  }

  private static func bytes(
    named name: String, _ layout: PageLayout, write: (MarkupStream) -> Void
  ) throws(ReportsError) -> [UInt8] {
    let out = MarkupStream(layout)
    write(out)
    guard let bytes = out.bytes() else { throw .writerFailed(page: name) }
    return bytes
  }
}

/// What every part of a page needs: the stream, the words and the report.
///
/// `write` takes each kind of value that a report holds.
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

  fileprivate func document(_ reports: [Report], class name: String, body: () -> Void) {
    let scripts = PageScript.needed(by: reports)
    out.doctype()
    out.element("html", .plain("lang", "en")) {
      head(scripts, hasPopups: reports.contains { $0.hasPopups })
      out.element("body", .class(name)) {
        if reports.contains(where: \.hasDrawings) { hatching() }
        out.element("a", .class("skip"), .href(anchor: "content"), text: "Skip to the content")
        body()
        for script in scripts { out.element("script") { out.script(script) } }
      }
    }
  }

  /// Security policy, title and style sheets: ours, then the reader's, whose rules override ours.
  private func head(_ scripts: [PageScript], hasPopups: Bool) {
    let sheets =
      [.shared] + (hasPopups ? [StyleSheet.popups] : []) + (layout.ownStyle.map { [$0] } ?? [])
    let policy = SecurityPolicy.text(styles: sheets.map(\.digest), scripts: scripts.map(\.digest))
    out.element("head") {
      out.element("meta", .plain("charset", "utf-8"))
      out.element(
        "meta", .plain("http-equiv", "Content-Security-Policy"), .plain("content", policy))
      for (name, content) in [
        ("viewport", "width=device-width, initial-scale=1"), ("color-scheme", "light dark"),
        ("referrer", "no-referrer"), ("generator", "Firetally"),
      ] {
        out.element("meta", .plain("name", name), .plain("content", content))
      }
      out.element("title", text: "\(report.title) · \(report.context.appName)")
      for sheet in sheets { out.element("style") { out.styleSheet(sheet) } }
    }
  }

  fileprivate func content() {
    guard report.hasContents else { return body() }
    out.element("div", .class("with-contents")) {
      contents()
      out.element("div") { body() }
    }
  }

  private func body() {
    if !report.headline.isEmpty {
      out.element("section", .class("headline"), .plain("aria-label", "\(report.title): figures")) {
        write(report.headline)
      }
    }
    if report.name != .index, !report.findings.isEmpty {
      out.element(
        "section", .class("findings-band"), .plain("aria-label", "\(report.title): findings")
      ) { write(report.findings) }
    }
    for section in report.sections { write(section) }
  }
}

/// What a page may load and run: only the style sheets and scripts within it.
enum SecurityPolicy {
  /// The Content-Security-Policy that allows style sheets and scripts by their digests.
  ///
  /// No script may turn text into markup: the page allows no policy for trusted types.
  static func text(styles: [String], scripts: [String]) -> String {
    [
      "default-src 'none'", "style-src \(quoted(styles))", "script-src \(quoted(scripts))",
      "base-uri 'none'", "form-action 'none'", "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].joined(separator: "; ")
  }

  private static func quoted(_ digests: [String]) -> String {
    digests.isEmpty ? "'none'" : digests.map { "'\($0)'" }.joined(separator: " ")
  }
}
