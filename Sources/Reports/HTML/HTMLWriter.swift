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

/// An HTML document under construction, escaped and nested by libxml2's `xmlTextWriter`.
///
/// The document is both HTML5 and well-formed XML: void elements close themselves, all others get
/// an end tag. Texts and attribute values pass through `VisibleText`, so that text from the network
/// cannot become markup.
final class MarkupStream {
  private let writer = XMLWriter()
  let layout: PageLayout
  /// The prefix of ids; empty unless several reports share the page.
  private(set) var prefix = ""

  init(_ layout: PageLayout = .whole) {
    self.layout = layout
  }

  /// Writes content whose ids and anchors begin with the prefix.
  func prefixing(_ prefix: String, content: () -> Void) {
    let outer = self.prefix
    self.prefix = prefix
    content()
    self.prefix = outer
  }

  func doctype() {
    writer.doctype("html")
  }

  func element(_ tag: Tag, _ attributes: Attribute..., content: () -> Void = {}) {
    element(tag, attributes, content: content)
  }

  func element(_ tag: Tag, _ attributes: [Attribute], content: () -> Void = {}) {
    writer.start(tag.name)
    for attribute in attributes { write(attribute) }
    content()
    writer.end(hasEndTag: !tag.closesItself)
  }

  func element(_ tag: Tag, _ attributes: Attribute..., text: String) {
    element(tag, attributes) { self.text(text) }
  }

  /// Writes words from outside, which keep their own direction.
  func isolated(_ tag: Tag, _ attributes: Attribute..., text: String) {
    element(tag, attributes) { element("bdi", text: text) }
  }

  /// What every head says of its page, and more of it.
  func properties(_ more: KeyValuePairs<String, String>) {
    let shared = [
      ("viewport", "width=device-width, initial-scale=1"), ("color-scheme", "light dark"),
    ]
    for (name, content) in shared + more.map({ ($0, $1) }) {
      element("meta", .plain("name", name), .plain("content", content))
    }
  }

  func text(_ text: String) {
    writer.text(VisibleText.of(text))
  }

  /// Writes a style sheet or one of our scripts without escaping: neither ends its element.
  func raw(_ text: String) { writer.raw(text) }

  /// The document with a line feed at its end; nil when memory ran out in any step.
  func bytes() -> [UInt8]? { writer.bytes() }

  private func write(_ attribute: Attribute) {
    guard let value = attribute.text(in: layout, prefix: prefix) else { return }
    writer.attribute(attribute.name, VisibleText.of(value))
  }
}

/// The name of an element, and whether it has an end tag.
struct Tag: Hashable, Sendable, ExpressibleByStringLiteral {
  let name: String

  init(stringLiteral name: StaticString) {
    self.name = "\(name)"
  }

  /// True for the void elements of HTML, and for shapes of SVG that are always empty here.
  var closesItself: Bool { Tag.selfClosing.contains(name) }

  private static let selfClosing: Set<String> = ["meta", "br", "hr", "col", "line", "stop"]
}

/// An attribute of an element; links can only point into the reports.
struct Attribute: Hashable, Sendable {
  enum Value: Hashable, Sendable {
    case text(String)
    /// Ids of elements of the same report.
    case ids([String])
    /// A link to an element of the same report.
    case anchor(String)
    case address(PageAddress)
  }

  let name: String
  let value: Value

  private init(_ name: String, _ value: Value) {
    self.name = name
    self.value = value
  }

  private init(_ name: String, _ text: String) {
    self.init(name, .text(text))
  }

  /// Attributes whose values are ids of elements.
  private static let naming: Set<String> = [
    "aria-labelledby", "aria-describedby", "aria-controls", "for",
  ]

  /// An attribute that neither loads nor runs anything.
  static func plain(_ name: StaticString, _ value: String) -> Attribute {
    let name = "\(name)"
    guard naming.contains(name) else { return Attribute(name, value) }
    return Attribute(name, .ids(value.split(separator: " ").map(String.init)))
  }

  /// A length or position in SVG.
  static func plain(_ name: StaticString, _ number: Double) -> Attribute {
    Attribute("\(name)", SVGNumber.text(number))
  }

  /// A length or position in SVG, as a percentage of the drawing's width.
  static func percent(_ name: StaticString, _ share: Double) -> Attribute {
    Attribute("\(name)", SVGNumber.text(share * 100) + "%")
  }

  static func `class`(_ names: String) -> Attribute { Attribute("class", names) }

  static func id(_ id: String) -> Attribute { Attribute("id", .ids([id])) }

  static func href(anchor: String) -> Attribute { Attribute("href", .anchor(anchor)) }

  /// Omitted when the report is not written: an `a` without it is text.
  static func href(
    _ report: Report.Name, _ format: ReportFormat = .html, anchor: String? = nil
  ) -> Attribute {
    href(.report(report, format, anchor: anchor))
  }

  static func href(_ address: PageAddress) -> Attribute { Attribute("href", .address(address)) }

  static let hiddenFromReaders = Attribute("aria-hidden", "true")

  /// The text of the value on a page of the layout; nil for a link to a file that is not written.
  ///
  /// Ids begin with the prefix, so that they are unique when several reports share a page.
  func text(in layout: PageLayout, prefix: String) -> String? {
    switch value {
    case .text(let text): text
    case .ids(let ids): ids.map { prefix + $0 }.joined(separator: " ")
    case .anchor(let anchor): "#\(prefix)\(anchor)"
    case .address(let address): layout.address(of: address)
    }
  }
}

/// Coordinates with at most two decimals, so that equal drawings are equal bytes.
enum SVGNumber {
  static func text(_ number: Double) -> String {
    let hundredths = Int((number * 100).rounded())
    let (whole, rest) = hundredths.magnitude.quotientAndRemainder(dividingBy: 100)
    let sign = hundredths < 0 ? "-" : ""
    guard rest > 0 else { return "\(sign)\(whole)" }
    let fraction = rest < 10 ? "0\(rest)" : rest % 10 == 0 ? "\(rest / 10)" : "\(rest)"
    return "\(sign)\(whole).\(fraction)"
  }
}
