import Glibc

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

  /// Reads a value object after its first key; `name` is that key, which tells unknown kinds apart.
  @inline(__always)
  mutating func field(
    of kind: FieldKind, named name: Range<Int> = 0..<0, depth: Int
  ) throws(JSONError) -> ScannedField {
    var field = try content(of: kind, depth: depth + 1)
    var hasOneKind = true
    while try another(closing: UInt8(ascii: "}")) {
      // Of a repeated kind the last content counts, as of any repeated key.
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
    case .map: return try other(.map, depth: depth)
    case .array: return try other(.array, depth: depth)
    case .geoPoint: return try other(.geoPoint, depth: depth)
    case .unknown: return try other(.unknown, depth: depth)
    }
  }

  private mutating func other(
    _ kind: ScannedField.UnreadKind, depth: Int
  ) throws(JSONError) -> ScannedField {
    try skipValue(depth: depth)
    return .other(kind)
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
