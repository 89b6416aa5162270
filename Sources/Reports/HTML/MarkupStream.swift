import CLibXML2

/// An HTML document under construction, escaped and nested by libxml2's `xmlTextWriter`.
///
/// The document is both HTML5 and well-formed XML: void elements close themselves, all others get
/// an end tag. Texts and attribute values pass through `VisibleText`, so that text from the network
/// cannot become markup.
final class MarkupStream {
  private let buffer: xmlBufferPtr
  private let writer: xmlTextWriterPtr
  private var hasFailed = false
  let layout: PageLayout
  /// The prefix of ids; empty unless several reports share the page.
  private(set) var prefix = ""

  /// Nil when libxml2 runs out of memory.
  init?(_ layout: PageLayout = .whole) {
    guard let buffer = xmlBufferCreate() else { return nil }
    guard let writer = xmlNewTextWriterMemory(buffer, 0) else {
      xmlBufferFree(buffer)
      return nil
    }
    self.buffer = buffer
    self.writer = writer
    self.layout = layout
  }

  deinit {
    xmlFreeTextWriter(writer)
    xmlBufferFree(buffer)
  }

  /// Writes content whose ids and anchors begin with the prefix.
  func prefixing(_ prefix: String, content: () -> Void) {
    let outer = self.prefix
    self.prefix = prefix
    content()
    self.prefix = outer
  }

  func doctype() {
    note("html".withXMLCharacters { xmlTextWriterWriteDTD(writer, $0, nil, nil, nil) })
  }

  func element(_ tag: Tag, _ attributes: Attribute..., content: () -> Void = {}) {
    element(tag, attributes, content: content)
  }

  func element(_ tag: Tag, _ attributes: [Attribute], content: () -> Void = {}) {
    note(tag.name.withXMLCharacters { xmlTextWriterStartElement(writer, $0) })
    for attribute in attributes { write(attribute) }
    content()
    note(tag.closesItself ? xmlTextWriterEndElement(writer) : xmlTextWriterFullEndElement(writer))
  }

  func element(_ tag: Tag, _ attributes: Attribute..., text: String) {
    element(tag, attributes) { self.text(text) }
  }

  func text(_ text: String) {
    note(VisibleText.of(text).withXMLCharacters { xmlTextWriterWriteString(writer, $0) })
  }

  /// Writes a style sheet without escaping; it contains neither `<` nor `&`.
  func styleSheet(_ sheet: StyleSheet) {
    note(sheet.text.withXMLCharacters { xmlTextWriterWriteRaw(writer, $0) })
  }

  /// Writes one of our scripts without escaping.
  func script(_ script: PageScript) {
    note(script.text.withXMLCharacters { xmlTextWriterWriteRaw(writer, $0) })
  }

  /// The document with a line feed at its end; nil when libxml2 ran out of memory in any step.
  func bytes() -> [UInt8]? {
    note(xmlTextWriterEndDocument(writer))
    note(xmlTextWriterFlush(writer))
    guard !hasFailed, let content = xmlBufferContent(buffer) else { return nil }
    return Array(UnsafeBufferPointer(start: content, count: Int(xmlBufferLength(buffer))))
  }

  private func write(_ attribute: Attribute) {
    guard let value = attribute.text(in: layout, prefix: prefix) else { return }
    let status = attribute.name.withXMLCharacters { name in
      VisibleText.of(value).withXMLCharacters { value in
        xmlTextWriterWriteAttribute(writer, name, value)
      }
    }
    note(status)
  }

  private func note(_ status: Int32) {
    if status < 0 { hasFailed = true }
  }
}

extension String {
  fileprivate func withXMLCharacters(_ body: (UnsafePointer<UInt8>) -> Int32) -> Int32 {
    withCString(encodedAs: UTF8.self, body)
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

/// The libxml2 that writes the pages.
package enum XMLLibrary {
  /// `2.9.14`.
  package static var version: String { version(of: String(cString: firetally_xml_version())) }

  /// The number that libxml2 calls its version, in parts: `20914-GIT...` is 2.9.14.
  static func version(of text: String) -> String {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard let number = Int(digits), number >= 10_000 else { return text }
    return "\(number / 10_000).\(number / 100 % 100).\(number % 100)"
  }
}
