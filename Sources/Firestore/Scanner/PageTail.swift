import Glibc

/// The last document of a page, found without scanning the page.
///
/// It tells early where the next page begins. It is a guess until the whole page was scanned; see
/// `docs/firestore.md#pages-ahead`.
package struct PageTail: Sendable {
  /// A valid answer with the last document and what follows it.
  package let answer: [UInt8]
  /// The number of documents that begin with the same bytes as the last one, at most all of them.
  package let documentCount: Int

  /// Nil when the answer does not end like a page of documents that Firestore writes.
  package init?(of page: [UInt8]) {
    let found: (answer: [UInt8], count: Int)? = page.withUnsafeBytes { bytes in
      guard let start = Self.lastDocument(in: bytes), let head = Self.head(in: bytes, at: start)
      else { return nil }
      let tail = UnsafeRawBufferPointer(rebasing: bytes[start...])
      return ([UInt8(ascii: "[")] + tail, Self.count(of: bytes[head], in: bytes))
    }
    guard let found else { return nil }
    answer = found.answer
    documentCount = found.count
  }

  /// Maximum length in bytes of the last document's JSON; a document is at most 1 MiB.
  private static let longestTail = 2 << 20

  /// Where the last `{"document"` begins.
  private static func lastDocument(in page: UnsafeRawBufferPointer) -> Int? {
    let end = max(0, page.count - longestTail)
    var position = page.count - 1
    while position >= end {
      if page[position] == UInt8(ascii: "{"), skip(#""document""#, in: page, after: position) != nil
      {
        return position
      }
      position -= 1
    }
    return nil
  }

  /// The range from the document's brace to its first key.
  ///
  /// Extends to the collection when the first key is the name, as Google writes it: the search for
  /// a longer head is faster.
  private static func head(in page: UnsafeRawBufferPointer, at start: Int) -> Range<Int>? {
    guard let brace = skip([#""document""#, ":", "{"], in: page, after: start) else { return nil }
    if let name = skip([#""name""#, ":", #""projects/"#], in: page, after: brace) {
      return start..<(end(ofSlashes: 3, in: page, after: name) ?? name) + 1
    }
    guard let quote = skip("\"", in: page, after: brace),
      let end = page[(quote + 1)...].firstIndex(of: UInt8(ascii: "\""))
    else { return nil }
    return start..<end + 1
  }

  /// The position of the slash number `count` after `start`; nil when it is not within 256 bytes.
  private static func end(
    ofSlashes count: Int, in page: UnsafeRawBufferPointer, after start: Int
  ) -> Int? {
    var slashCount = 0
    for position in (start + 1)..<min(start + 256, page.count) where page[position] == 0x2F {
      slashCount += 1
      if slashCount == count { return position }
    }
    return nil
  }

  /// The position of the last token's last byte when all tokens follow, with optional white space.
  private static func skip(
    _ tokens: [StaticString], in page: UnsafeRawBufferPointer, after start: Int
  ) -> Int? {
    var position: Int? = start
    for token in tokens { position = position.flatMap { skip(token, in: page, after: $0) } }
    return position
  }

  /// The position of the token's last byte when it follows, with optional white space.
  @inline(__always)
  private static func skip(
    _ token: StaticString, in page: UnsafeRawBufferPointer, after start: Int
  ) -> Int? {
    var position = start + 1
    while position < page.count, isBlank(page[position]) { position += 1 }
    let count = token.utf8CodeUnitCount
    guard position + count <= page.count else { return nil }
    for offset in 0..<count where page[position + offset] != token.utf8Start[offset] { return nil }
    return position + count - 1
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  /// Counts with Horspool's search, which looks at about every tenth byte.
  private static func count(
    of head: Slice<UnsafeRawBufferPointer>, in page: UnsafeRawBufferPointer
  ) -> Int {
    let head = UnsafeRawBufferPointer(rebasing: head)
    guard let needle = head.baseAddress, let text = page.baseAddress else { return 0 }
    let last = head.count - 1
    var shifts = [Int](repeating: head.count, count: 256)
    for offset in 0..<last { shifts[Int(head[offset])] = last - offset }
    var count = 0
    var end = last
    while end < page.count {
      if page[end - last] == head[0], memcmp(text + (end - last), needle, head.count) == 0 {
        count += 1
        end += head.count
      } else {
        end += shifts[Int(page[end])]
      }
    }
    return count
  }
}
