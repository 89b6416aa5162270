/// The size of a document as Firestore counts it; see `docs/firestore.md#limits`.
package enum DocumentSize {
  package static func bytes(of document: Document) -> Int {
    32 + bytes(ofName: document.name) + bytes(of: document.fields)
  }

  private static func bytes(of fields: [String: Value]) -> Int {
    fields.reduce(0) { $0 + $1.key.utf8.count + 1 + bytes(of: $1.value) }
  }

  /// The sum of the ids' lengths, one more byte for each, and 16.
  private static func bytes(ofName name: String) -> Int {
    let slash = UInt8(ascii: "/")
    let ids = name.utf8.split(separator: slash, maxSplits: 5, omittingEmptySubsequences: false)
    return 17 + (ids.last?.count ?? 0)
  }

  package static func bytes(of value: Value) -> Int {
    switch value {
    case .null, .boolean: 1
    case .integer, .double, .timestamp: 8
    case .string(let text): text.utf8.count + 1
    case .bytes(let bytes): bytes.count
    case .reference(let name): bytes(ofName: name)
    case .geoPoint: 16
    case .array(let elements): elements.reduce(0) { $0 + bytes(of: $1) }
    case .map(let fields): fields.vector.map { 8 * $0.count } ?? bytes(of: fields)
    case .unknown: 0
    }
  }
}
