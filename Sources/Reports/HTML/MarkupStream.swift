import CLibXML2

/// A growing HTML document, escaped and nested by libxml2's `xmlTextWriter`.
///
/// What it writes is HTML5 and well-formed XML at once: elements that HTML leaves empty are
/// self-closed, all others get their end tag. Text and attribute values pass `VisibleText`, so
/// nothing from the network can become markup or steer the page.
final class MarkupStream {
  private let buffer: xmlBufferPtr
  private let writer: xmlTextWriterPtr
  private var hasFailed = false
  let layout: PageLayout
  /// What ids begin with; empty but where several reports share the page.
  private(set) var prefix = ""

  /// Nil when libxml2 has no memory.
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

  /// Writes content whose ids and anchors begin with a name of their own.
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

  /// Writes our own style sheet as it is; it holds neither `<` nor `&`.
  func styleSheet(_ sheet: StyleSheet) {
    note(sheet.text.withXMLCharacters { xmlTextWriterWriteRaw(writer, $0) })
  }

  /// Writes one of our own scripts as it is.
  func script(_ script: PageScript) {
    note(script.text.withXMLCharacters { xmlTextWriterWriteRaw(writer, $0) })
  }

  /// The document, with a line feed at its end; nil when any step failed for lack of memory.
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
