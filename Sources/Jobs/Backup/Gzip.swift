import CZlib
import Glibc

/// Compresses and expands files in constant memory, with the digest of the compressed bytes.
enum Gzip {
  private static let chunkBytes = 256 << 10

  /// What expanding a file came to.
  struct Expansion: Hashable {
    /// Of the file as it is.
    var digest: FileDigest
    /// Why the file cannot be expanded, as the end of a sentence; nil when all of it was.
    var problem: String?
  }

  /// Compresses a file into an open one, and brings it to the disk.
  ///
  /// - Parameters:
  ///   - source: the file to read.
  ///   - file: the one to write.
  ///   - path: where it is, for errors.
  ///   - advanced: is called with the bytes of each part that was read.
  /// - Returns: the digest of what was written.
  /// - Throws: `FileFailure`, or a cancellation.
  static func compress(
    _ source: String, into file: FileDescriptor, at path: String,
    advanced: (Int) -> Void = { _ in }
  ) throws -> FileDigest {
    var output = try DigestingOutput(file, path: path)
    let stream = ZlibStream(deflates: true)
    let input = try FileDescriptor.open(source, O_RDONLY, to: "read")
    var chunk = [UInt8](repeating: 0, count: chunkBytes)
    while true {
      try Task.checkCancellation()
      let count = try input.read(into: &chunk, at: source)
      _ = try stream.feed(chunk[..<count], isLast: count == 0) { try output.write($0) }
      if count == 0 { break }
      advanced(count)
    }
    try flush(file, at: path)
    return output.finish()
  }

  /// Expands a gzip file into an open one; a file of another format is copied.
  ///
  /// A file that is cut short, or whose checksum is wrong, is a problem of the result; it is read to
  /// its end even so.
  ///
  /// - Throws: `FileFailure`, or a cancellation.
  static func expand(_ source: String, into file: FileDescriptor, at path: String) throws
    -> Expansion
  {
    let input = try FileDescriptor.open(source, O_RDONLY, to: "read")
    var digest = RunningDigest()
    var output = try DigestingOutput(file, path: path)
    var expander: GzipExpander?
    var chunk = [UInt8](repeating: 0, count: chunkBytes)
    while true {
      try Task.checkCancellation()
      let count = try input.read(into: &chunk, at: source)
      guard count > 0 else { break }
      if digest.bytes == 0 {
        expander = chunk[..<count].starts(with: GzipExpander.magic) ? GzipExpander() : nil
      }
      chunk.withUnsafeBytes { digest.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
      if expander == nil {
        try chunk.withUnsafeBytes {
          try output.write(UnsafeRawBufferPointer(rebasing: $0[..<count]))
        }
      } else {
        try expander?.expand(chunk[..<count]) { try output.write($0) }
      }
    }
    try flush(file, at: path)
    return Expansion(digest: digest.finish(), problem: expander?.ending)
  }

  private static func flush(_ file: FileDescriptor, at path: String) throws(FileFailure) {
    guard fsync(file.number) == 0 else { throw FileFailure("write", path, code: errno) }
  }
}

/// Writes to an open file and digests what it writes.
private struct DigestingOutput {
  private let file: FileDescriptor
  private let path: String
  private var running: RunningDigest

  init(_ file: FileDescriptor, path: String) throws(JobsError) {
    self.file = file
    self.path = path
    running = RunningDigest()
  }

  /// The digest of what was written; taken once.
  func finish() -> FileDigest { running.finish() }

  mutating func write(_ piece: UnsafeRawBufferPointer) throws {
    running.update(piece)
    var rest = piece[...]
    while !rest.isEmpty {
      let buffer = UnsafeRawBufferPointer(rebasing: rest)
      let count = Glibc.write(file.number, buffer.baseAddress, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw FileFailure("write", path, code: count < 0 ? errno : EIO) }
      rest = rest.dropFirst(count)
    }
  }
}

/// Expands a gzip file of one or more members, piece by piece.
private struct GzipExpander {
  static let magic: [UInt8] = [0x1F, 0x8B]

