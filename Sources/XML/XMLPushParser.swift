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
/// ever loaded; so are more than 100 nested elements.
package final class XMLPushParser {
  private let parser: OpaquePointer
  /// What libxml2 calls, kept as long as the parser.
  private let receiver: Receiver

  package init(_ listener: any XMLListener) throws(XMLUnavailable) {
    try XMLLibrary.load()
    receiver = Receiver(listener)
    let address = Unmanaged.passUnretained(receiver).toOpaque()
    guard let parser = firetally_xml_parser_new(Receiver.functions, address) else {
      throw .noMemory
    }
    self.parser = parser
  }

  deinit {
    firetally_xml_parser_free(parser)
  }

  /// Parses the next bytes; returns an error message, or nil.
  package func parse(_ bytes: UnsafeRawBufferPointer) -> String? {
    let isWell = firetally_xml_parse(parser, bytes.baseAddress, bytes.count, false)
    return isWell ? nil : problem
  }

  /// Ends the document; returns an error message, or nil.
  package func finish() -> String? {
    firetally_xml_parse(parser, nil, 0, true) ? nil : problem
  }

  private var problem: String {
    if let reason = firetally_xml_refusal(parser) { return String(cString: reason) }
    var line: Int32 = 0
    guard let message = firetally_xml_error(parser, &line) else {
      return "it is no well-formed XML"
    }
    let words = String(cString: message).prefix(160).split(whereSeparator: \.isWhitespace)
    return "line \(line): \(words.joined(separator: " "))"
  }
}

/// Hands what libxml2 tells to a listener.
private final class Receiver {
  let listener: any XMLListener

  init(_ listener: any XMLListener) {
    self.listener = listener
  }

  static let functions = firetally_xml_listener(
    began: { receiver, local, namespace, count, attributes in
      Receiver.at(receiver)?.listener.began(
        XMLName(local, namespace), attributes: Receiver.texts(of: attributes, count))
    },
    met: { receiver, bytes, count in
      Receiver.at(receiver)?.listener.met(UnsafeBufferPointer(start: bytes, count: count))
    },
    ended: { receiver, local, namespace in
      Receiver.at(receiver)?.listener.ended(XMLName(local, namespace))
    })

  private static func at(_ address: UnsafeMutableRawPointer?) -> Receiver? {
    address.map { Unmanaged<Receiver>.fromOpaque($0).takeUnretainedValue() }
  }

  /// The attributes without a namespace.
  ///
  /// Each attribute has five pointers: name, prefix, namespace, and the value's start and end.
  private static func texts(
    of attributes: UnsafePointer<UnsafePointer<UInt8>?>?, _ count: Int
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
