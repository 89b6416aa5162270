import CLibXML2

/// Writes a document in memory with libxml2's `xmlTextWriter`, which escapes and nests.
///
/// The end reports memory that ran out in any step.
package final class XMLWriter {
  private let buffer: xmlBufferPtr
  private let writer: xmlTextWriterPtr
  private var hasFailed = false

  package init() {
    guard let buffer = xmlBufferCreate(), let writer = xmlNewTextWriterMemory(buffer, 0) else {
      preconditionFailure("no memory for a document")
    }
    self.buffer = buffer
    self.writer = writer
  }

  deinit {
    xmlFreeTextWriter(writer)
    xmlBufferFree(buffer)
  }

  /// `<!DOCTYPE name>`.
  package func doctype(_ name: String) {
    check(name.withXMLCharacters { xmlTextWriterWriteDTD(writer, $0, nil, nil, nil) })
  }

  package func start(_ name: String) {
    check(name.withXMLCharacters { xmlTextWriterStartElement(writer, $0) })
  }

  /// Ends the innermost element; `hasEndTag` is whether an empty one becomes `<a></a>` or `<a/>`.
  package func end(hasEndTag: Bool) {
    check(hasEndTag ? xmlTextWriterFullEndElement(writer) : xmlTextWriterEndElement(writer))
  }

  /// Writes an attribute of the element that was just begun, with its value escaped.
  package func attribute(_ name: String, _ value: String) {
    check(
      name.withXMLCharacters { name in
        value.withXMLCharacters { xmlTextWriterWriteAttribute(writer, name, $0) }
      })
  }

  /// Writes a text, escaped.
  package func text(_ text: String) {
    check(text.withXMLCharacters { xmlTextWriterWriteString(writer, $0) })
  }

  /// Writes a text as it stands.
  package func raw(_ text: String) {
    check(text.withXMLCharacters { xmlTextWriterWriteRaw(writer, $0) })
  }

  /// The document with a line feed at its end; nil when memory ran out in any step.
  package func bytes() -> [UInt8]? {
    check(xmlTextWriterEndDocument(writer))
    check(xmlTextWriterFlush(writer))
    guard !hasFailed else { return nil }
    let count = Int(xmlBufferLength(buffer))
    return Array(UnsafeBufferPointer(start: xmlBufferContent(buffer), count: count))
  }

  /// Every function of the writer answers with a negative number when it fails.
  private func check(_ result: Int32) {
    if result < 0 { hasFailed = true }
  }
}

extension String {
  fileprivate func withXMLCharacters(_ body: (UnsafePointer<UInt8>) -> Int32) -> Int32 {
    withCString(encodedAs: UTF8.self, body)
  }
}

/// The system's libxml2: `docs/decisions/007-libxml2.md`.
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
