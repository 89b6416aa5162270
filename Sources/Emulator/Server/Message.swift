import Firestore

/// The JSON object of a request, which holds nothing but what the server knows.
struct Message {
  private let members: [String: JSON]

  init(_ json: JSON, _ known: String...) throws {
    members = try json.members()
    let unknown = members.keys.filter { !known.contains($0) }.sorted()
    guard let first = unknown.first else { return }
    throw RefusedRequest.invalid(
      "Invalid JSON payload received. Unknown name \"\(first)\": Cannot find field.")
  }

  /// Nil when the member is absent or null.
  subscript(key: String) -> JSON? {
    members[key].flatMap { $0 == .null ? nil : $0 }
  }

  func text(_ key: String) throws -> String? { try self[key]?.text() }

  /// False when absent.
  func flag(_ key: String) throws -> Bool { try self[key]?.flag() ?? false }

  /// Empty when absent.
  func list(_ key: String) throws -> [JSON] { try self[key]?.elements() ?? [] }

  /// A 64-bit integer that is not negative, as a number or as a string.
  func count(_ key: String) throws -> Int? {
    guard let integer = try self[key]?.integer() else { return nil }
    guard integer >= 0 else { throw RefusedRequest.invalid("\(key) is negative") }
    return Int(integer)
  }

  func time(_ key: String) throws -> Timestamp? {
    try text(key).map { try Timestamp(wire: $0, of: key) }
  }

  func mask(_ key: String) throws -> [FieldPath]? { try self[key].map(FieldPath.mask(json:)) }
}

extension Timestamp {
  /// Reads RFC 3339 text that was sent as `key`.
  init(wire text: String, of key: String) throws(RefusedRequest) {
    guard let time = Timestamp(rfc3339: text) else {
      throw .invalid("Invalid value for \(key): \"\(text)\" is not an RFC 3339 timestamp")
    }
    self = time
  }
}
