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

extension JSON {
  /// The deepest nesting that is accepted; see `docs/firestore.md#limits`.
  package static let maximumDepth = 100
  /// The maximum number of values, each of which takes up to 150 bytes of memory; see
  /// `docs/firestore.md#limits`.
  package static let maximumCount = 2_000_000

  /// Parses `bytes` strictly as one value of RFC 8259.
  package init(
    parsing bytes: some Sequence<UInt8>, maximumCount: Int = JSON.maximumCount
  ) throws(JSONError) {
    var copy = Array(bytes)
    self = try copy.withUnsafeMutableBufferPointer { buffer throws(JSONError) in
      guard var cursor = ByteCursor(buffer) else { throw JSONError(.endOfInput, at: 0) }
      var room = maximumCount
      let value = try cursor.value(depth: 0, &room)
      try cursor.expectEnd()
      return value
    }
  }
}

extension ByteCursor {
  /// Consumes a value; `depth` counts the containers around it, and `room` the values that may come.
  fileprivate mutating func value(depth: Int, _ room: inout Int) throws(JSONError) -> JSON {
    let first = try next()
    guard room > 0 else { throw JSONError(.tooManyValues, at: index) }
    room -= 1
    switch first {
    case UInt8(ascii: "{"):
      var members: [String: JSON] = [:]
      guard try enter(closing: UInt8(ascii: "}"), depth: depth + 1) else { return .object(members) }
      repeat {
        let key = String(decoding: bytes(try key()), as: UTF8.self)
        members[key] = try value(depth: depth + 1, &room)
      } while try another(closing: UInt8(ascii: "}"))
      return .object(members)
    case UInt8(ascii: "["):
      var elements: [JSON] = []
      guard try enter(closing: UInt8(ascii: "]"), depth: depth + 1) else { return .array(elements) }
      repeat {
        elements.append(try value(depth: depth + 1, &room))
      } while try another(closing: UInt8(ascii: "]"))
      return .array(elements)
    case UInt8(ascii: "\""): return .string(String(decoding: bytes(try text()), as: UTF8.self))
    case UInt8(ascii: "t"), UInt8(ascii: "f"):
      let isTrue = first == UInt8(ascii: "t")
      try literal(isTrue ? "true" : "false")
      return .boolean(isTrue)
    case UInt8(ascii: "n"):
      try literal("null")
      return .null
    default: return .number(String(decoding: bytes(try number()), as: UTF8.self))
    }
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

  init(_ problem: Cause, at offset: Int) {
    self.problem = problem
    self.offset = offset
  }

  package var description: String { "not JSON: \(problem.rawValue), at byte \(offset)" }
}
