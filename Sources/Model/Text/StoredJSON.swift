import FoundationEssentials

/// Values as JSON text that is stored or sent: equal values make equal texts.
package enum StoredJSON {
  /// On one line, with sorted keys.
  package static func text(of value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  /// In lines, with sorted keys and a line feed at the end, for files that people may read.
  package static func file(of value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(value)) + [UInt8(ascii: "\n")]
  }

  package static func value<Value: Decodable>(
    _ type: Value.Type = Value.self, of text: String
  ) throws -> Value {
    try JSONDecoder().decode(type, from: Data(text.utf8))
  }
}
