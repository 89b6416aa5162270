/// A Firestore value, without loss: null differs from missing, and integers have 64 bits.
///
/// See `docs/firestore.md#values`.
package indirect enum Value: Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  /// Includes NaN and the infinities, which JSON represents as strings.
  case double(Double)
  case timestamp(Timestamp)
  case string(String)
  case bytes([UInt8])
  /// A full document name, `projects/.../documents/...`.
  case reference(String)
  case geoPoint(latitude: Double, longitude: Double)
  case array([Value])
  case map([String: Value])
  /// A kind that this program does not know: its key and JSON, unchanged.
  case unknown(kind: String, json: JSON)
}

/// Values are equal when their JSON is, so that decoding what was encoded gives an equal value.
///
/// NaN equals NaN, -0.0 differs from 0.0, an integer never equals a double, and strings compare by
/// bytes. Queries compare differently; see `docs/firestore.md#ordering`.
extension Value: Hashable {
  package static func == (left: Value, right: Value) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.boolean(let left), .boolean(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.double(let left), .double(let right)): left.bitsInJSON == right.bitsInJSON
    case (.timestamp(let left), .timestamp(let right)): left == right
    case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
    case (.bytes(let left), .bytes(let right)): left == right
    case (.reference(let left), .reference(let right)): left.utf8.elementsEqual(right.utf8)
    case (.geoPoint(let latitude, let longitude), .geoPoint(let otherLatitude, let otherLongitude)):
      latitude.bitsInJSON == otherLatitude.bitsInJSON
        && longitude.bitsInJSON == otherLongitude.bitsInJSON
    case (.array(let left), .array(let right)): left == right
    case (.map(let left), .map(let right)): left == right
    case (.unknown(let kind, let json), .unknown(let otherKind, let otherJSON)):
      kind == otherKind && json == otherJSON
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .boolean(let flag): hasher.combine(flag)
    case .integer(let integer): hasher.combine(integer)
    case .double(let number): hasher.combine(number.bitsInJSON)
    case .timestamp(let timestamp): hasher.combine(timestamp)
    case .string(let text), .reference(let text): hasher.combine(text)
    case .bytes(let bytes): hasher.combine(bytes)
    case .geoPoint(let latitude, let longitude):
      hasher.combine(latitude.bitsInJSON)
      hasher.combine(longitude.bitsInJSON)
    case .array(let elements): hasher.combine(elements)
    case .map(let fields): hasher.combine(fields)
    case .unknown(let kind, let json):
      hasher.combine(kind)
      hasher.combine(json)
    }
  }
}

extension Double {
  /// The bits that JSON preserves: all NaNs are one.
  fileprivate var bitsInJSON: UInt64 { isNaN ? Double.nan.bitPattern : bitPattern }
}
