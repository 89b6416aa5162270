import Foundation

/// A value of a JSON Schema.
indirect enum SchemaNode: Encodable {
  case text(String)
  case integer(Int)
  case boolean(Bool)
  case list([SchemaNode])
  case object([String: SchemaNode])

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .text(let text): try container.encode(text)
    case .integer(let number): try container.encode(number)
    case .boolean(let flag): try container.encode(flag)
    case .list(let nodes): try container.encode(nodes)
    case .object(let members): try container.encode(members)
    }
  }

  /// The schema as a file.
  var fileText: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
    } catch {
      preconditionFailure("a schema is always encodable: \(error)")
    }
  }
}

/// The words that the schemas of the written files are made of.
protocol SchemaWords {}

extension SchemaWords {
  static var draft: SchemaNode { .text("https://json-schema.org/draft/2020-12/schema") }
  static var string: SchemaNode { type("string") }
  static var integer: SchemaNode { type("integer") }
  static var number: SchemaNode { type("number") }
  static var boolean: SchemaNode { type("boolean") }
  static var time: SchemaNode {
    .object(["type": .text("string"), "format": .text("date-time")])
  }
  /// Ids stay from day to day.
  static var id: SchemaNode { pattern("^[a-z0-9]+(-[a-z0-9]+)*$") }
  static var name: SchemaNode { choice(Report.Name.allCases.map(\.rawValue)) }

  static func type(_ name: String) -> SchemaNode { .object(["type": .text(name)]) }

  static func pattern(_ pattern: String) -> SchemaNode {
    .object(["type": .text("string"), "pattern": .text(pattern)])
  }

  static func orNull(_ name: String) -> SchemaNode {
    .object(["type": .list([.text(name), .text("null")])])
  }

  static func constant(_ number: Int) -> SchemaNode { .object(["const": .integer(number)]) }

  static func choice(_ words: [String]) -> SchemaNode {
    .object(["enum": .list(words.map(SchemaNode.text))])
  }

  static func reference(_ name: String) -> SchemaNode {
    .object(["$ref": .text("#/$defs/\(name)")])
  }

  static func list(_ items: SchemaNode) -> SchemaNode {
    .object(["type": .text("array"), "items": items])
  }

  /// An object that has all of these members, may have the optional ones, and no others when it is
  /// closed.
  static func object(
    _ members: [String: SchemaNode], optional: [String: SchemaNode] = [:], isClosed: Bool = false
  ) -> SchemaNode {
    var parts: [String: SchemaNode] = [
      "type": .text("object"), "required": .list(members.keys.sorted().map(SchemaNode.text)),
      "properties": .object(members.merging(optional) { first, _ in first }),
    ]
    if isClosed { parts["additionalProperties"] = .boolean(false) }
    return .object(parts)
  }
}
