import Model
import Reports

/// A value of JSON: of the reports, of the findings and of all schemas.
package enum JSONNode: Encodable, Hashable, Sendable {
  case text(String)
  case integer(Int)
  case decimal(Double)
  case boolean(Bool)
  case null
  case list([JSONNode])
  case object([String: JSONNode])

  static func texts(_ texts: [String]) -> JSONNode { .list(texts.map(JSONNode.text)) }

  /// Nil for an unknown one.
  static func integers(_ numbers: [Int?]) -> JSONNode {
    .list(numbers.map { $0.map(JSONNode.integer) ?? .null })
  }

  static func optional(_ text: String?) -> JSONNode { text.map(JSONNode.text) ?? .null }

  static func optional(_ number: Double?) -> JSONNode { number.map(JSONNode.decimal) ?? .null }

  /// An object of the members that have a value.
  static func members(_ members: [String: JSONNode?]) -> JSONNode {
    .object(members.compactMapValues(\.self))
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .text(let text): try container.encode(text)
    case .integer(let number): try container.encode(number)
    case .decimal(let number): try container.encode(number)
    case .boolean(let flag): try container.encode(flag)
    case .null: try container.encodeNil()
    case .list(let nodes): try container.encode(nodes)
    case .object(let members): try container.encode(members)
    }
  }
}

extension JSONNode: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  package init(stringLiteral text: String) { self = .text(text) }
  package init(integerLiteral number: Int) { self = .integer(number) }
  package init(arrayLiteral items: JSONNode...) { self = .list(items) }
  package init(dictionaryLiteral members: (String, JSONNode)...) {
    self = .object(Dictionary(members) { _, last in last })
  }
}

extension JSONNode {
  /// A schema as a file, which ends with a line end.
  package var schemaText: String {
    do {
      return String(decoding: try JSONFile.bytes(of: self, named: "schema"), as: UTF8.self)
    } catch {
      preconditionFailure("a schema is always encodable: \(error)")
    }
  }
}

/// JSON files as the program writes them.
enum JSONFile {
  /// Indented, with sorted keys and a line feed at the end.
  static func bytes(
    of value: some Encodable, named name: String
  ) throws(ReportWriterError) -> [UInt8] {
    do {
      return escaped(try StoredJSON.file(of: value))
    } catch {
      throw .notEncodable(page: name, reason: "\(error)")
    }
  }

  /// Escapes scalars that act on a terminal; JSON has them only inside strings.
  private static func escaped(_ bytes: [UInt8]) -> [UInt8] {
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.unicodeScalars.contains(where: VisibleText.isReplaced) else { return bytes }
    var escaped = ""
    for scalar in text.unicodeScalars {
      guard VisibleText.isReplaced(scalar) else {
        escaped.unicodeScalars.append(scalar)
        continue
      }
      for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
        let digits = String(unit, radix: 16)
        escaped += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
    return Array(escaped.utf8)
  }
}
