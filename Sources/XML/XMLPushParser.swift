import CLibXML2

/// Receives the parts of an XML document in order.
package protocol XMLListener: AnyObject {
  func began(_ name: XMLName, attributes: [String: String])
  /// Receives a part of the innermost element's text.
  func met(_ bytes: UnsafeBufferPointer<UInt8>)
  func ended(_ name: XMLName)
}

/// An element's local name and namespace, which is empty without one.
package struct XMLName: Hashable {
  package let namespace: String
  package let local: String

  package init(namespace: String, local: String) {
    self.namespace = namespace
    self.local = local
  }
}

/// Parses XML incrementally with libxml2's SAX interface.
///
/// Refuses document types, so only XML's five predefined entities exist and nothing external is
/// ever loaded. So are tags and comments of more than 4,096 bytes, more than 100 nested elements,
/// and more than 100 namespaces of open elements: the time is linear in the bytes.
package final class XMLPushParser {
  private let parser: xmlParserCtxtPtr
  /// What libxml2 calls, kept as long as the parser.
  private let receiver: Receiver

  /// Bytes of a tag or a comment at most.
  ///
  /// libxml2 compares each attribute of a tag with all others, so a tag must not be long. It reads
  /// a tag once all of it is there: bytes are handed over in pieces, and no more of them may wait.
  private static let mostWaiting = 4_096
  /// A CDATA section waits for a '>', and is looked through again with each piece.
  private static let mostWaitingInCDATA = 131_072
  private static let pieceBytes = 256

  package init(_ listener: any XMLListener) {
    receiver = Receiver(listener)
    let address = Unmanaged.passUnretained(receiver).toOpaque()
    var functions = Receiver.functions
    guard let parser = xmlCreatePushParserCtxt(&functions, address, nil, 0, nil) else {
      preconditionFailure("no memory for a parser")
    }
    self.parser = parser
    let options = [XML_PARSE_NONET, XML_PARSE_NOERROR, XML_PARSE_NOWARNING]
    xmlCtxtUseOptions(parser, Int32(options.reduce(0) { $0 | $1.rawValue }))
    receiver.parser = parser
  }

  deinit {
    xmlFreeDoc(parser.pointee.myDoc)
    xmlFreeParserCtxt(parser)
  }

  /// Parses the next bytes; returns an error message, or nil.
  package func parse(_ bytes: UnsafeRawBufferPointer) -> String? {
    var rest = bytes.assumingMemoryBound(to: CChar.self)[...]
    while !rest.isEmpty, problem == nil {
      let piece = UnsafeBufferPointer(rebasing: rest.prefix(Self.pieceBytes))
      xmlParseChunk(parser, piece.baseAddress, Int32(piece.count), 0)
      rest = rest.dropFirst(piece.count)
      checkWaiting()
    }
    return problem
  }

  private func checkWaiting() {
    let isInCDATA = parser.pointee.instate == XML_PARSER_CDATA_SECTION
    if isInCDATA, waitingBytes > Self.mostWaitingInCDATA {
      receiver.refuse("it has a CDATA section of more than 131,072 bytes")
    } else if !isInCDATA, waitingBytes > Self.mostWaiting {
      receiver.refuse("it has a tag or a comment of more than 4,096 bytes")
    }
  }

  /// Bytes that libxml2 has not read, since what they begin is not all there.
  private var waitingBytes: Int {
    guard let input = parser.pointee.input else { return 0 }
    return input.pointee.end - input.pointee.cur
  }

  /// Ends the document; returns an error message, or nil.
  package func finish() -> String? {
    xmlParseChunk(parser, nil, 0, 1)
    return problem
  }

  /// Why the document is refused or wrong; nil when it is neither so far.
  private var problem: String? {
    if let refusal = receiver.refusal { return refusal }
    guard parser.pointee.wellFormed == 0 else { return nil }
    guard let error = firetally_xml_error(parser), let message = error.pointee.message else {
      return "it is not well-formed XML"
    }
    let words = String(cString: message).prefix(160).split(whereSeparator: \.isWhitespace)
    return "line \(error.pointee.line): \(words.joined(separator: " "))"
  }
}

/// Passes the events of libxml2 to a listener, and stops the parser when a document is refused.
private final class Receiver {
  /// How deep elements may be nested, as values of Firestore may.
  private static let mostNested = 100
  /// How many namespaces open elements may declare: libxml2 looks through all of them for a name.
  private static let mostNamespaces = 100

  let listener: any XMLListener
  var parser: xmlParserCtxtPtr?
  private(set) var refusal: String?
  /// How many namespaces each open element declares.
  private var declared: [Int] = []

  init(_ listener: any XMLListener) {
    self.listener = listener
  }

  static var functions: xmlSAXHandler {
    var functions = xmlSAXHandler()
    functions.initialized = UInt32(XML_SAX2_MAGIC)
    functions.internalSubset = { receiver, _, _, _ in
      Receiver.at(receiver)?.refuse("it has a document type, which no feed needs")
    }
    functions.startElementNs = {
      receiver, local, _, namespace, namespaces, _, count, _, attributes in
      Receiver.at(receiver)?.begin(
        XMLName(local, namespace), namespaces: Int(namespaces),
        attributes: Receiver.texts(of: attributes, Int(count)))
    }
    functions.endElementNs = { receiver, local, _, namespace in
      Receiver.at(receiver)?.end(XMLName(local, namespace))
    }
    functions.characters = { Receiver.at($0)?.meet($1, Int($2)) }
    functions.cdataBlock = { Receiver.at($0)?.meet($1, Int($2)) }
    return functions
  }

  private func begin(_ name: XMLName, namespaces: Int, attributes: [String: String]) {
    declared.append(namespaces)
    guard declared.count <= Self.mostNested else {
      return refuse("it nests more than \(Self.mostNested) elements")
    }
    guard declared.reduce(0, +) <= Self.mostNamespaces else {
      return refuse("it declares more than \(Self.mostNamespaces) namespaces")
    }
    listener.began(name, attributes: attributes)
  }

  private func meet(_ bytes: UnsafePointer<UInt8>?, _ count: Int) {
    listener.met(UnsafeBufferPointer(start: bytes, count: count))
  }

  private func end(_ name: XMLName) {
    declared.removeLast()
    listener.ended(name)
  }

  func refuse(_ reason: String) {
    refusal = reason
    xmlStopParser(parser)
  }

  private static func at(_ address: UnsafeMutableRawPointer?) -> Receiver? {
    address.map { Unmanaged<Receiver>.fromOpaque($0).takeUnretainedValue() }
  }

  /// The attributes without a namespace.
  ///
  /// Each attribute has five pointers: name, prefix, namespace, and the value's start and end.
  private static func texts(
    of attributes: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, _ count: Int
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
  fileprivate init(_ local: UnsafePointer<UInt8>?, _ namespace: UnsafePointer<UInt8>?) {
    self.init(
      namespace: namespace.map { String(cString: $0) } ?? "",
      local: local.map { String(cString: $0) } ?? "")
  }
}
