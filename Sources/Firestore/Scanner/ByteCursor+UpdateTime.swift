/// Finding a document's `updateTime` without reading the fields before it.
///
/// A name that a user chose is always followed by an object. The only keys in the fields that a text
/// follows are names of kinds, such as `stringValue`; none is `updateTime`. Inside a text, the quotes
/// of `"updateTime": "` would be escaped. Other members of the document may hold anything, so the
/// time counts only where Firestore writes it.
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
  /// - Returns: where its key begins; nil when a key `document` comes first, since it may be the next
  ///   document, or an escape that may hide one, or when nothing comes before the last 32 bytes.
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

  /// Whether the escape at the cursor stands for a small ASCII letter, which no server has to escape.
  private var isEscapedLetter: Bool {
    end(of: #"\u006"#) != nil || end(of: #"\u007"#) != nil
  }

  /// Whether the key at a position comes behind the fields, with at most a `createTime` between.
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

  /// Whether the document ends at the cursor, and its element there too or with a `readTime`.
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

  /// Which of the next 16 bytes may begin one of the two keys, or an escape of any character: a byte
  /// of ones for each.
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

  /// Where the byte is that comes before a position and any white space; nil when another does.
  private func precedes(_ byte: Unicode.Scalar, at position: Int) -> Int? {
    var place = position - 1
    while place >= 0, [0x20, 0x0A, 0x0D, 0x09].contains(base[place]) { place -= 1 }
    return place >= 0 && base[place] == UInt8(ascii: byte) ? place : nil
  }

  /// Consumes the time whose opening quote is at the cursor, in microseconds; nil when the text is no
  /// time, or has escapes.
  private mutating func plainTime() -> Int64? {
    let start = index + 1
    var end = start
    while end < count, base[end] != UInt8(ascii: "\"") { end += 1 }
    guard end < count, let time = RFC3339.microseconds(bytes(start..<end)) else { return nil }
    index = end + 1
    return time
  }
}
