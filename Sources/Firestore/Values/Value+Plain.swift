/// Plain JSON, which loses types and reads without explanation; see `docs/query.md#plain-json`.
extension Value {
  /// The value without Firestore's type names.
  ///
  /// Timestamps are RFC 3339 texts, bytes base64, vectors lists of numbers, and NaN and the
  /// infinities the texts `NaN`, `Infinity` and `-Infinity`. References to documents of the
  /// database under `root` are paths below it.
  package func plainJSON(in root: ResourceName) -> JSON {
    switch self {
    case .null: .null
    case .boolean(let flag): .boolean(flag)
    case .integer(let integer): .number("\(integer)")
    case .double(let number): .double(number)
    case .timestamp(let timestamp): .string(timestamp.rfc3339)
    case .string(let text): .string(text)
    case .bytes(let bytes): .string(Base64.encode(bytes))
    case .reference(let name): .string(root.relativePath(of: name))
    case .geoPoint(let latitude, let longitude):
      .object(["latitude": .double(latitude), "longitude": .double(longitude)])
    case .array(let elements): .array(elements.map { $0.plainJSON(in: root) })
    case .map(let fields):
      fields.vector.map { .array($0.map { $0.plainJSON(in: root) }) }
        ?? .object(fields.mapValues { $0.plainJSON(in: root) })
    case .unknown(let kind, let json): .object([kind: json])
    }
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
