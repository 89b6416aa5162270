import Yams

/// What a YAML node says, by the types that configuration files use.
enum Scalar: Hashable {
  case null
  case boolean(Bool)
  case integer(Int)
  case number(Double)
  case text(String)
  case list
  case mapping

  init(_ node: Node) {
    switch node {
    case .sequence: self = .list
    case .mapping: self = .mapping
    case .alias: self = .null
    case .scalar(let scalar):
      let isPlain = scalar.style == .plain && scalar.tag == Tag(.implicit, .basic)
      self = isPlain ? Self.plain(scalar.string) : .text(scalar.string)
    }
  }

  static func isNull(_ node: Node) -> Bool { Scalar(node) == .null }

  /// The type of an unquoted word, as YAML 1.2's core schema has it, in decimal only.
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

  /// What stands there, for messages: `the text 'many'`.
  var described: String {
    switch self {
    case .null: "nothing"
    case .boolean(let flag): "the truth value \(flag)"
    case .integer(let integer): "the integer \(integer)"
    case .number(let number): "the number \(number)"
    case .text(let text): "the text '\(text.prefix(60))'"
    case .list: "a list"
    case .mapping: "a mapping"
    }
  }
}
