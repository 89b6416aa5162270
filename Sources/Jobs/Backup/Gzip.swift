import CZlib
import Glibc

/// Compresses and expands files in constant memory.
enum Gzip {
  /// Compresses a file into an open one, and brings it to the disk.
  ///
  /// `advanced` is called with the number of bytes of each part that was read.
  ///
  /// - Throws: `JobsError.file`, or a cancellation.
  static func compress(
    _ source: String, into file: FileDescriptor, at path: String,
    advanced: (Int) -> Void = { _ in }
  ) throws {
    let input = try FileDescriptor.open(source, O_RDONLY, to: "read")
    var output = gzdopen(fcntl(file.number, F_DUPFD_CLOEXEC, 0), "wb")
    guard output != nil else { throw JobsError.cannot("write", path) }
    defer { if output != nil { gzclose_w(output) } }
    gzbuffer(output, 256 << 10)
    try input.forEachPiece(at: source) { piece in
      guard gzwrite(output, piece.baseAddress, UInt32(piece.count)) > 0 else {
        throw JobsError.cannot("write", path)
      }
      advanced(piece.count)
    }
    let code = gzclose_w(output)
    output = nil
    guard code == Z_OK else { throw JobsError.cannot("write", path) }
    try file.sync(path)
  }

  /// Expands a gzip file into an open one; a file of another format is copied.
  ///
  /// - Returns: why it cannot be expanded, such as a wrong checksum, as the end of a sentence; nil
  ///   when all of it was.
  /// - Throws: `JobsError.file`, or a cancellation.
  static func expand(
    _ source: String, into file: FileDescriptor, at path: String
  ) throws -> String? {
    let input = try FileDescriptor.open(source, O_RDONLY, to: "read")
    let magic: [UInt8] = [0x1F, 0x8B]
    var isFirst = true
    var inflater: Inflater?
    try input.forEachPiece(at: source) { piece in
      if isFirst, piece.starts(with: magic) { inflater = Inflater() }
      isFirst = false
      guard let inflater else { return try file.write(piece, at: path) }
      try inflater.expand(piece) { try file.write($0, at: path) }
    }
    try file.sync(path)
    return inflater?.problem
  }
}

/// Expands a gzip file of one or more members, piece by piece.
private final class Inflater {
  /// zlib remembers the address.
  private let stream: UnsafeMutablePointer<z_stream>
  private var output = [UInt8](repeating: 0, count: 256 << 10)
  /// Whatever follows a member must be another one.
  private var isInsideMember = true
  private var damage: String?

  init() {
    // The largest window of deflate (RFC 1951), and zlib's mark for gzip's header and checksum.
    let windowBits: Int32 = 15 + 16
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let code = inflateInit2_(
      stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    precondition(code == Z_OK, "zlib has no memory or another version: \(code)")
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// What is wrong at the end of the file; nil for a whole one.
  var problem: String? { damage ?? (isInsideMember ? "it is cut short" : nil) }

  /// Passes on what the piece expands to; nothing once the data is damaged.
  func expand(
    _ piece: UnsafeRawBufferPointer, each: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    stream.pointee.next_in = UnsafeMutablePointer(
      mutating: piece.bindMemory(to: UInt8.self).baseAddress)
    stream.pointee.avail_in = UInt32(piece.count)
    var hasMore = false
    while damage == nil, hasMore || stream.pointee.avail_in > 0 {
      if !isInsideMember { inflateReset(stream) }
      isInsideMember = true
      let (code, count) = inflate()
      try output.withUnsafeBytes { try each(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
      hasMore = code == Z_OK && count == output.count
      switch code {
      case Z_OK, Z_BUF_ERROR: break
      case Z_STREAM_END: isInsideMember = false
      default:
        let reason = stream.pointee.msg.map { String(cString: $0) } ?? "no reason given"
        damage = "its gzip data is damaged (\(reason))"
      }
    }
  }

  /// One call of zlib, and how many bytes of output it made.
  private func inflate() -> (code: Int32, count: Int) {
    output.withUnsafeMutableBufferPointer { buffer in
      stream.pointee.next_out = buffer.baseAddress
      stream.pointee.avail_out = UInt32(buffer.count)
      let code = CZlib.inflate(stream, Z_NO_FLUSH)
      return (code, buffer.count - Int(stream.pointee.avail_out))
    }
  }
}
