import Glibc
import Model

/// Reading the values of wanted fields.
extension ByteCursor {
  /// Reads a value object such as `{"stringValue": ...}`; `depth` counts the containers around it.
  mutating func field(depth: Int) throws(JSONError) -> ScannedField {
    guard try next() == UInt8(ascii: "{") else {
      try skipValue(depth: depth)
      return .malformed
    }
    guard try enter(closing: UInt8(ascii: "}"), depth: depth + 1) else { return .malformed }
    let name = try key()
    return try field(of: kind(named: name), named: name, depth: depth)
  }

  /// Reads a value object after its first key; `name` is that key, which distinguishes unknown
  /// kinds.
  @inline(__always)
  mutating func field(
    of kind: FieldKind, named name: Range<Int> = 0..<0, depth: Int
  ) throws(JSONError) -> ScannedField {
    var field = try content(of: kind, depth: depth + 1)
    var hasOneKind = true
    while try another(closing: UInt8(ascii: "}")) {
      // The last content of a repeated kind counts, as for any repeated key.
      let again = try key()
      let kindAgain = self.kind(named: again)
      let isSame =
        kindAgain == kind && (kind != .unknown || bytes(again).elementsEqual(bytes(name)))
      hasOneKind = hasOneKind && isSame
      field = try content(of: kindAgain, depth: depth + 1)
    }
    return hasOneKind ? field : .malformed
  }

  /// Reads the content after the kind's key.
  @inline(__always)
  private mutating func content(
    of kind: FieldKind, depth: Int
  ) throws(JSONError) -> ScannedField {
    switch kind {
    case .string: return try text(depth: depth).map { .string($0) } ?? .malformed
    case .integer: return try integer(depth: depth)
    case .timestamp: return try timestamp(depth: depth)
    case .boolean: return try boolean(depth: depth)
    case .double: return try double(depth: depth)
    case .null: return try null(depth: depth)
    case .reference: return try text(depth: depth).map { .reference($0) } ?? .malformed
    case .bytes: return try text(depth: depth).map { .bytes($0) } ?? .malformed
    case .map, .array, .geoPoint, .unknown:
      try skipValue(depth: depth)
      return .other(kind)
    }
  }

  /// Consumes any value; returns the text of a string, nil for others.
  @inline(__always)
  private mutating func text(depth: Int) throws(JSONError) -> Range<Int>? {
    guard try next() == UInt8(ascii: "\"") else {
      try skipValue(depth: depth)
      return nil
    }
    return try text()
  }

  private mutating func timestamp(depth: Int) throws(JSONError) -> ScannedField {
    guard let range = try text(depth: depth),
      let microseconds = RFC3339.microseconds(bytes(range))
    else { return .malformed }
    return .timestamp(microseconds)
  }

  private mutating func integer(depth: Int) throws(JSONError) -> ScannedField {
    var range = 0..<0
    switch try next() {
    case UInt8(ascii: "\""): range = try text()
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): range = try number()
    default: try skipValue(depth: depth)
    }
    return WireNumber.integer(bytes(range)).map { .integer($0) } ?? .malformed
  }

  private mutating func boolean(depth: Int) throws(JSONError) -> ScannedField {
    let first = try next()
    try skipValue(depth: depth)
    switch first {
    case UInt8(ascii: "t"): return .boolean(true)
    case UInt8(ascii: "f"): return .boolean(false)
    default: return .malformed
    }
  }

  private mutating func null(depth: Int) throws(JSONError) -> ScannedField {
    if try next() == UInt8(ascii: "n") {
      try literal("null")
      return .null
    }
    let start = index
    let isName = try text(depth: depth).map { holds($0, "NULL_VALUE") } ?? false
    return isName || holds(start..<index, "0") ? .null : .malformed
  }

  private mutating func double(depth: Int) throws(JSONError) -> ScannedField {
    switch try next() {
    case UInt8(ascii: "\""):
      let range = try text()
      if holds(range, "NaN") { return .double(.nan) }
      if holds(range, "Infinity") { return .double(.infinity) }
      if holds(range, "-Infinity") { return .double(-.infinity) }
      return quotedDouble(String(decoding: bytes(range), as: UTF8.self))
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      let range = try number()
      // strtod reads one byte past the number, so there must be one.
      guard index < count else { throw JSONError(.endOfInput, at: index) }
      let number = UnsafeRawPointer(base + range.lowerBound)
        .withMemoryRebound(to: CChar.self, capacity: range.count + 1) { strtod($0, nil) }
      return number.isFinite ? .double(number) : .malformed
    default:
      try skipValue(depth: depth)
      return .malformed
    }
  }

  private func quotedDouble(_ text: String) -> ScannedField {
    guard JSONNumber.isNumber(text), let number = Double(text), number.isFinite else {
      return .malformed
    }
    return .double(number)
  }
}

