import Reports
import XML

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

  /// The void elements of HTML, and the shapes of SVG that are always empty here.
  private static let selfClosing: Set = ["meta", "br", "hr", "col", "line", "stop"]

  func doctype() {
    writer.doctype("html")
  }

  func element(_ tag: StaticString, _ attributes: Attribute..., content: () -> Void = {}) {
    element(tag, attributes, content: content)
  }

  func element(_ tag: StaticString, _ attributes: [Attribute], content: () -> Void = {}) {
    writer.start("\(tag)")
    for attribute in attributes { write(attribute) }
    content()
    writer.end(hasEndTag: !Self.selfClosing.contains("\(tag)"))
  }

  func element(_ tag: StaticString, _ attributes: Attribute..., text: String) {
    element(tag, attributes) { self.text(text) }
  }

  /// Writes words from outside, which keep their own direction.
  func isolated(_ tag: StaticString, _ attributes: Attribute..., text: String) {
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

/// A style sheet within a page: ours (docs/decisions/010-report-design.md) or the reader's.
package struct StyleSheet: Hashable, Sendable {
  /// The text between the tags.
  let text: String
  /// `sha256-` and the digest of the text in base 64; a test checks it for our sheet.
  let digest: String

  /// Colours and type sizes by their roles, for light and dark screens.
  static let paletteRules = text(of: PackageResources.palette_css)
  /// Drawings: a gutter for the axis, hairlines for the grid, one meaning a colour.
  static let chartRules = text(of: PackageResources.charts_css)
  /// The app's popups, 24 px between parts, 4 px bars, 20 px corners: docs/reports.md#popups.
  ///
  /// They keep the app's colours where the reader forces others.
  static let popupRules = text(of: PackageResources.popups_css)

  /// After the page, its sections and tables come drawings, controls that scripts add, wide and
  /// narrow pages, paper, and the index.
  static let shared = StyleSheet(
    text: [
      paletteRules, text(of: PackageResources.page_css), chartRules,
      text(of: PackageResources.controls_css),
    ].joined(separator: "\n"),
    digest: "sha256-aXHfm94weBzqLtounk6ve5yAkonXagn7+w9a3r+esYw=")

  /// The rules of the popups, for the pages that draw them.
  static let popups = StyleSheet(
    text: popupRules, digest: "sha256-mnaWcQUkGpsmkI1X+dHqXSNkaBzagZ2erWdlMIx/tQA=")

  /// A file of the folder `Styles`, which is compiled into the program, without its last line feed.
  private static func text(of file: [UInt8]) -> String {
    String(decoding: file.dropLast(), as: UTF8.self)
  }
}

extension StyleSheet {
  /// The reader's sheet, which follows ours: docs/reports.md#your-own-style-sheet.
  ///
  /// - Parameters:
  ///   - css: a text without a `StyleProblem`, with single line feeds, as the browser digests it.
  ///   - digest: `sha256-` and the SHA-256 of a text in base 64.
  package init(own css: String, digest: (String) -> String) {
    precondition(StyleProblem.all(in: css).isEmpty, "a sheet is checked before it is embedded")
    text = UnescapedText.marked(css)
    self.digest = digest(text)
  }
}

/// The text of a `style` or `script` element, which HTML does not unescape but XML does.
///
/// A CDATA section, within comments of CSS and JavaScript, makes both read the same text.
enum UnescapedText {
  static let start = "/*<![CDATA[*/"
  static let end = "/*]]>*/"

  /// Texts that would end the element or the section early; CSS and our scripts need none of them.
  static let breakouts = ["</", "<!--", "]]>"]

  static func marked(_ text: String) -> String {
    start + "\n" + text + "\n" + end
  }
}

/// A script within a page, for what paper cannot do: docs/reports.md#with-javascript.
///
/// The sources are JavaScript files of the folder `Script`, compiled into the program.
struct PageScript: Hashable, Sendable {
  /// The text between the tags.
  let text: String
  /// `sha256-` and the digest of the text in base 64; a test checks it.
  let digest: String

  /// Sorts and filters tables; the other scripts use its functions.
  static let tables = PageScript(
    [PackageResources.page_js, PackageResources.tables_js],
    digest: "sha256-Jyw60ak8PD8K06gaesduNYkfZVS75zA9OFlBNjNHA1k=")
  /// Chooses the range of days that charts by day draw.
  static let days = PageScript(
    [PackageResources.days_js], digest: "sha256-IYUw+V0p+TGHlitBdULXBkxw62D/VLS9slnZrl0I3qU=")
  /// Searches in comments.
  static let feedback = PageScript(
    [PackageResources.feedback_js], digest: "sha256-HvZ4v8iYc87m0jfWNmSCHuyk8MiqprSqST/H0s0R15U=")
  /// Shows two days of the past reports beside each other.
  static let compare = PageScript(
    [PackageResources.compare_js], digest: "sha256-TTzuj9kgZ1FBsLJ3u4mNRnjHSzSHmQ7tgGTOOKC8Sto=")

  /// The scripts that the pages of the reports need, in the order in which they run.
  static func needed(by reports: [Report]) -> [PageScript] {
    let blocks = reports.flatMap(\.sections).flatMap(\.blocks)
    var scripts = [tables]
    if blocks.compactMap(\.chart).contains(where: \.hasRange) { scripts.append(days) }
    if blocks.contains(where: \.isFeedback) { scripts.append(feedback) }
    if reports.contains(where: { $0.name == .history }) { scripts.append(compare) }
    return scripts
  }

  private init(_ sources: [[UInt8]], digest: String) {
    let lines = sources.flatMap { source in
      String(decoding: source, as: UTF8.self).split(separator: "\n").map { line in
        line.drop { $0 == " " }
      }
    }
    text = UnescapedText.marked(
      lines.filter { !$0.isEmpty && !$0.hasPrefix("//") }.joined(separator: "\n"))
    self.digest = digest
  }
}

extension Block {
  /// Shorter lists have no search.
  private static let fewestSearched = 5

  fileprivate var isFeedback: Bool {
    guard case .feedback(let list) = self else { return false }
    return !list.entries.isEmpty && list.shownLimit >= Block.fewestSearched
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
