import Firestore

/// A JSON object of a request; unknown members are an error.
struct Message {
  private let members: [String: JSON]

  init(_ json: JSON, _ known: String...) throws {
    try self.init(json, known: known)
  }

  private init(_ json: JSON, known: [String]) throws {
    members = try json.members()
    let unknown = members.keys.filter { !known.contains($0) }.sorted()
    guard let first = unknown.first else { return }
    throw RefusedRequest.invalid(
      "Invalid JSON payload received. Unknown name \"\(first)\": Cannot find field.")
  }

  /// The message of a request for data, which may bear tags; docs/readers.md#request-tags.
  init(request json: JSON, _ known: String...) throws {
    try self.init(json, known: known + ["requestOptions"])
    guard let options = self["requestOptions"] else { return }
    for tag in try Message(options, "requestTags").list("requestTags") { _ = try tag.text() }
  }

  /// Nil when the member is absent or null.
  subscript(key: String) -> JSON? {
    members[key].flatMap { $0 == .null ? nil : $0 }
  }

  func text(_ key: String) throws -> String? { try self[key]?.text() }

  func flag(_ key: String) throws -> Bool { try self[key]?.flag() ?? false }

  func list(_ key: String) throws -> [JSON] { try self[key]?.elements() ?? [] }

  /// A 64-bit integer, as a number or a string; throws for a negative one.
  func count(_ key: String) throws -> Int? {
    guard let integer = try self[key]?.integer() else { return nil }
    guard integer >= 0 else { throw RefusedRequest.invalid("\(key) is negative") }
    return Int(integer)
  }

  func time(_ key: String) throws -> Timestamp? {
    try text(key).map { try Timestamp(wire: $0, of: key) }
  }

  func mask(_ key: String) throws -> [FieldPath]? {
    let mask = try self[key].map(FieldPath.mask(json:))
    for path in mask ?? [] { try path.requireUnreserved(.selected) }
    return mask
  }
}

extension Timestamp {
  /// Parses the RFC 3339 text of the member `key`.
  init(wire text: String, of key: String) throws(RefusedRequest) {
    guard let time = Timestamp(rfc3339: text) else {
      throw .invalid("Invalid value for \(key): \"\(text)\" is not an RFC 3339 timestamp")
    }
    self = time
  }
}

/// Field names, which proto3's JSON mapping accepts in camel case and with underscores.
///
/// See `docs/emulator.md#endpoints`.
enum WireName {
  /// Converts `start_at` to `startAt`.
  static func camelCase(_ name: some StringProtocol) -> String {
    let words = name.utf8.split(separator: UInt8(ascii: "_"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    return words.dropFirst().reduce(words[0]) { $0 + $1.prefix(1).uppercased() + $1.dropFirst() }
  }
}

extension JSON {
  /// The message with its members' names in camel case; keys of users' maps stay unchanged.
  ///
  /// Throws when two members get the same name.
  func withCamelCaseNames() throws -> JSON {
    switch self {
    case .object(let members):
      var renamed: [String: JSON] = [:]
      for (key, value) in members {
        let name = WireName.camelCase(key)
        let value =
          try JSON.mapNames.contains(name) ? value.withOwnKeys() : value.withCamelCaseNames()
        guard renamed.updateValue(value, forKey: name) == nil else {
          throw RefusedRequest.invalid("Invalid JSON payload received. \"\(name)\" is given twice.")
        }
      }
      return .object(renamed)
    case .array(let elements):
      return .array(try elements.map { try $0.withCamelCaseNames() })
    default: return self
    }
  }

  /// Members whose keys users choose: the fields of documents and maps, and labels.
  private static let mapNames: Set<String> = ["fields", "labels"]

  /// Renames inside the values of an object but keeps its keys; renames an array (of `select`).
  private func withOwnKeys() throws -> JSON {
    guard case .object(let members) = self else { return try withCamelCaseNames() }
    return .object(try members.mapValues { try $0.withCamelCaseNames() })
  }
}
