/// A JSON value; numbers keep their text, so nothing is rounded.
package enum JSON: Hashable, Sendable {
  case null
  case boolean(Bool)
  /// The number as it is written, valid by RFC 8259.
  case number(String)
  case string(String)
  case array([JSON])
  /// Of a repeated key the last value counts, as in ECMAScript.
  case object([String: JSON])

  package subscript(key: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members[key]
  }
}

/// Why bytes are not JSON, and at which byte.
package struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Cause: String, Sendable {
    case endOfInput = "the text ends too early"
    case unexpectedByte = "unexpected byte"
    case trailingBytes = "something follows the end of the value"
    case badNumber = "not a number as RFC 8259 writes them"
    case badEscape = "unknown escape in a string"
    case controlCharacter = "unescaped control character in a string"
    case loneSurrogate = "half of a surrogate pair in a string"
    case badUTF8 = "bytes that are not UTF-8"
    case tooDeep = "nested too deeply"
    case tooManyValues = "more values than are read"
  }

  package var problem: Cause
  /// In bytes from 0; the length of the text when it ends too early.
  package var offset: Int

  package init(_ problem: Cause, at offset: Int) {
    self.problem = problem
    self.offset = offset
  }

  package var description: String { "not JSON: \(problem.rawValue), at byte \(offset)" }
}
