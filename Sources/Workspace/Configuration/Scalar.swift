package import Yams

/// The value of a YAML node, in the types that configuration files use.
package enum Scalar: Hashable {
  case null
  case boolean(Bool)
  case integer(Int)
  case number(Double)
  case text(String)
  case list
  case mapping

  package init(_ node: Node) {
    switch node {
    case .sequence: self = .list
    case .mapping: self = .mapping
    case .alias: self = .null
    case .scalar(let scalar):
      self = Self.value(of: scalar)
    }
  }

  /// Returns the value by its tag or, without one, by its spelling; a quoted value is a text.
  private static func value(of scalar: Node.Scalar) -> Scalar {
    let plain = plain(scalar.string)
    if scalar.tag == Tag(.implicit, .basic) {
      return scalar.style == .plain ? plain : .text(scalar.string)
    }
    return switch plain {
    case .integer where scalar.tag == Tag(.int, .basic),
      .boolean where scalar.tag == Tag(.bool, .basic),
      .number where scalar.tag == Tag(.float, .basic),
      .null where scalar.tag == Tag(.null, .basic):
      plain
    case .integer(let integer) where scalar.tag == Tag(.float, .basic): .number(Double(integer))
    default: .text(scalar.string)
    }
  }

  package static func isNull(_ node: Node) -> Bool { Scalar(node) == .null }

  /// Returns the value of an unquoted word by YAML 1.2's core schema, with decimal integers only.
  private static func plain(_ word: String) -> Scalar {
    switch word {
    case "", "~", "null", "Null", "NULL": return .null
    case "true", "True", "TRUE": return .boolean(true)
    case "false", "False", "FALSE": return .boolean(false)
    default: break
    }
    if let integer = Int(word) { return .integer(integer) }
    let isDecimal = word.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
    if isDecimal, let number = Double(word) { return .number(number) }
    return .text(word)
  }

  /// A description of the value for messages: `the text 'many'`.
  package var described: String {
    switch self {
    case .null: "nothing"
    case .boolean(let flag): "the truth value \(flag)"
    case .integer(let integer): "the integer \(integer)"
    case .number(let number): "the number \(number)"
    case .text(let text): "the text \(ShownText.quoted(text))"
    case .list: "a list"
    case .mapping: "a mapping"
    }
  }
}
