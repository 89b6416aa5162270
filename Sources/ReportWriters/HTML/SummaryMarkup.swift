import Model
import Reports

extension ReportSummary {
  /// The summary as the HTML of a mail: one column, styled in place, without scripts or links, and
  /// nothing that is loaded: docs/summary.md#html.
  ///
  /// - Throws: `ReportWriterError.writerFailed` when memory ran out.
  package func html() throws(ReportWriterError) -> [UInt8] {
    let out = MarkupStream()
    SummaryMarkup(self, out: out).document()
    guard let bytes = out.bytes() else { throw .writerFailed(page: "summary") }
    return bytes
  }
}

/// Writes the summary for mail programs.
///
/// Many of them drop style sheets: colours and sizes are in `style`, and the sheet only has what
/// dark screens need.
private struct SummaryMarkup {
  /// The roles of the pages' palette, on light and on dark screens.
  private struct Ink {
    /// Its class, and the colour on light and on dark screens.
    let name: String
    let light: String
    let dark: String

    static let ink = Ink(name: "ink", light: "#1e1d1a", dark: "#e9e6df")
    static let soft = Ink(name: "soft", light: "#5d5850", dark: "#aca79c")
    static let poor = Ink(name: "poor", light: "#b3342b", dark: "#ef8a7f")
    static let middling = Ink(name: "middling", light: "#93610a", dark: "#dba94f")
    static let all = [ink, soft, poor, middling]
  }

  private static let paper = (light: "#fdfcf9", dark: "#161718")
  private static let hair = (light: "#ddd8cc", dark: "#37383a")
  private static let font = "font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif"

  private let summary: ReportSummary
  private let out: MarkupStream
  private let words: CellWords

  init(_ summary: ReportSummary, out: MarkupStream) {
    self.summary = summary
    self.out = out
    words = CellWords(time: TimeWords(context: summary.context))
  }

  func document() {
    out.doctype()
    out.element("html", .plain("lang", "en")) {
      out.element("head") {
        out.element("meta", .plain("charset", "utf-8"))
        out.properties(["supported-color-schemes": "light dark"])
        out.element("title", text: summary.headline)
        out.element("style", text: darkRules)
      }
      out.element("body", .plain("style", "margin:0"), .class("paper")) {
        let colours = "background:\(Self.paper.light);color:\(Ink.ink.light)"
        let style = "\(colours);\(Self.font);padding:16px"
        out.element("div", .class("paper ink"), .plain("style", style)) {
          out.element("div", .plain("style", "max-width:560px;margin:0 auto")) { content() }
        }
      }
    }
  }

  /// Only these win over `style`.
  private var darkRules: String {
    let inks = Ink.all.map { ".\($0.name){color:\($0.dark)!important}" }
    let others = [
      ".paper{background:\(Self.paper.dark)!important}",
      ".hair{border-color:\(Self.hair.dark)!important}",
    ]
    return "@media (prefers-color-scheme:dark){\((inks + others).joined())}"
  }

  private func content() {
    let (context, time) = (summary.context, words.time)
    out.element(
      "h1", .class("ink"),
      .plain("style", "margin:0;font-size:22px;line-height:1.3;color:\(Ink.ink.light)"),
      text: VisibleText.clipped(context.appName, to: 60))
    paragraph("\(time.dateAndTime(context.now)) (\(context.timeZone))", .soft, size: 14, space: 0)
    let period = time.period(from: context.start, to: context.end)
    paragraph("Counted: \(period), \(summary.platformWords)", .soft, size: 14, space: 0)
    if summary.findings.isEmpty { paragraph(summary.verdict) }
    if !summary.findings.contains(where: { $0.report == .runs && $0.level >= .warn }) {
      paragraph(summary.sentence)
    }
    for finding in summary.findings { write(finding) }
    if !summary.said.isEmpty { paragraph(summary.said.joined(separator: " ")) }
    figures()
    if summary.figures.flatMap(\.cells).contains(where: CellWords.isMarked) {
      paragraph(CellWords.smallNote, .soft, size: 14)
    }
  }

  private func paragraph(_ text: String, _ ink: Ink = .ink, size: Int = 16, space: Int = 16) {
    out.element(
      "p", .class(ink.name),
      .plain("style", "margin:\(space)px 0 0;font-size:\(size)px;color:\(ink.light)"),
      text: VisibleText.line(text))
  }

  private func write(_ finding: Finding) {
    let ink: Ink =
      switch finding.level {
      case .error: .poor
      case .warn: .middling
      case .notice, .pass: .soft
      }
    paragraph("\(finding.level.sign) \(finding.level.word)", ink, size: 14)
    paragraph(finding.sentence, space: 0)
    for line in finding.shortSupport { paragraph(line, .soft, size: 14, space: 2) }
  }

  /// A figure a row: its name with what it was before below it, and its value.
  private func figures() {
    let style = "width:100%;margin:16px 0 0;border-collapse:collapse;\(Self.font)"
    out.element("table", .plain("style", style)) {
      for figure in summary.figures {
        out.element("tr") {
          cell("th", "text-align:left", [.plain("scope", "row")]) {
            out.text(figure.label)
            let notes = [
              summary.fetched(figure, words.time), summary.beforeWords(of: figure, words),
            ]
            for line in notes.compactMap(\.self) {
              out.element("br")
              out.element(
                "span", .class(Ink.soft.name),
                .plain("style", "font-size:14px;color:\(Ink.soft.light)"), text: line)
            }
          }
          cell("td", "padding-left:12px;text-align:right;white-space:nowrap") {
            out.text(summary.valueWords(of: figure, words))
          }
        }
      }
    }
  }

  private func cell(
    _ tag: StaticString, _ style: String, _ more: [Attribute] = [], content: () -> Void
  ) {
    let border = "border-top:1px solid \(Self.hair.light)"
    let shared = "padding:6px 0;vertical-align:top;font-weight:400;color:\(Ink.ink.light)"
    out.element(
      tag, [.class("hair ink"), .plain("style", "\(shared);\(border);\(style)")] + more,
      content: content)
  }
}
