/// The JSON form of values; see `docs/firestore.md#values`.
extension Value {
  /// Reads an object with exactly one member, whose key names the kind.
  package init(json: JSON) throws(WireError) {
    let members = try json.members()
    guard let (kind, content) = members.first, members.count == 1 else {
      throw WireError("a value has exactly one member, and this one has \(members.count)")
    }
    self = try WireError.at(kind) { () throws(WireError) in
      try Value.read(kind: kind, content)
    }
  }

  /// Reads the object `fields` of a `mapValue` or a document.
  package static func fields(json: JSON) throws(WireError) -> [String: Value] {
    var fields: [String: Value] = [:]
    for (name, json) in try json.members() {
      fields[name] = try WireError.at(name) { () throws(WireError) in try Value(json: json) }
    }
    return fields
  }

  private static func read(kind: String, _ content: JSON) throws(WireError) -> Value {
    switch kind {
    case "nullValue": return try null(content)
    case "booleanValue": return .boolean(try content.flag())
    case "integerValue": return .integer(try content.integer())
    case "doubleValue": return .double(try content.double())
    case "timestampValue": return .timestamp(try Timestamp(json: content))
    case "stringValue": return .string(try content.text())
    case "bytesValue": return .bytes(try bytes(content))
    case "referenceValue": return .reference(try content.text())
    case "geoPointValue":
      let members = try content.members()
      // Additional members are preserved like those of an unknown kind.
      guard members.keys.allSatisfy({ $0 == "latitude" || $0 == "longitude" }) else {
        return .unknown(kind: kind, json: content)
      }
      return try geoPoint(members)
    case "arrayValue": return .array(try content.members().list("values", Value.init(json:)))
    case "mapValue":
      return .map(try content.members().optional("fields", Value.fields(json:)) ?? [:])
    default: return .unknown(kind: kind, json: content)
    }
  }

  /// Null is JSON's null, or from some encoders the enum's only name or number.
  private static func null(_ content: JSON) throws(WireError) -> Value {
    guard [.null, .string("NULL_VALUE"), .number("0")].contains(content) else {
      throw WireError("is not null")
    }
    return .null
  }

  private static func bytes(_ content: JSON) throws(WireError) -> [UInt8] {
    guard let bytes = Base64.decode(try content.text()) else { throw WireError("is not base64") }
    return bytes
  }

  /// An absent coordinate is 0.
  private static func geoPoint(_ members: [String: JSON]) throws(WireError) -> Value {
    .geoPoint(
      latitude: try members.double("latitude")
        ?? 0,
      longitude: try members.double("longitude")
        ?? 0)
  }

  package var json: JSON {
    switch self {
    case .null: .object(["nullValue": .null])
    case .boolean(let flag): .object(["booleanValue": .boolean(flag)])
    case .integer(let integer): .object(["integerValue": .string("\(integer)")])
    case .double(let number): .object(["doubleValue": .double(number)])
    case .timestamp(let timestamp): .object(["timestampValue": .string(timestamp.rfc3339)])
    case .string(let text): .object(["stringValue": .string(text)])
    case .bytes(let bytes): .object(["bytesValue": .string(Base64.encode(bytes))])
    case .reference(let name): .object(["referenceValue": .string(name)])
    case .geoPoint(let latitude, let longitude):
      .object([
        "geoPointValue": .object([
          "latitude": .double(latitude), "longitude": .double(longitude),
        ])
      ])
    case .array(let elements):
      .object([
        "arrayValue": .object(
          elements.isEmpty ? [:] : ["values": .array(elements.map(\.json))])
      ])
    case .map(let fields):
      .object([
        "mapValue": .object(fields.isEmpty ? [:] : ["fields": Value.json(fields: fields)])
      ])
    case .unknown(let kind, let json): .object([kind: json])
    }
  }

  package static func json(fields: [String: Value]) -> JSON { .object(fields.mapValues(\.json)) }
}
