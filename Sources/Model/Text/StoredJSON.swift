import FoundationEssentials

/// Values as JSON text that is stored or sent: equal values make equal texts.
package enum StoredJSON {
  /// On one line, with sorted keys.
  package static func text(of value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  package static func value<Value: Decodable>(
    _ type: Value.Type = Value.self, of text: String
  ) throws -> Value {
    try JSONDecoder().decode(type, from: Data(text.utf8))
  }
}
