/// Finding a document's `updateTime` without reading the fields before it.
///
/// A name that a user chose is always followed by an object. The only keys in the fields that a text
/// follows are names of kinds, such as `stringValue`; none is `updateTime`. Inside a text, the quotes
/// of `"updateTime": "` would be escaped.
extension ByteCursor {
  private typealias Block = SIMD16<UInt8>

  /// Moves to the opening quote of the next `updateTime` that is a text.
  ///
  /// - Returns: false when a key `document` comes first, since it may be the next document, or when
  ///   neither comes before the last 32 bytes. The cursor has moved then, too.
  mutating func skipToUpdateTime() -> Bool {
    while index + 32 <= count {
      let found = candidates()
      guard found[0] | found[1] != 0 else {
        index += 16
        continue
      }
      index +=
        found[0] != 0
        ? found[0].trailingZeroBitCount >> 3 : 8 + found[1].trailingZeroBitCount >> 3
      if base[index + 1] == UInt8(ascii: "d") {
        if let end = end(of: #""document""#), follows(":", at: end) != nil { return false }
      } else if let end = end(of: #""updateTime""#), let colon = follows(":", at: end),
        let quote = follows("\"", at: colon + 1)
      {
        index = quote
        return true
      }
      index += 1
    }
    return false
  }

  /// Which of the next 16 bytes may begin one of the two keys: a byte of ones for each.
  @inline(__always)
  private func candidates() -> SIMD2<UInt64> {
    let first = block(at: 0)
    let second = block(at: 1)
    let eighth = block(at: 7)
    let isUpdate = (second .== Block(repeating: 0x75)) .& (eighth .== Block(repeating: 0x54))
    let isDocument = (second .== Block(repeating: 0x64)) .& (eighth .== Block(repeating: 0x6E))
    return unsafeBitCast(
      (first .== Block(repeating: 0x22)) .& (isUpdate .| isDocument), to: SIMD2<UInt64>.self)
  }

  @inline(__always)
  private func block(at offset: Int) -> Block {
    UnsafeRawPointer(base + index + offset).loadUnaligned(as: Block.self)
  }

  /// Where the text ends that begins at the cursor; nil when another does.
  private func end(of text: StaticString) -> Int? {
    let end = index + text.utf8CodeUnitCount
    return end <= count && holds(index..<end, text) ? end : nil
  }

  /// Where the byte is that follows at a position, after any white space; nil when another follows.
  private func follows(_ byte: Unicode.Scalar, at position: Int) -> Int? {
    var rest = self
    rest.index = position
    return (try? rest.next()) == UInt8(ascii: byte) ? rest.index : nil
  }

  /// Consumes the time whose opening quote is at the cursor, in microseconds; nil when the text is no
  /// time, or has escapes.
  mutating func plainTime() -> Int64? {
    let start = index + 1
    var end = start
    while end < count, base[end] != UInt8(ascii: "\"") { end += 1 }
    guard end < count, let time = RFC3339.microseconds(bytes(start..<end)) else { return nil }
    index = end + 1
    return time
  }
}
