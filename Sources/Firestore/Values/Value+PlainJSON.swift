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
    case .map(let fields): Self.vector(fields) ?? .object(fields.mapValues(\.plainJSON))
    case .unknown(_, let json): json
    }
  }

  /// The numbers of a vector, which Firestore sends as a map of two fields; nil for other maps.
  private static func vector(_ fields: [String: Value]) -> JSON? {
    guard fields.count == 2, fields["__type__"] == .string("__vector__"),
      case .array(let elements)? = fields["value"]
    else { return nil }
    return .array(elements.map(\.plainJSON))
  }

  /// What follows the fifth slash of a full document name, or all of it.
  private static func pathBelowDatabase(_ name: String) -> String {
    let parts = name.split(separator: "/", maxSplits: 5, omittingEmptySubsequences: false)
    return parts.count == 6 ? String(parts[5]) : name
  }
}
