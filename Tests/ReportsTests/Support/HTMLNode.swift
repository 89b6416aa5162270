import CLibXML2

/// An element of a page, as libxml2's XML parser reads it.
struct HTMLNode {
  let name: String
  let attributes: [String: String]
  let children: [HTMLNode]
  /// The texts of the element and everything in it, in order.
  let text: String

  /// Nil when the bytes are not well-formed.
  init?(parsing bytes: [UInt8]) {
    let options = XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue
    let document = bytes.withUnsafeBytes { buffer in
      xmlReadMemory(
        buffer.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(buffer.count), nil, "UTF-8",
        Int32(options))
    }
    guard let document else { return nil }
    defer { xmlFreeDoc(document) }
    guard let root = xmlDocGetRootElement(document) else { return nil }
    self.init(root)
  }

  private init(_ node: xmlNodePtr) {
    var children: [HTMLNode] = []
    var text = ""
    var child = node.pointee.children
    while let current = child {
      if current.pointee.type == XML_ELEMENT_NODE {
        let element = HTMLNode(current)
        text += element.text
        children.append(element)
      } else if let content = current.pointee.content {
        text += String(cString: content)
      }
      child = current.pointee.next
    }
    name = node.pointee.name.map { String(cString: $0) } ?? ""
    attributes = HTMLNode.attributes(of: node)
    self.children = children
    self.text = text
  }

  private static func attributes(of node: xmlNodePtr) -> [String: String] {
    var attributes: [String: String] = [:]
    var attribute = node.pointee.properties
    while let current = attribute {
      let name = current.pointee.name.map { String(cString: $0) } ?? ""
      attributes[name] =
        current.pointee.children?.pointee.content.map { String(cString: $0) } ?? ""
      attribute = current.pointee.next
    }
    return attributes
  }

  /// The element and everything in it, in the order of the document.
  var all: [HTMLNode] { [self] + children.flatMap(\.all) }

  func all(_ name: String) -> [HTMLNode] { all.filter { $0.name == name } }
}
