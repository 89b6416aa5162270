/// A text for a parameterised test, printed short and harmless however long and hostile it is.
package struct SampleText: Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  package let text: String

  package init(_ text: String) {
    self.text = text
  }

  package init(stringLiteral text: String) {
    self.init(text)
  }

  package var description: String {
    let start = text.unicodeScalars.prefix(24).map { $0.escaped(asASCII: true) }.joined()
    let count = text.unicodeScalars.count
    return count > 24 ? "\(start)... (\(count) scalars)" : start
  }
}
