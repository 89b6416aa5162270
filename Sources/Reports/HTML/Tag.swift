/// An element's name, and whether it has an end tag.
struct Tag: Hashable, Sendable, ExpressibleByStringLiteral {
  let name: String

  init(stringLiteral name: StaticString) {
    self.name = "\(name)"
  }

  /// HTML's void elements, and the shapes of SVG that never hold anything here.
  var closesItself: Bool { Tag.selfClosing.contains(name) }

  private static let selfClosing: Set<String> = ["meta", "br", "hr", "col", "line", "stop"]
}
