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
