/// The array with which `runQuery` and its like answer; see `docs/firestore.md#streams`.
enum StreamedAnswer {
  /// The elements of a whole answer; throws the `ErrorEnvelope` that any of them holds.
  static func elements(_ bytes: [UInt8]) throws -> [[String: JSON]] {
    let json = try object(bytes)
    return try json.elements().map { element throws(WireError) in try element.members() }
  }

  /// Reads a whole answer; throws the `ErrorEnvelope` that came instead of one.
  static func object(_ bytes: [UInt8]) throws -> JSON {
    let json = try JSON(parsing: bytes)
    if let envelope = ErrorEnvelope(in: json) { throw envelope }
    return json
  }
}
