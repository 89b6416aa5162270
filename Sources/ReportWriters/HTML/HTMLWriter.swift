import Model
package import Reports

/// Writes a report as one HTML file that loads nothing: docs/reports.md#formats.
package enum HTMLWriter {
  package static func bytes(
    of report: Report, in layout: PageLayout = .whole
  ) throws(ReportWriterError) -> [UInt8] {
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
  ) throws(ReportWriterError) -> [UInt8] {
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
  ) throws(ReportWriterError) -> [UInt8] {
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
        for script in scripts { out.element("script") { out.raw(script.text) } }
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
      out.properties(["referrer": "no-referrer", "generator": "Firetally"])
      out.element("title", text: "\(report.title) · \(report.context.appName)")
      for sheet in sheets { out.element("style") { out.raw(sheet.text) } }
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

/// Writes the top of a page: app, navigation, title, summary, period and time of the data.
extension HTMLPage {
  /// The id of the title when several reports share the page.
  static let titleId = "title"

  func runningHead() {
    out.element("div", .class("running-head")) {
      out.isolated("p", .class("app"), text: VisibleText.clipped(report.context.appName, to: 60))
      navigation()
    }
  }

  func title() {
    out.element("h1", layout.isSingleFile ? [.id(Self.titleId)] : []) { out.text(report.title) }
    out.element("p", .class("summary"), text: report.summary)
    if layout.folder == .pastDay {
      out.element("p", .class("fine")) {
        let day = time.calendar.day(of: report.context.now)
        out.text("Kept as it was on \(day.long). ")
        out.element("a", .href(.newest), text: "The newest report")
        out.element("span", .class(PastDayLinks.Side.earlier.rawValue)) {
          guard let previous = layout.previousDay else { return }
          out.text(" · ")
          out.element("a", .href(.pastDay(previous.day, previous.page))) {
            out.text(PastDayLinks.title(of: previous, on: .earlier))
          }
        }
        // The copy of the next day brings its link: it is written later.
        out.element("span", .class(PastDayLinks.Side.later.rawValue)) {}
      }
    }
    context()
  }

  private func navigation() {
    guard !layout.reports.isEmpty || layout.hasHistory else { return }
    out.element("nav", .plain("aria-label", "Reports")) {
      out.element("ul") {
        for name in Report.Name.pages where layout.reports.contains(name) {
          out.element("li") { link(to: name) }
        }
        if layout.hasHistory { out.element("li") { link(to: .history) } }
      }
    }
  }

  private func link(to name: Report.Name) {
    let isCurrent = name == report.name && (!layout.isSingleFile || name == .history)
    let current = isCurrent ? [Attribute.plain("aria-current", "page")] : []
    out.element("a", [.href(name)] + current) { out.text(name.navigationTitle) }
  }

  private func context() {
    let words = ReportHeadWords(report: report, time: time)
    out.element("dl", .class("frame")) {
      if let period = words.period { entry("Period") { out.text(period) } }
      if let previous = words.previousPeriod { entry("Compared with") { out.text(previous) } }
      entry(report.dataTime.label) {
        guard let at = report.dataTime.at else { return out.text("never") }
        write(at)
        out.text(" (\(time.distance(to: at)))")
      }
      entry("Written") { write(report.context.now) }
      entry("Time zone") { out.text(words.timeZone) }
      if let platform = words.platform { entry("Platform") { out.text(platform) } }
      if let others = words.otherPlatforms { entry("Not counted") { out.text(others) } }
      if let people = words.people { entry("People") { out.text(people) } }
    }
  }

  private func entry(_ term: String, content: () -> Void) {
    out.element("div") {
      out.element("dt", text: term)
      out.element("dd") { content() }
    }
  }
}

extension Report.Name {
  /// The name in the navigation.
  fileprivate var navigationTitle: String {
    switch self {
    case .index: "At a glance"
    case .history: "Past reports"
    case .overview: "All workspaces"
    case .search: "Find"
    case .own: "Your own"
    case .usage, .money, .limits, .popups, .ratings, .users, .runs: rawValue.capitalizedFirst
    }
  }
}

/// The list of a long page's sections, and the foot of each page.
extension HTMLPage {
  static let contentsId = "page-contents"

  func contents() {
    out.element(
      "nav", .id(Self.contentsId), .class("page-contents"),
      .plain("aria-label", "Sections of \(report.title)")
    ) {
      out.element("ul") {
        for section in report.sections {
          out.element("li") {
            out.element("a", .href(anchor: section.id), text: section.title)
          }
        }
      }
    }
  }

  /// Notes, and links to the same numbers in other formats.
  ///
  /// - Parameter hasMarkedCells: whether to explain the mark of small counts.
  func footer(hasMarkedCells: Bool) {
    out.element("footer", .class("colophon")) {
      if hasMarkedCells {
        out.element("p", .id("small-counts"), text: CellWords.smallNote)
      }
      out.element("p") {
        otherForms()
        out.text("Written by Firetally; nothing on this page is loaded from elsewhere.")
      }
    }
  }

  private func otherForms() {
    let others: [(format: ReportFormat, words: String)] = [
      (.text, "plain text"), (.json, "JSON"), (.csv, "CSV"),
    ].filter { layout.formats.contains($0.format) }
    guard !others.isEmpty else { return }
    out.text("The same numbers as ")
    for (index, other) in others.enumerated() {
      if index > 0 { out.text(index == others.count - 1 ? " and " : ", ") }
      out.element("a", .href(report.name, other.format), text: other.words)
    }
    out.text(". ")
  }
}

extension Report {
  /// Whether the page has enough sections to begin with a list of them.
  var hasContents: Bool { name != .index && sections.count >= 3 }

  /// Whether the page draws a chart.
  var hasDrawings: Bool {
    sections.flatMap(\.blocks).compactMap(\.chart).contains {
      !$0.table.rows.isEmpty && !$0.isSentence
    }
  }

  /// Whether the page needs the rules of the popups.
  var hasPopups: Bool { sections.flatMap(\.blocks).contains(where: \.isGallery) }
}

/// The links of a past day's page to the copies before and after it.
///
/// The copy of the next day is written later, and that of the day before is removed sooner, so each
/// link has an element of its own that can be written again.
package enum PastDayLinks {
  package enum Side: String, CaseIterable, Sendable {
    case earlier, later
  }

  /// A page with another link on one side, or none; nil when nothing changes.
  package static func page(
    _ page: [UInt8], with link: PageLayout.PastLink?, on side: Side
  ) -> [UInt8]? {
    let text = String(decoding: page, as: UTF8.self)
    let start = "<span class=\"\(side.rawValue)\">"
    guard let opening = text.firstRange(of: start),
      let end = text[opening.upperBound...].firstRange(of: "</span>")?.lowerBound
    else { return nil }
    let content = link.map { words(of: $0, on: side) } ?? ""
    guard text[opening.upperBound..<end] != content else { return nil }
    return Array((text[..<opening.upperBound] + content + text[end...]).utf8)
  }

  /// Nothing in it needs to be escaped.
  private static func words(of link: PageLayout.PastLink, on side: Side) -> String {
    let address = "../\(link.day.iso8601)/\(link.page.rawValue).html"
    return " · <a href=\"\(address)\">\(title(of: link, on: side))</a>"
  }

  static func title(of link: PageLayout.PastLink, on side: Side) -> String {
    "The one \(side == .earlier ? "before" : "after"), of \(link.day.long)"
  }
}
