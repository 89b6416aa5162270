/// A JSON value as read from or written to the wire; numbers keep their text, so nothing is rounded.
package enum JSON: Hashable, Sendable {
  case null
  case boolean(Bool)
  /// The number's own characters, valid by RFC 8259.
  case number(String)
  case string(String)
  case array([JSON])
  /// A key that is repeated keeps its last value, as in ECMAScript.
  case object([String: JSON])

  package subscript(key: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members[key]
  }
}
