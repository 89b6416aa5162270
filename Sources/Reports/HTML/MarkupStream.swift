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

  func text(_ text: String) {
    writer.text(VisibleText.of(text))
  }

  /// Writes a style sheet without escaping; it contains neither `<` nor `&`.
  func styleSheet(_ sheet: StyleSheet) {
    writer.raw(sheet.text)
  }

  /// Writes one of our scripts without escaping.
  func script(_ script: PageScript) {
    writer.raw(script.text)
  }

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
