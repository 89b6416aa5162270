import Foundation

/// One Swift file of the repository, with its text as code only.
struct SwiftFile: Sendable {
  /// From the root of the repository: `Sources/Model/Tier.swift`.
  let path: String
  let text: String
  /// The text with comments and the contents of strings as spaces, line by line the same.
  let code: String
  /// The words of the code, in their order.
  let words: [Word]
  private let newlines: [Int]

  /// A word of the code: a keyword or a name.
  struct Word: Sendable {
    let text: String
    /// Bytes of `code` before the word.
    let offset: Int
  }

  init(path: String, text: String) {
    self.path = path
    self.text = text
    code = CodeMask.mask(text)
    let bytes = Array(code.utf8)
    newlines = bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }
    words = Self.words(of: bytes)
  }

  /// `Model` for `Sources/Model/Tier.swift`; nil outside of `Sources`.
  var module: String? {
    let parts = path.split(separator: "/")
    return parts.count > 2 && parts[0] == "Sources" ? String(parts[1]) : nil
  }

  var lineCount: Int {
    text.isEmpty || text.hasSuffix("\n") ? newlines.count : newlines.count + 1
  }

  /// The line of a byte of `code`, from 1.
  func line(of offset: Int) -> Int {
    newlines.count { $0 < offset } + 1
  }

  /// The line of a place in `code`, from 1.
  func line(of index: String.Index) -> Int {
    line(of: code.utf8.distance(from: code.startIndex, to: index))
  }

  private static func words(of bytes: [UInt8]) -> [Word] {
    var words: [Word] = []
    var start: Int?
    for (offset, byte) in (bytes + [0]).enumerated() {
      if isWordByte(byte) {
        start = start ?? offset
      } else if let first = start {
        words.append(
          Word(text: String(decoding: bytes[first..<offset], as: UTF8.self), offset: first))
        start = nil
      }
    }
    return words
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    (97...122).contains(byte) || (65...90).contains(byte) || (48...57).contains(byte)
      || byte == 95 || byte >= 128
  }
}
