extension ByteCursor {
  /// Appends checked JSON without the white space between its parts; the range in `target`.
  func appendMinified(_ range: Range<Int>, to target: inout [UInt8]) -> Range<Int> {
    let start = target.count
    var run = range.lowerBound
    var position = range.lowerBound
    while position < range.upperBound {
      switch base[position] {
      case UInt8(ascii: "\""): position = endOfString(from: position)
      case 0x20, 0x0A, 0x0D, 0x09:
        target.append(contentsOf: bytes(run..<position))
        position += 1
        run = position
      default: position += 1
      }
    }
    target.append(contentsOf: bytes(run..<position))
    return start..<target.count
  }

  /// The position after the string that begins at `start`; it has its closing quote.
  private func endOfString(from start: Int) -> Int {
    var position = start + 1
    while base[position] != UInt8(ascii: "\"") {
      position += base[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    return position + 1
  }
}
