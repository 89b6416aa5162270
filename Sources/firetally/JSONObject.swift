import Firestore
import Foundation

/// A JSON object of `--json`; a member without a value is null, never missing.
struct JSONObject: Encodable, ExpressibleByDictionaryLiteral {
  private struct Name: CodingKey {
    let stringValue: String
    let intValue: Int? = nil

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  private var members: [String: (any Encodable)?]

  init(dictionaryLiteral members: (String, (any Encodable)?)...) {
    self.members = Dictionary(members) { _, last in last }
  }

  /// Members of both; of a name in both the value in `other`.
  func merging(_ other: JSONObject) -> JSONObject {
    var merged = self
    merged.members.merge(other.members) { _, last in last }
    return merged
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Name.self)
    for (name, value) in members {
      if let value {
        try container.encode(value, forKey: Name(stringValue: name))
      } else {
        try container.encodeNil(forKey: Name(stringValue: name))
      }
    }
  }
}

/// The members of a value, and `message_type`, which says what the line is.
struct TypedLine<Value: Encodable>: Encodable {
  private enum Key: String, CodingKey { case message_type }

  let type: String
  let value: Value

  init(_ type: String, _ value: Value) {
    (self.type, self.value) = (type, value)
  }

  func encode(to encoder: any Encoder) throws {
    try value.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(type, forKey: .message_type)
  }
}

extension JSON: Encodable {
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .boolean(let flag): try container.encode(flag)
    case .number(let text):
      if let integer = Int64(text) {
        try container.encode(integer)
      } else {
        try container.encode(Decimal(string: text))
      }
    case .string(let text): try container.encode(text)
    case .array(let elements): try container.encode(elements)
    case .object(let members): try container.encode(members)
    }
  }
}
