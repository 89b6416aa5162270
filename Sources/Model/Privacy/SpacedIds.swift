/// Ids that reading a text word by word does not find: with white space or punctuation in them.
///
/// See `docs/reports.md#anonymous`.
package struct SpacedIds: Sendable {
  private let ids: Set<[UInt8]>
  /// Their numbers of bytes, the longest first: a shorter id may be the beginning of another.
  private let lengths: [Int]

  /// Takes those of the ids that have something of the kind.
  package init(_ ids: some Sequence<String>) {
    self.ids = Set(ids.filter(Self.isSpaced).map { Array($0.utf8) })
    lengths = Set(self.ids.map(\.count)).sorted(by: >)
  }

  /// The same with more ids.
  func adding(_ more: some Sequence<String>) -> SpacedIds {
    let new = more.filter { Self.isSpaced($0) && !ids.contains(Array($0.utf8)) }
    guard !new.isEmpty else { return self }
    return SpacedIds(ids.map { String(decoding: $0, as: UTF8.self) } + new)
  }

  private static func isSpaced(_ id: String) -> Bool {
    id.contains { $0.isWhitespace || PersonalText.punctuation.contains($0) }
  }

  /// The text with a replacement of each of the ids that stands between others than letters,
  /// digits, `_` and `-`; O(words * lengths).
  func replacing(in text: String, with replacement: (String) -> String) -> String {
    guard !ids.isEmpty else { return text }
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var start = 0
    while start < bytes.count {
      guard start == 0 || !WholeWord.isOfWord(bytes[start - 1]),
        let id = id(at: start, in: bytes)
      else {
        result.append(bytes[start])
        start += 1
        continue
      }
      result += replacement(String(decoding: id, as: UTF8.self)).utf8
      start += id.count
    }
    return String(decoding: result, as: UTF8.self)
  }

  private func id(at start: Int, in text: [UInt8]) -> [UInt8]? {
    for length in lengths where start + length <= text.count {
      let end = start + length
      guard end == text.count || !WholeWord.isOfWord(text[end]) else { continue }
      let word = Array(text[start..<end])
      if ids.contains(word) { return word }
    }
    return nil
  }
}
