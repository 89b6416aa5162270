extension ByteCursor {
  /// Refuses what Unicode's table 3-7 of well-formed sequences does not have.
  func validateUTF8(_ range: Range<Int>) throws(JSONError) {
    var position = range.lowerBound
    while position < range.upperBound {
      guard base[position] >= 0x80 else {
        position += 1
        continue
      }
      let length = sequenceLength(at: position, before: range.upperBound)
      guard length > 0 else { throw JSONError(.badUTF8, at: range.lowerBound) }
      position += length
    }
  }

  /// The length of the well-formed sequence of two to four bytes; 0 when it is not well-formed.
  @inline(__always)
  private func sequenceLength(at position: Int, before end: Int) -> Int {
    let lead = base[position]
    switch lead {
    case 0xC2...0xDF:
      return follows(position, 1, before: end) ? 2 : 0
    case 0xE0...0xEF:
      guard follows(position, 2, before: end) else { return 0 }
      let second = base[position + 1]
      if lead == 0xE0 && second < 0xA0 || lead == 0xED && second > 0x9F { return 0 }
      return 3
    case 0xF0...0xF4:
      guard follows(position, 3, before: end) else { return 0 }
      let second = base[position + 1]
      if lead == 0xF0 && second < 0x90 || lead == 0xF4 && second > 0x8F { return 0 }
      return 4
    default: return 0
    }
  }

  /// Whether `count` continuation bytes stand after the lead byte.
  @inline(__always)
  private func follows(_ lead: Int, _ count: Int, before end: Int) -> Bool {
    guard lead + count < end else { return false }
    for offset in 1...count where base[lead + offset] & 0xC0 != 0x80 { return false }
    return true
  }
}
