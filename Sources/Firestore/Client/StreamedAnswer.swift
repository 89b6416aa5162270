/// The array with which `runQuery` and its like answer; see `docs/firestore.md#streams`.
enum StreamedAnswer {
  /// The elements of a whole answer; throws the `ErrorEnvelope` that any of them holds.
  static func elements(_ bytes: [UInt8]) throws -> [[String: JSON]] {
    let elements = try object(bytes).elements()
    guard !elements.isEmpty else { throw noElements }
    return try elements.map { element throws(WireError) in try element.members() }
  }

  /// An answer without results still has one element, with its read time.
  static var noElements: WireError { WireError("is an array without a single element") }

  /// Reads a whole answer; throws the `ErrorEnvelope` that came instead of one.
  static func object(_ bytes: [UInt8]) throws -> JSON {
    let json = try JSON(parsing: bytes)
    if let envelope = ErrorEnvelope(in: json) { throw envelope }
    return json
  }
}