  private enum State {
    case insideMember
    /// Whatever follows must be another member.
    case betweenMembers
    case failed(String)
  }

  private var state = State.insideMember
  private let stream = ZlibStream(deflates: false)

  /// Passes on what the piece expands to; a failed one passes on nothing.
  mutating func expand(
    _ piece: ArraySlice<UInt8>, each: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    var rest = piece
    while !rest.isEmpty {
      switch state {
      case .failed: return
      case .betweenMembers:
        stream.reset()
        state = .insideMember
      case .insideMember: break
      }
      let (consumed, code) = try stream.feed(rest, isLast: false, each: each)
      rest = rest.dropFirst(consumed)
      switch code {
      case Z_OK, Z_BUF_ERROR: break
      case Z_STREAM_END: state = .betweenMembers
      default: state = .failed("its gzip data is damaged (\(stream.message))")
      }
    }
  }

  /// What is wrong at the end of the file; nil for a whole one.
  var ending: String? {
    switch state {
    case .betweenMembers: nil
    case .insideMember: "it is cut short"
    case .failed(let reason): reason
    }
  }
}

/// One direction of zlib's streaming interface, in gzip's format.
private final class ZlibStream {
  /// zlib remembers the address.
  private let stream: UnsafeMutablePointer<z_stream>
  private let deflates: Bool
  private var output = [UInt8](repeating: 0, count: 256 << 10)

  /// The largest window of deflate (RFC 1951), and zlib's mark for gzip's header and checksum.
  private static let windowBits: Int32 = 15 + 16
  private static let memoryLevel: Int32 = 8

  init(deflates: Bool) {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    self.deflates = deflates
    let size = Int32(MemoryLayout<z_stream>.size)
    let code =
      deflates
      ? deflateInit2_(
        stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, Self.windowBits, Self.memoryLevel,
        Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
      : inflateInit2_(stream, Self.windowBits, ZLIB_VERSION, size)
    precondition(code == Z_OK, "zlib has no memory or another version: \(code)")
  }

  deinit {
    if deflates { deflateEnd(stream) } else { inflateEnd(stream) }
    stream.deallocate()
  }

  /// What zlib says about its last failure.
  var message: String { stream.pointee.msg.map { String(cString: $0) } ?? "no reason given" }

  func reset() { inflateReset(stream) }

  /// Passes on all output that the input makes.
  ///
  /// - Returns: how many bytes were taken, fewer than given only at the end of a member or at a
  ///   failure, and zlib's last code.
  func feed(
    _ input: ArraySlice<UInt8>, isLast: Bool, each: (UnsafeRawBufferPointer) throws -> Void
  ) throws -> (consumed: Int, code: Int32) {
    var bytes = Array(input)
    return try bytes.withUnsafeMutableBufferPointer { buffer in
      stream.pointee.next_in = buffer.baseAddress
      stream.pointee.avail_in = UInt32(buffer.count)
      while true {
        let (count, code) = step(isLast: isLast)
        try output.withUnsafeBytes { try each(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        let hasMore = code == Z_OK && (count == output.count || stream.pointee.avail_in > 0)
        guard hasMore || isLast && code == Z_OK else {
          return (buffer.count - Int(stream.pointee.avail_in), code)
        }
      }
    }
  }

  /// One call of zlib, and how many bytes of output it made.
  private func step(isLast: Bool) -> (count: Int, code: Int32) {
    let size = output.count
    return output.withUnsafeMutableBufferPointer { buffer in
      stream.pointee.next_out = buffer.baseAddress
      stream.pointee.avail_out = UInt32(size)
      let code =
        deflates
        ? deflate(stream, isLast ? Z_FINISH : Z_NO_FLUSH) : inflate(stream, Z_NO_FLUSH)
      return (size - Int(stream.pointee.avail_out), code)
    }
  }
}