/// The search for a document's `updateTime` without reading the fields before it.
///
/// A key that a user chose is always followed by an object. The only keys inside the fields that
/// are followed by a text are names of kinds, such as `stringValue`; `updateTime` is not among
/// them. Inside a text, the quotes of `"updateTime": "` would be escaped. Other members of the
/// document may contain anything, so the time counts only where Firestore writes it.
extension ByteCursor {
  private typealias Block = SIMD16<UInt8>

  /// Consumes the document from its fields to its `updateTime`, in microseconds.
  ///
  /// - Returns: nil when the time is not found where Firestore writes it: behind the fields and a
  ///   `createTime`, before the document's end. The cursor has moved then, too.
  mutating func skipToUpdateTime() -> Int64? {
    guard let key = moveToUpdateTime(), followsFields(at: key), let time = plainTime(),
      isAtDocumentEnd
    else { return nil }
    return time
  }

  /// Moves to the opening quote of the next `updateTime` that is a text.
  ///
  /// - Returns: the position of its key; nil when a key `document` comes first, since it may begin
  ///   the next document, or an escape that may hide a key, or when nothing is found before the
  ///   last 32 bytes.
  private mutating func moveToUpdateTime() -> Int? {
    while index + 32 <= count {
      let found = candidates()
      guard found[0] | found[1] != 0 else {
        index += 16
        continue
      }
      index +=
        found[0] != 0
        ? found[0].trailingZeroBitCount >> 3 : 8 + found[1].trailingZeroBitCount >> 3
      if base[index] == UInt8(ascii: "\\") {
        if isEscapedLetter { return nil }
      } else if base[index + 1] == UInt8(ascii: "d") {
        if let end = end(of: #""document""#), follows(":", at: end) != nil { return nil }
      } else if let end = end(of: #""updateTime""#), let colon = follows(":", at: end),
        let quote = follows("\"", at: colon + 1)
      {
        defer { index = quote }
        return index
      }
      index += 1
    }
    return nil
  }

  /// Whether the escape at the cursor represents a lowercase ASCII letter, which servers need not
  /// escape.
  private var isEscapedLetter: Bool {
    end(of: #"\u006"#) != nil || end(of: #"\u007"#) != nil
  }

  /// Returns whether the key at a position follows the fields, with at most a `createTime` between.
  private func followsFields(at key: Int) -> Bool {
    guard let comma = precedes(",", at: key) else { return false }
    if precedes("}", at: comma) != nil { return true }
    guard let close = precedes("\"", at: comma) else { return false }
    var open = close - 1
    while open > 0, base[open] != UInt8(ascii: "\"") { open -= 1 }
    guard let colon = precedes(":", at: open), let end = precedes("\"", at: colon) else {
      return false
    }
    let name: StaticString = #""createTime""#
    let start = end + 1 - name.utf8CodeUnitCount
    guard start >= 0, holds(start..<end + 1, name) else { return false }
    return precedes(",", at: start).flatMap { precedes("}", at: $0) } != nil
  }

  /// Whether the document ends at the cursor; its element ends there, too, or has a `readTime`
  /// next.
  private var isAtDocumentEnd: Bool {
    guard let end = follows("}", at: index) else { return false }
    if follows("}", at: end + 1) != nil { return true }
    guard let comma = follows(",", at: end + 1), let key = follows("\"", at: comma + 1) else {
      return false
    }
    var rest = self
    rest.index = key
    return rest.end(of: #""readTime""#) != nil
  }

  /// Returns which of the next 16 bytes may begin one of the two keys, or an escape of any
  /// character: a byte of ones marks each.
  @inline(__always)
  private func candidates() -> SIMD2<UInt64> {
    let first = block(at: 0)
    let second = block(at: 1)
    let eighth = block(at: 7)
    let isUpdate = (second .== Block(repeating: 0x75)) .& (eighth .== Block(repeating: 0x54))
    let isDocument = (second .== Block(repeating: 0x64)) .& (eighth .== Block(repeating: 0x6E))
    let isKey = (first .== Block(repeating: 0x22)) .& (isUpdate .| isDocument)
    let isEscape = (first .== Block(repeating: 0x5C)) .& (second .== Block(repeating: 0x75))
    return unsafeBitCast(isKey .| isEscape, to: SIMD2<UInt64>.self)
  }

  @inline(__always)
  private func block(at offset: Int) -> Block {
    UnsafeRawPointer(base + index + offset).loadUnaligned(as: Block.self)
  }

  /// Returns the end of the text at the cursor; nil when another text is there.
  private func end(of text: StaticString) -> Int? {
    let end = index + text.utf8CodeUnitCount
    return end <= count && holds(index..<end, text) ? end : nil
  }

  /// Returns the position of a byte that comes next, after any white space; nil when another
  /// follows.
  private func follows(_ byte: Unicode.Scalar, at position: Int) -> Int? {
    var rest = self
    rest.index = position
    return (try? rest.next()) == UInt8(ascii: byte) ? rest.index : nil
  }

  /// Returns the position of a byte before a position and any white space; nil for another byte.
  private func precedes(_ byte: Unicode.Scalar, at position: Int) -> Int? {
    var place = position - 1
    while place >= 0, [0x20, 0x0A, 0x0D, 0x09].contains(base[place]) { place -= 1 }
    return place >= 0 && base[place] == UInt8(ascii: byte) ? place : nil
  }

  /// Consumes the time whose opening quote is at the cursor, in microseconds; nil when the text is
  /// not a time or has escapes.
  private mutating func plainTime() -> Int64? {
    let start = index + 1
    var end = start
    while end < count, base[end] != UInt8(ascii: "\"") { end += 1 }
    guard end < count, let time = RFC3339.microseconds(bytes(start..<end)) else { return nil }
    index = end + 1
    return time
  }
}

/// The grammar of numbers, RFC 8259 section 6.
enum JSONNumber {
  static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  /// Whether the text is exactly one number.
  static func isNumber(_ text: String) -> Bool {
    var copy = text
    return copy.withUTF8 { isNumber(UnsafeRawBufferPointer($0)) }
  }

  static func isNumber(_ bytes: UnsafeRawBufferPointer) -> Bool {
    // The cursor only reads a number.
    let buffer = UnsafeMutableBufferPointer(mutating: bytes.bindMemory(to: UInt8.self))
    guard var cursor = ByteCursor(buffer) else { return false }
    do {
      return try cursor.number().count == bytes.count
    } catch {
      return false
    }
  }
}

/// Whole numbers in proto3's JSON mapping.
enum WireNumber {
  /// A whole number of 64 bits, also written as `1e3` or `1.0`; nil otherwise.
  static func integer(_ text: String) -> Int64? {
    var copy = text
    return copy.withUTF8 { integer(UnsafeRawBufferPointer($0)) }
  }

  static func integer(_ bytes: UnsafeRawBufferPointer) -> Int64? {
    plain(bytes) ?? scientific(bytes)
  }

  /// An optional `-` and digits.
  @inline(__always)
  private static func plain(_ bytes: UnsafeRawBufferPointer) -> Int64? {
    let isNegative = bytes.first == UInt8(ascii: "-")
    guard bytes.count > (isNegative ? 1 : 0) else { return nil }
    var total: Int64 = 0
    for byte in bytes[(isNegative ? 1 : 0)...] {
      guard JSONNumber.isDigit(byte) else { return nil }
      // Negative totals, because Int64 has one more negative number than positive ones.
      let (product, overflows) = total.multipliedReportingOverflow(by: 10)
      let (difference, exceeds) = product.subtractingReportingOverflow(Int64(byte - 0x30))
      guard !overflows, !exceeds else { return nil }
      total = difference
    }
    guard !isNegative else { return total }
    return total == .min ? nil : -total
  }

  /// A JSON number that is whole despite a fraction or an exponent.
  private static func scientific(_ bytes: UnsafeRawBufferPointer) -> Int64? {
    guard bytes.contains(where: { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }),
      JSONNumber.isNumber(bytes)
    else { return nil }
    return ScientificNumber.integer(bytes)
  }
}
