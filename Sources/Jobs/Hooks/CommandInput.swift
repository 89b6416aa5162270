import Glibc

/// What a command reads on its standard input, written to a pipe as fast as the command reads.
///
/// A few kilobytes fit the pipe at once, before the command begins; a system that is short of
/// memory for pipes takes them in parts.
struct CommandInput: Sendable {
  /// Nil when all is written, or nobody reads any more.
  private var writer: FileDescriptor?
  private var rest: ArraySlice<UInt8>

  /// - Returns: the end to write to, and the one for the command to read.
  static func pipe(
    _ bytes: [UInt8]
  ) throws(FileFailure) -> (input: CommandInput, reader: FileDescriptor) {
    var ends: [Int32] = [0, 0]
    guard Glibc.pipe(&ends) == 0 else { throw FileFailure("open", "a pipe", code: errno) }
    let (reader, writer) = (FileDescriptor(owning: ends[0]), FileDescriptor(owning: ends[1]))
    guard fcntl(writer.number, F_SETFL, O_NONBLOCK) == 0,
      fcntl(reader.number, F_SETFD, FD_CLOEXEC) == 0, fcntl(writer.number, F_SETFD, FD_CLOEXEC) == 0
    else {
      throw FileFailure("open", "a pipe", code: errno)
    }
    var input = CommandInput(writer: writer, rest: bytes[...])
    input.feed()
    return (input, reader)
  }

  private init(writer: FileDescriptor, rest: ArraySlice<UInt8>) {
    self.writer = writer
    self.rest = rest
  }

  /// Writes what the pipe takes; waits for nothing, and closes the pipe after the last byte.
  mutating func feed() {
    while let writer, !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(writer.number, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { return }
      rest = count < 0 ? [] : rest.dropFirst(count)
    }
    writer = nil
  }
}
