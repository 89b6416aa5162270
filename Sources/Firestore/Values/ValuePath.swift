/// The path of a value through a document's maps and arrays, such as `lines[0].sku`.
///
/// Queries take a `FieldPath`, which cannot name elements of arrays.
package struct ValuePath: Hashable, Sendable {
  package enum Step: Hashable, Sendable {
    case field(String)
    /// An element by its index from 0.
    case element(Int)
  }

  /// The number of digits of the longest index.
  static let longestIndex = 6

  /// The steps; empty for the value itself.
  package var steps: [Step]

  package init(steps: [Step]) {
    self.steps = steps
  }

  package init(_ path: FieldPath) {
    steps = path.segments.map { .field($0) }
  }

  /// The path up to the first array, which is as far as a query can select; nil for none.
  package var selection: FieldPath? {
    let names = steps.prefix { if case .field = $0 { true } else { false } }
    let segments = names.compactMap { if case .field(let name) = $0 { name } else { nil } }
    return segments.isEmpty ? nil : FieldPath(segments: segments)
  }
}

/// The text form: that of a field path, with indexes in brackets.
extension ValuePath: CustomStringConvertible {
  package init(parsing text: String) throws(WireError) {
    steps = []
    var rest = text.unicodeScalars[...]
    repeat {
      let names = ValuePath.names(in: &rest)
      for name in try FieldPath(parsing: names).segments { steps.append(.field(name)) }
      while rest.first == "[" { steps.append(.element(try ValuePath.index(in: &rest, of: text))) }
      guard let next = rest.popFirst() else { return }
      guard next == "." else { throw ValuePath.malformedIndex(text) }
    } while true
  }

  package var description: String {
    var text = ""
    for step in steps {
      switch step {
      case .field(let name):
        text += (text.isEmpty ? "" : ".") + FieldPath(segments: [name]).description
      case .element(let index): text += "[\(index)]"
      }
    }
    return text
  }

  /// Consumes and returns the text before the next bracket outside of back-ticks.
  private static func names(in rest: inout Substring.UnicodeScalarView) -> String {
    var names = String.UnicodeScalarView()
    var isQuoted = false
    while let scalar = rest.first, isQuoted || scalar != "[" {
      names.append(rest.removeFirst())
      if scalar == "`" { isQuoted.toggle() }
      if isQuoted, scalar == "\\", let escaped = rest.popFirst() { names.append(escaped) }
    }
    return String(names)
  }

  private static func index(
    in rest: inout Substring.UnicodeScalarView, of text: String
  ) throws(WireError) -> Int {
    rest.removeFirst()
    let digits = String(rest.prefix { $0 != "]" })
    let isNumber = digits.utf8.allSatisfy(JSONNumber.isDigit) && digits.count <= longestIndex
    guard isNumber, let index = Int(digits), String(index) == digits else {
      throw malformedIndex(text)
    }
    rest = rest.dropFirst(digits.unicodeScalars.count)
    guard rest.popFirst() == "]" else { throw malformedIndex(text) }
    return index
  }

  private static func malformedIndex(_ text: String) -> WireError {
    WireError("`\(text)` has an index that is not like `tags[0]`, counted from 0")
  }
}
