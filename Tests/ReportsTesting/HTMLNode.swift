import XML

/// An element of a page, as libxml2's XML parser reads it.
package struct HTMLNode {
  package let name: String
  package let attributes: [String: String]
  package fileprivate(set) var children: [HTMLNode] = []
  /// The texts of the element and everything in it, in order.
  package fileprivate(set) var text = ""

  fileprivate init(_ name: XMLName, _ attributes: [String: String]) {
    self.name = name.local
    self.attributes = attributes
  }

  /// Nil when the bytes are not well-formed; HTML's document type may stand before them.
  package init?(parsing bytes: [UInt8]) {
    let doctype = Array("<!DOCTYPE html>".utf8)
    let document = bytes.starts(with: doctype) ? Array(bytes.dropFirst(doctype.count)) : bytes
    let builder = HTMLNodeBuilder()
    let parser = XMLPushParser(builder)
    guard
      document.withUnsafeBytes({ parser.parse($0) }) == nil, parser.finish() == nil,
      let root = builder.root
    else { return nil }
    self = root
  }

  /// The element and everything in it, in the order of the document.
  package var all: [HTMLNode] { [self] + children.flatMap(\.all) }

  package func all(_ name: String) -> [HTMLNode] { all.filter { $0.name == name } }
}

/// Builds elements of what the parser tells.
private final class HTMLNodeBuilder: XMLListener {
  private var open: [HTMLNode] = []
  private(set) var root: HTMLNode?

  func began(_ name: XMLName, attributes: [String: String]) {
    open.append(HTMLNode(name, attributes))
  }

  func met(_ bytes: UnsafeBufferPointer<UInt8>) {
    open[open.count - 1].text += String(decoding: bytes, as: UTF8.self)
  }

  func ended(_ name: XMLName) {
    let node = open.removeLast()
    guard !open.isEmpty else { return root = node }
    open[open.count - 1].children.append(node)
    open[open.count - 1].text += node.text
  }
}
