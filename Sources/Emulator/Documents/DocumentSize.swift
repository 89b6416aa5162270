import Firestore

/// How many bytes a document counts for; see `docs/firestore.md#limits`.
enum DocumentSize {
  static func bytes(of document: Document) -> Int {
    32 + bytes(ofName: document.name) + bytes(of: document.fields)
  }

  private static func bytes(of fields: [String: Value]) -> Int {
    fields.reduce(0) { $0 + $1.key.utf8.count + 1 + bytes(of: $1.value) }
  }

  /// The ids of a name, each with one byte more, and 16.
  private static func bytes(ofName name: String) -> Int {
    let slash = UInt8(ascii: "/")
    let ids = name.utf8.split(separator: slash, maxSplits: 5, omittingEmptySubsequences: false)
    return 17 + (ids.last?.count ?? 0)
  }

  private static func bytes(of value: Value) -> Int {
    switch value {
    case .null, .boolean: 1
    case .integer, .double, .timestamp: 8
    case .string(let text): text.utf8.count + 1
    case .bytes(let bytes): bytes.count
    case .reference(let name): bytes(ofName: name)
    case .geoPoint: 16
    case .array(let elements): elements.reduce(0) { $0 + bytes(of: $1) }
    case .map(let fields): bytes(of: fields)
    case .unknown: 0
    }
  }
}
