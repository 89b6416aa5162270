/// The words of a statement, separated from comments and quotes exactly as SQLite's tokenize.c
/// does.
///
/// A reader that took a comment to end earlier or later than SQLite would check another statement
/// than the one that runs.
package struct QueryText {
  private enum Token {
    /// A keyword, a bare name or a number.
    case word
    /// A text or a name in quotes or brackets.
    case quoted
    /// `:name`, `@name`, `$name`, `#1` or `?1`.
    case parameter
    case semicolon
    case other
  }

  private let bytes: [UInt8]

  package init(_ sql: String) { bytes = Array(sql.utf8) }

  /// Where the first token from `offset` on begins, semicolons skipped; nil when none follows.
  ///
  /// What is left behind a statement without one is white space, comments and semicolons.
  package func start(from offset: Int = 0) -> Int? {
    var place = offset
    while let token = next(from: place) {
      guard token.kind == .semicolon else { return token.range.lowerBound }
      place = token.range.upperBound
    }
    return nil
  }

  /// Whether the first words are of a statement that may only read.
  ///
  /// SQLite calls statements such as ATTACH and BEGIN read-only, and PRAGMA already acts while it
  /// is prepared, even behind EXPLAIN: so words are asked before SQLite is.
  package var mayRead: Bool {
    var words = words(atMost: 4)[...]
    if words.first == "EXPLAIN" { words.removeFirst() }
    if words.startIndex > 0, words.first == "QUERY" {
      guard words.dropFirst().first == "PLAN" else { return false }
      words.removeFirst(2)
    }
    return words.first.map { ["SELECT", "WITH", "VALUES"].contains($0) } ?? false
  }

  /// Where a parameter first stands, by its name with the sign before it; `?` is any with that
  /// sign.
  package func offset(ofParameter name: String) -> Int? {
    offset { kind, bytes in
      kind == .parameter
        && (name == "?" ? bytes.first == UInt8(ascii: "?") : bytes.elementsEqual(name.utf8))
    }
  }

  /// Where a name first stands, bare or in quotes.
  package func offset(ofName name: String) -> Int? {
    offset { self.name(of: $0, $1)?.elementsEqual(name.utf8) ?? false }
  }

  /// All names, bare or in quotes; keywords and numbers are among them.
  package var names: Set<String> {
    var names: Set<String> = []
    var place = 0
    while let token = next(from: place) {
      if let name = name(of: token.kind, bytes[token.range]) {
        names.insert(String(decoding: name, as: UTF8.self))
      }
      place = token.range.upperBound
    }
    return names
  }

  /// The statement without what follows its last word: spaces, comments and semicolons.
  package var body: String {
    var (place, end) = (0, 0)
    while let token = next(from: place) {
      place = token.range.upperBound
      if token.kind != .semicolon { end = place }
    }
    return String(decoding: bytes[..<end], as: UTF8.self)
  }

  /// The name that a token is, without its quotes; nil of a text and of other tokens.
  private func name(of kind: Token, _ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    switch kind {
    case .word: bytes
    case .quoted: bytes.first == UInt8(ascii: "'") ? nil : bytes.dropFirst().dropLast()
    case .parameter, .semicolon, .other: nil
    }
  }

  /// Where the first token begins that is the wanted one.
  private func offset(_ isWanted: (Token, ArraySlice<UInt8>) -> Bool) -> Int? {
    var place = 0
    while let token = next(from: place) {
      if isWanted(token.kind, bytes[token.range]) { return token.range.lowerBound }
      place = token.range.upperBound
    }
    return nil
  }

  /// The words at the beginning, in capitals, up to the first other token.
  private func words(atMost count: Int) -> [String] {
    var words: [String] = []
    var place = 0
    while words.count < count, let token = next(from: place), token.kind == .word {
      words.append(String(decoding: bytes[token.range], as: UTF8.self).uppercased())
      place = token.range.upperBound
    }
    return words
  }

  private func next(from offset: Int) -> (kind: Token, range: Range<Int>)? {
    let start = skippingSpace(from: offset)
    guard start < bytes.count else { return nil }
    switch bytes[start] {
    case UInt8(ascii: ";"): return (.semicolon, start..<start + 1)
    case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"):
      return (.quoted, start..<endOfQuotes(from: start))
    case UInt8(ascii: "["):
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "]"))
      return (.quoted, start..<(end.map { $0 + 1 } ?? bytes.count))
    case UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "#"), UInt8(ascii: "?"),
      UInt8(ascii: "$"):
      return (.parameter, start..<endOfWord(from: start + 1))
    case let byte where Self.isOfWord(byte): return (.word, start..<endOfWord(from: start))
    default: return (.other, start..<start + 1)
    }
  }

  /// Behind white space and comments.
  private func skippingSpace(from offset: Int) -> Int {
    var place = offset
    while place < bytes.count {
      switch bytes[place] {
      case 0x09, 0x0A, 0x0C, 0x0D, 0x20: place += 1
      case 0xEF where bytes[place...].starts(with: [0xEF, 0xBB, 0xBF]): place += 3
      case UInt8(ascii: "-") where bytes[place...].starts(with: "--".utf8):
        place = bytes[place...].firstIndex(of: 0x0A) ?? bytes.count
      // A comment begins only before something.
      case UInt8(ascii: "/") where bytes[place...].starts(with: "/*".utf8):
        guard place + 2 < bytes.count else { return place }
        place = endOfComment(from: place + 2)
      default: return place
      }
    }
    return place
  }

  /// Behind `*/`; the end of the text without one.
  private func endOfComment(from offset: Int) -> Int {
    var place = offset
    while place + 1 < bytes.count {
      if bytes[place] == UInt8(ascii: "*"), bytes[place + 1] == UInt8(ascii: "/") {
        return place + 2
      }
      place += 1
    }
    return bytes.count
  }

  /// Behind the closing quote; two in a row are one of the text.
  private func endOfQuotes(from start: Int) -> Int {
    let quote = bytes[start]
    var place = start + 1
    while place < bytes.count {
      guard bytes[place] == quote else {
        place += 1
        continue
      }
      guard place + 1 < bytes.count, bytes[place + 1] == quote else { return place + 1 }
      place += 2
    }
    return bytes.count
  }

  private func endOfWord(from start: Int) -> Int {
    bytes[start...].firstIndex { !Self.isOfWord($0) } ?? bytes.count
  }

  private static func isOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
      true
    default: false
    }
  }
}
