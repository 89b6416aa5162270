import HTTP
import Model

/// A JSON value; numbers keep their text, so nothing is rounded.
package enum JSON: Hashable, Sendable {
  case null
  case boolean(Bool)
  /// The number as written, valid by RFC 8259.
  case number(String)
  case string(String)
  case array([JSON])
  /// An object; the last value of a repeated key counts, as in ECMAScript.
  case object([String: JSON])

  package subscript(key: String) -> JSON? {
    if case .object(let members) = self { members[key] } else { nil }
  }

  /// The deepest nesting that is accepted; see `docs/firestore.md#limits`.
  package static let maximumDepth = 100
  /// The maximum number of values; each takes up to 150 bytes of memory; see
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
  /// Consumes a value; `depth` counts the containers around it, and `room` the values still
  /// allowed.
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

extension JSON {
  /// Returns the value as UTF-8 with object keys sorted by their bytes; compact, or with one member
  /// per line.
  package func serialized(isIndented: Bool = false) -> [UInt8] {
    var bytes: [UInt8] = []
    write(into: &bytes, isIndented ? 0 : nil)
    return bytes
  }

  /// `depth` counts the containers around it; nil for compact JSON.
  private func write(into bytes: inout [UInt8], _ depth: Int?) {
    switch self {
    case .null: bytes.append(contentsOf: "null".utf8)
    case .boolean(let flag): bytes.append(contentsOf: (flag ? "true" : "false").utf8)
    case .number(let text): bytes.append(contentsOf: text.utf8)
    case .string(let text): JSON.write(text, into: &bytes)
    case .array(let elements):
      JSON.write(elements, between: "[", and: "]", into: &bytes, depth) { $0.write(into: &$1, $2) }
    case .object(let members):
      let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      JSON.write(sorted, between: "{", and: "}", into: &bytes, depth) { member, bytes, depth in
        JSON.write(member.key, into: &bytes)
        bytes.append(contentsOf: (depth == nil ? ":" : ": ").utf8)
        member.value.write(into: &bytes, depth)
      }
    }
  }

  private static func write<Element>(
    _ elements: [Element], between open: Unicode.Scalar, and close: Unicode.Scalar,
    into bytes: inout [UInt8], _ depth: Int?, each: (Element, inout [UInt8], Int?) -> Void
  ) {
    let inside = depth.map { $0 + 1 }
    bytes.append(UInt8(ascii: open))
    for (position, element) in elements.enumerated() {
      if position > 0 { bytes.append(UInt8(ascii: ",")) }
      startLine(in: &bytes, inside)
      each(element, &bytes, inside)
    }
    if !elements.isEmpty { startLine(in: &bytes, depth) }
    bytes.append(UInt8(ascii: close))
  }

  private static func startLine(in bytes: inout [UInt8], _ depth: Int?) {
    guard let depth else { return }
    bytes.append(UInt8(ascii: "\n"))
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
  }

  /// Writes UTF-8 as a string with its quotes.
  static func write(text: UnsafeRawBufferPointer, into bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    JSONText.append(text, to: &bytes, .lineFeed)
    bytes.append(UInt8(ascii: "\""))
  }

  private static func write(_ text: String, into bytes: inout [UInt8]) {
    var text = text
    text.withUTF8 { write(text: UnsafeRawBufferPointer($0), into: &bytes) }
  }
}

/// The reason why bytes are not JSON, with the position.
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
  /// The position in bytes from 0; the length of the text when it ends too early.
  package var offset: Int

  init(_ problem: Cause, at offset: Int) {
    self.problem = problem
    self.offset = offset
  }

  package var description: String { "not JSON: \(problem.rawValue), at byte \(offset)" }
}

/// Decoding of members, with errors that name the key.
extension JSON {
  package func members() throws(WireError) -> [String: JSON] {
    guard case .object(let members) = self else { throw WireError("is not an object") }
    return members
  }

  package func elements() throws(WireError) -> [JSON] {
    guard case .array(let elements) = self else { throw WireError("is not an array") }
    return elements
  }

  package func text() throws(WireError) -> String {
    guard case .string(let text) = self else { throw WireError("is not a string") }
    return text
  }

  package func flag() throws(WireError) -> Bool {
    guard case .boolean(let flag) = self else { throw WireError("is not true or false") }
    return flag
  }

  /// A whole number of 64 bits, as a number or a string, also written like `1e3`.
  package func integer() throws(WireError) -> Int64 {
    switch self {
    case .number(let text), .string(let text):
      guard let integer = WireNumber.integer(text) else { fallthrough }
      return integer
    default: throw WireError("is not a 64-bit integer")
    }
  }

