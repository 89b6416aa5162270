/// What a command prints, cut into lines.
///
/// Beyond `longest` bytes it is dropped, so that the command is never held up.
struct CommandOutput: Sendable {
  /// Bytes of which lines are made.
  static let longest = 65_536
  /// Bytes of one line; a longer one goes on in the next.
  static let longestLine = 4_096

  private let say: @Sendable (String) -> Void
  private var line: [UInt8] = []
  private var kept = 0
  private var isCut = false

  init(say: @escaping @Sendable (String) -> Void) {
    self.say = say
  }

  /// Says the lines that end in the bytes.
  mutating func take(_ bytes: UnsafeRawBufferPointer) {
    let room = bytes.prefix(Self.longest - kept)
    kept += room.count
    isCut = isCut || room.count < bytes.count
    for byte in room {
      if byte == UInt8(ascii: "\n") {
        flush()
      } else {
        if line.count == Self.longestLine { flush() }
        line.append(byte)
      }
    }
  }

  /// Says what is left, also a last line without an end.
  mutating func finish() {
    if !line.isEmpty { flush() }
    if isCut { say("(the rest of more than \(Self.longest) bytes was left out)") }
  }

  private mutating func flush() {
    say(String(decoding: line, as: UTF8.self))
    line = []
  }
}
