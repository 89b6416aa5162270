import CLibXML2

/// Writes a document in memory with libxml2's `xmlTextWriter`, which escapes and nests.
///
/// Memory that runs out in any step is told at the end.
package final class XMLWriter {
  private let writer: OpaquePointer
  private var hasFailed: Bool

  package init() throws(XMLUnavailable) {
    try XMLLibrary.load()
    guard let writer = firetally_xml_writer_new() else {
      throw .noMemory
    }
    self.writer = writer
    hasFailed = false
  }

  deinit {
    firetally_xml_writer_free(writer)
  }

  /// `<!DOCTYPE name>`.
  package func doctype(_ name: String) {
    note(name.withXMLCharacters { firetally_xml_doctype(writer, $0) })
  }

  package func start(_ name: String) {
    note(name.withXMLCharacters { firetally_xml_start(writer, $0) })
  }

  /// Ends the innermost element; `hasEndTag` is whether an empty one becomes `<a></a>` or `<a/>`.
  package func end(hasEndTag: Bool) {
    note(firetally_xml_end(writer, hasEndTag))
  }

  /// Writes an attribute of the element that was just begun, with its value escaped.
  package func attribute(_ name: String, _ value: String) {
    note(
      name.withXMLCharacters { name in
        value.withXMLCharacters { firetally_xml_attribute(writer, name, $0) }
      })
  }

  /// Writes a text, escaped.
  package func text(_ text: String) {
    note(text.withXMLCharacters { firetally_xml_text(writer, $0) })
  }

  /// Writes a text as it stands.
  package func raw(_ text: String) {
    note(text.withXMLCharacters { firetally_xml_raw(writer, $0) })
  }

  /// The document with a line feed at its end; nil when memory ran out in any step.
  package func bytes() -> [UInt8]? {
    var count = 0
    guard let content = firetally_xml_finish(writer, &count), !hasFailed else { return nil }
    return Array(UnsafeBufferPointer(start: content, count: count))
  }

  private func note(_ succeeded: Bool) {
    if !succeeded { hasFailed = true }
  }
}

extension String {
  fileprivate func withXMLCharacters(_ body: (UnsafePointer<UInt8>) -> Bool) -> Bool {
    withCString(encodedAs: UTF8.self, body)
  }
}
