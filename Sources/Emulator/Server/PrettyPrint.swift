/// JSON with a member a line, as `prettyPrint=true` asks for.
enum PrettyPrint {
  /// Lays out compact JSON; what stands inside strings stays as it is.
  static func layOut(_ compact: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(compact.count * 2)
    var (depth, isInString, isEscaped) = (0, false, false)
    for (index, byte) in compact.enumerated() {
      if isInString {
        bytes.append(byte)
        isInString = isEscaped || byte != UInt8(ascii: "\"")
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        continue
      }
      switch byte {
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        bytes.append(byte)
        let isEmpty = index + 1 < compact.count && compact[index + 1] == byte + 2
        depth += 1
        if !isEmpty { startLine(&bytes, depth) }
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        depth -= 1
        if compact[index - 1] != byte - 2 { startLine(&bytes, depth) }
        bytes.append(byte)
      case UInt8(ascii: ","):
        bytes.append(byte)
        startLine(&bytes, depth)
      case UInt8(ascii: ":"): bytes += [byte, UInt8(ascii: " ")]
      default:
        bytes.append(byte)
        isInString = byte == UInt8(ascii: "\"")
      }
    }
    return bytes
  }

  private static func startLine(_ bytes: inout [UInt8], _ depth: Int) {
    bytes.append(UInt8(ascii: "\n"))
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
  }
}