  /// A number, as a number or a string, or one of `NaN`, `Infinity` and `-Infinity`.
  package func double() throws(WireError) -> Double {
    switch self {
    case .string("NaN"): return .nan
    case .string("Infinity"): return .infinity
    case .string("-Infinity"): return -.infinity
    case .number(let text), .string(let text):
      guard JSONNumber.isNumber(text), let number = Double(text), number.isFinite else {
        fallthrough
      }
      return number
    default: throw WireError("is not a 64-bit floating-point number")
    }
  }

  package static func integer(_ integer: some BinaryInteger) -> JSON { .number("\(integer)") }

  package static func double(_ number: Double) -> JSON {
    if number.isNaN { return .string("NaN") }
    guard number.isFinite else { return .string(number < 0 ? "-Infinity" : "Infinity") }
    return .number("\(number)")
  }
}

extension [String: JSON] {
  /// Decodes the member `key` with `read`; nil when it is absent or null.
  func optional<Result>(
    _ key: String, _ read: (JSON) throws(WireError) -> Result
  ) throws(WireError) -> Result? {
    guard let json = self[key], json != .null else { return nil }
    return try WireError.at(key) { () throws(WireError) in try read(json) }
  }

  /// Decodes the member `key` with `read`; throws when it is absent or null.
  func required<Result>(
    _ key: String, _ read: (JSON) throws(WireError) -> Result
  ) throws(WireError) -> Result {
    guard let result = try optional(key, read) else { throw WireError("is missing", at: [key]) }
    return result
  }

  /// The text of the member `key`; nil when it is absent or null.
  func text(_ key: String) throws(WireError) -> String? {
    try optional(key) { json throws(WireError) in try json.text() }
  }

  /// The text of the member `key`; throws when it is absent or null.
  func requiredText(_ key: String) throws(WireError) -> String {
    try required(key) { json throws(WireError) in try json.text() }
  }

  func flag(_ key: String) throws(WireError) -> Bool? {
    try optional(key) { json throws(WireError) in try json.flag() }
  }

  func integer(_ key: String) throws(WireError) -> Int64? {
    try optional(key) { json throws(WireError) in try json.integer() }
  }

  func double(_ key: String) throws(WireError) -> Double? {
    try optional(key) { json throws(WireError) in try json.double() }
  }

  /// The members of the object `key`; nil when it is absent or null.
  func object(_ key: String) throws(WireError) -> [String: JSON]? {
    try optional(key) { json throws(WireError) in try json.members() }
  }

  /// Returns the token of the next page; nil on the last one.
  func nextPageToken() throws(WireError) -> String? {
    let token = try text("nextPageToken")
    return token == "" ? nil : token
  }

  /// Decodes every element of the array `key`; empty when it is absent.
  func list<Element>(
    _ key: String, _ read: (JSON) throws(WireError) -> Element
  ) throws(WireError) -> [Element] {
    try optional(key) { json throws(WireError) in
      var elements: [Element] = []
      for (position, element) in try json.elements().enumerated() {
        elements.append(
          try WireError.at("\(position)") { () throws(WireError) in try read(element) })
      }
      return elements
    } ?? []
  }

  /// Throws for members other than `known`, as Google's servers do.
  func allowOnly(_ known: String...) throws(WireError) {
    let unknown = keys.filter { !known.contains($0) }.sorted()
    guard let first = unknown.first else { return }
    throw WireError("is not known here", at: [first])
  }
}

/// The reason why JSON is not what Firestore's REST API sends or accepts.
///
/// The client wraps it in a `FirestoreError`; the emulator answers INVALID_ARGUMENT.
package struct WireError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Field names and keys, the outermost first.
  package var path: [String]
  /// A clause such as `integerValue is not a 64-bit integer`.
  package var problem: String

  /// Both arguments may quote text from a server.
  package init(_ problem: String, at path: [String] = []) {
    self.problem = QuotedText.clipped(problem)
    self.path = path
  }

  package var description: String { path.isEmpty ? problem : "\(place): \(problem)" }

  private var place: String { QuotedText.clipped(path.joined(separator: ".")) }

  /// Returns the name of a document or a field as quoted in sentences.
  package static func quoted(_ name: String) -> String { QuotedText.clipped(name) }

  /// Returns the problem with its subject: `a.b is missing`, or `whole` when the path is empty.
  ///
  /// A problem that has its own subject is returned unchanged.
  func clause(about whole: String) -> String {
    guard ["is ", "has "].contains(where: problem.hasPrefix) else { return description }
    return "\(path.isEmpty ? whole : place) \(problem)"
  }

  /// Runs `body` and prepends `key` to the path of the error it throws.
  static func at<Result>(
    _ key: String, _ body: () throws(WireError) -> Result
  ) throws(WireError) -> Result {
    do throws(WireError) {
      return try body()
    } catch {
      throw WireError(error.problem, at: [key] + error.path)
    }
  }
}
