import Glibc

/// What a command prints, read from a pipe line by line while the command runs.
///
/// Beyond `longest` bytes it is read and dropped, so that the command is never held up.
struct CommandOutput: Sendable {
  /// Bytes of which lines are made.
  static let longest = 65_536
  /// Bytes of one line; a longer one goes on in the next.
  static let longestLine = 4_096

  private let reader: FileDescriptor
  private let say: @Sendable (String) -> Void
  private var line: [UInt8] = []
  private var kept = 0
  private var isCut = false

  /// - Returns: the end to read, and the one for the command to write to.
  static func pipe(
    _ say: @escaping @Sendable (String) -> Void
  ) throws(FileFailure) -> (output: CommandOutput, writer: FileDescriptor) {
    var ends: [Int32] = [0, 0]
    guard Glibc.pipe(&ends) == 0 else { throw FileFailure("open", "a pipe", code: errno) }
    let (reader, writer) = (FileDescriptor(owning: ends[0]), FileDescriptor(owning: ends[1]))
    guard fcntl(reader.number, F_SETFL, O_NONBLOCK) == 0,
      fcntl(reader.number, F_SETFD, FD_CLOEXEC) == 0, fcntl(writer.number, F_SETFD, FD_CLOEXEC) == 0
    else {
      throw FileFailure("open", "a pipe", code: errno)
    }
    return (CommandOutput(reader: reader, say: say), writer)
  }

  private init(reader: FileDescriptor, say: @escaping @Sendable (String) -> Void) {
    self.reader = reader
    self.say = say
  }

  /// Says the lines that have come so far; waits for nothing.
  mutating func drain() {
    var chunk = [UInt8](repeating: 0, count: 16_384)
    // A command that writes without end is read again in the next round.
    for _ in 0..<8 {
      let count = read(reader.number, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      take(chunk[..<count])
    }
  }

  /// Says what is left, also a last line without an end.
  mutating func finish() {
    drain()
    if !line.isEmpty { flush() }
    if isCut { say("(the rest of more than \(Self.longest) bytes was left out)") }
  }

  private mutating func take(_ bytes: ArraySlice<UInt8>) {
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

  private mutating func flush() {
    say(String(decoding: line, as: UTF8.self))
    line = []
  }
}
