/// A Firestore value, without loss: null is not missing, and 64-bit integers stay whole.
///
/// See `docs/firestore.md#values`.
package indirect enum Value: Hashable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  /// Also NaN and the infinities, which travel as strings.
  case double(Double)
  case timestamp(Timestamp)
  case string(String)
  case bytes([UInt8])
  /// A full document name, `projects/.../documents/...`.
  case reference(String)
  case geoPoint(latitude: Double, longitude: Double)
  case array([Value])
  case map([String: Value])
  /// A kind this program does not know, kept as it came: the key and its JSON.
  case unknown(kind: String, json: JSON)
}
