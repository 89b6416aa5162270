import CLibXML2

/// Receives the parts of an XML document in order.
protocol XMLListener: AnyObject {
  func began(_ name: XMLName, attributes: [String: String])
  /// Receives a part of the innermost element's text.
  func met(_ bytes: UnsafeBufferPointer<UInt8>)
  func ended(_ name: XMLName)
}

/// An element's local name and namespace, which is empty without one.
struct XMLName: Hashable {
  let namespace: String
  let local: String
}

/// Parses XML incrementally with libxml2's SAX interface.
///
/// Refuses document types, so only XML's five predefined entities exist and nothing external is
/// ever loaded. libxml2 limits nesting to 256 levels.
final class XMLPushParser {
  private let context: xmlParserCtxtPtr
  private let listener: any XMLListener
  private var hasDocumentType = false

  /// Nil when libxml2 is out of memory.
  init?(_ listener: any XMLListener) {
    self.listener = listener
    xmlInitParser()
    var handlers = Self.handlers
    guard let context = xmlCreatePushParserCtxt(&handlers, nil, nil, 0, nil) else { return nil }
    self.context = context
    xmlCtxtUseOptions(
      context,
      Int32(XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue))
    // `self` may be unretained: it frees the context in `deinit`.
    context.pointee.userData = Unmanaged.passUnretained(self).toOpaque()
  }

  deinit {
    xmlFreeDoc(context.pointee.myDoc)
    xmlFreeParserCtxt(context)
  }

  /// Parses the next bytes; returns an error message, or nil.
  func parse(_ bytes: UnsafeRawBufferPointer) -> String? {
    xmlParseChunk(
      context, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count), 0)
    return problem
  }

  /// Ends the document; returns an error message, or nil.
  func finish() -> String? {
    xmlParseChunk(context, nil, 0, 1)
    return problem
  }

  private var problem: String? {
    if hasDocumentType { return "it has a document type, which no feed needs" }
    guard context.pointee.wellFormed == 0 else { return nil }
    guard let error = xmlCtxtGetLastError(context), let message = error.pointee.message else {
      return "it is no well-formed XML"
    }
    let words = String(cString: message).prefix(160).split(whereSeparator: \.isWhitespace)
    return "line \(error.pointee.line): \(words.joined(separator: " "))"
  }

  private func refuseDocumentType() {
    hasDocumentType = true
    xmlStopParser(context)
  }

  private static var handlers: xmlSAXHandler {
    var handlers = xmlSAXHandler()
    handlers.initialized = UInt32(XML_SAX2_MAGIC)
    handlers.internalSubset = { parser, _, _, _ in XMLPushParser.of(parser)?.refuseDocumentType() }
    handlers.startElementNs = { parser, local, _, namespace, _, _, count, _, attributes in
      XMLPushParser.of(parser)?.listener.began(
        XMLName(local, namespace), attributes: XMLPushParser.texts(of: attributes, Int(count)))
    }
    handlers.endElementNs = { parser, local, _, namespace in
      XMLPushParser.of(parser)?.listener.ended(XMLName(local, namespace))
    }
    handlers.characters = { parser, bytes, count in
      XMLPushParser.of(parser)?.listener.met(
        UnsafeBufferPointer(start: bytes, count: Int(count)))
    }
    handlers.cdataBlock = handlers.characters
    return handlers
  }

  private static func of(_ parser: UnsafeMutableRawPointer?) -> XMLPushParser? {
    parser.map { Unmanaged<XMLPushParser>.fromOpaque($0).takeUnretainedValue() }
  }

  /// The attributes without a namespace.
  ///
  /// Each attribute has five pointers: name, prefix, namespace, and the value's start and end.
  private static func texts(
    of attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, _ count: Int
  ) -> [String: String] {
    var texts: [String: String] = [:]
    guard let attributes else { return texts }
    for place in stride(from: 0, to: 5 * count, by: 5) where attributes[place + 2] == nil {
      guard let name = attributes[place], let start = attributes[place + 3],
        let end = attributes[place + 4]
      else { continue }
      let value = UnsafeBufferPointer(start: start, count: end - start)
      texts[String(cString: name)] = String(decoding: value, as: UTF8.self)
    }
    return texts
  }
}

extension XMLName {
  fileprivate init(_ local: UnsafePointer<xmlChar>?, _ namespace: UnsafePointer<xmlChar>?) {
    self.init(
      namespace: namespace.map { String(cString: $0) } ?? "",
      local: local.map { String(cString: $0) } ?? "")
  }
}
