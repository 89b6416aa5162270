/// The kind of a value, by the key that it travels under.
package enum FieldKind: String, CaseIterable, Hashable, Sendable {
  case null, boolean, integer, double, timestamp, string, bytes, reference
  case geoPoint = "geo point"
  case array, map
  /// A kind that this program does not know, or no value at all.
  case unknown

  /// Bytes of the longest key that a value travels under.
  static let longestWireName = 14

  /// The key that its values travel under; nil for an unknown kind.
  var wireName: String? {
    switch self {
    case .geoPoint: "geoPointValue"
    case .unknown: nil
    default: rawValue + "Value"
    }
  }
}

extension ByteCursor {
  /// The kind of the value that comes next, which is not consumed.
  ///
  /// A key with escapes, which no encoder writes, is an unknown kind.
  func kind() throws(JSONError) -> FieldKind {
    var probe = self
    guard try probe.next() == UInt8(ascii: "{") else { return .unknown }
    probe.index += 1
    guard try probe.next() == UInt8(ascii: "\"") else { return .unknown }
    let key = try probe.string().range
    return kind(named: key)
  }

  /// The kind whose values travel under this key.
  @inline(__always)
  func kind(named key: Range<Int>) -> FieldKind {
    if holds(key, "stringValue") { return .string }
    if holds(key, "integerValue") { return .integer }
    if holds(key, "timestampValue") { return .timestamp }
    if holds(key, "booleanValue") { return .boolean }
    if holds(key, "doubleValue") { return .double }
    if holds(key, "nullValue") { return .null }
    if holds(key, "mapValue") { return .map }
    if holds(key, "arrayValue") { return .array }
    if holds(key, "referenceValue") { return .reference }
    if holds(key, "bytesValue") { return .bytes }
    return holds(key, "geoPointValue") ? .geoPoint : .unknown
  }
}
