import Fixtures

/// One input of a fuzzed parser, which its seed decides.
struct FuzzCase {
  let bytes: [UInt8]
  /// Whether it is a page without any damage.
  let isIntact: Bool

  init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let kind = Int.random(in: 0..<10, using: &random)
    switch kind {
    case 0, 1: bytes = FuzzText.page(using: &random)
    case 2: bytes = FuzzText.uniformPage(using: &random)
    case 3, 4, 5:
      bytes = FuzzCase.damaged(FuzzText.page(using: &random), using: &random)
    case 6, 7: bytes = FuzzCase.damaged(FuzzText.uniformPage(using: &random), using: &random)
    case 8: bytes = FuzzCase.damaged(FuzzText.value(using: &random), using: &random)
    default: bytes = FuzzText.soup(using: &random)
    }
    isIntact = kind < 3
  }

  /// Changes, drops, doubles or inserts a few bytes or tokens, nests, or cuts the end off.
  private static func damaged(_ page: [UInt8], using random: inout SeededGenerator) -> [UInt8] {
    var bytes = page
    for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
      let position = Int.random(in: 0..<bytes.count, using: &random)
      let end = min(bytes.count, position + Int.random(in: 1...8, using: &random))
      let token = FuzzText.tokens[Int.random(in: 0..<FuzzText.tokens.count, using: &random)]
      switch Int.random(in: 0..<8, using: &random) {
      case 0: bytes[position] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes[position] ^= 1 << UInt8.random(in: 0...7, using: &random)
      case 2: bytes.removeSubrange(position..<end)
      case 3: bytes.insert(contentsOf: bytes[position..<end], at: position)
      case 4: bytes.removeSubrange(position...)
      case 5: bytes.replaceSubrange(position..<end, with: token)
      case 6: bytes.append(contentsOf: token)
      default: bytes.insert(contentsOf: token, at: position)
      }
    }
    guard Int.random(in: 0..<100, using: &random) == 0 else { return bytes }
    return nested(bytes, using: &random)
  }

  private static func nested(_ bytes: [UInt8], using random: inout SeededGenerator) -> [UInt8] {
    let depth = Int.random(in: 90...110, using: &random)
    let (open, close) = Bool.random(using: &random) ? ("[", "]") : ("{\"a\":", "}")
    return Array(String(repeating: open, count: depth).utf8) + bytes
      + Array(String(repeating: close, count: depth).utf8)
  }
}
