/// The JSON that people expect, without the names of Firestore's kinds.
///
/// It loses what JSON cannot tell: a timestamp and a string look alike. See
/// `docs/jobs/sync-collection.md#plain-json`.
extension Value {
  package var plainJSON: JSON {
    switch self {
    case .null: .null
    case .boolean(let flag): .boolean(flag)
    case .integer(let integer): .integer(integer)
    case .double(let number): .double(number)
    case .timestamp(let timestamp): .string(timestamp.rfc3339)
    case .string(let text): .string(text)
    case .bytes(let bytes): .string(Base64.encode(bytes))
    case .reference(let name): .string(Self.pathBelowDatabase(name))
    case .geoPoint(let latitude, let longitude):
      .object(["latitude": .double(latitude), "longitude": .double(longitude)])
    case .array(let elements): .array(elements.map(\.plainJSON))
    case .map(let fields):
      fields.vector.map { .array($0.map(\.plainJSON)) } ?? .object(fields.mapValues(\.plainJSON))
    case .unknown(_, let json): json
    }
  }

  /// What follows the fifth slash of a full document name, or all of it.
  private static func pathBelowDatabase(_ name: String) -> String {
    let parts = name.split(separator: "/", maxSplits: 5, omittingEmptySubsequences: false)
    return parts.count == 6 ? String(parts[5]) : name
  }
}

extension ResourceName {
  /// A document's path below this name; the whole name when it is elsewhere.
  package func relativePath(of name: String) -> String {
    let prefix = "\(description)/"
    guard name.utf8.starts(with: prefix.utf8) else { return name }
    return String(decoding: name.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
  }
}
