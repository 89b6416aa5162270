/// Finds an id in free text, where it stands as a word of its own.
///
/// `u1` is no part of `u10`, `x-u1` or `ü1`, but of `(u1)` and `Users/u1`.
package enum WholeWord {
  /// Whether the text has the word; an empty word is in no text.
  package static func isFound(_ word: [UInt8], in text: UnsafeRawBufferPointer) -> Bool {
    next(word, in: text, from: 0) != nil
  }

  package static func isFound(_ word: String, in text: String) -> Bool {
    var text = text
    return text.withUTF8 { isFound(Array(word.utf8), in: UnsafeRawBufferPointer($0)) }
  }

  /// The word as it is, and as JSON and CSV write it inside of quotes.
  package static func written(_ word: String) -> Set<String> {
    let quoted = word.replacingScalars("\\", with: "\\\\").replacingScalars("\"", with: "\\\"")
    return [
      word, quoted, quoted.replacingScalars("/", with: "\\/"),
      word.replacingScalars("\"", with: "\"\""),
    ]
  }

  /// The text with another word in the place of each such word.
  package static func replacing(_ word: String, with other: String, in text: String) -> String {
    var text = text
    let word = Array(word.utf8)
    var result: [UInt8] = []
    text.withUTF8 { utf8 in
      let bytes = UnsafeRawBufferPointer(utf8)
      var start = 0
      while let place = next(word, in: bytes, from: start) {
        result += bytes[start..<place]
        result += other.utf8
        start = place + word.count
      }
      result += bytes[start...]
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Where the word is first found from an offset on.
  private static func next(
    _ word: [UInt8], in text: UnsafeRawBufferPointer, from offset: Int
  ) -> Int? {
    guard let first = word.first, offset + word.count <= text.count else { return nil }
    for start in offset...(text.count - word.count) where text[start] == first {
      let end = start + word.count
      guard start == 0 || !isOfWord(text[start - 1]), end == text.count || !isOfWord(text[end])
      else { continue }
      if text[start..<end].elementsEqual(word) { return start }
    }
    return nil
  }

  /// Whether `isWanted` says so of a word of the text; it is asked in the order of the text.
  package static func isAny(
    in text: UnsafeRawBufferPointer, where isWanted: (UnsafeRawBufferPointer) -> Bool
  ) -> Bool {
    text.split { !isOfWord($0) }.contains { isWanted(UnsafeRawBufferPointer(rebasing: $0)) }
  }

  /// Whether a byte belongs to the word beside it: letters, digits, `_`, `-`, and all but ASCII.
  package static func isOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...0xFF: true
    default: byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }
  }
}
