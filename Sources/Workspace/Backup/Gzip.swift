import CZlib
import Glibc

/// Compresses and expands files in constant memory.
package enum Gzip {
  /// Compresses a file into an open one, which stays open.
  ///
  /// `advanced` receives the number of bytes of each part that was read.
  ///
  /// - Throws: `WorkspaceError.file`, or a cancellation.
  package static func compress(
    _ source: String, into descriptor: Int32, at path: String,
    advanced: (Int) -> Void = { _ in }
  ) throws {
    let input = try FileDescriptor.open(source, O_RDONLY, to: "read")
    var output = gzdopen(fcntl(descriptor, F_DUPFD_CLOEXEC, 0), "wb")
    guard output != nil else { throw WorkspaceError.cannot("write", path) }
    defer { if output != nil { gzclose_w(output) } }
    gzbuffer(output, 256 << 10)
    try input.forEachPiece(at: source) { piece in
      guard gzwrite(output, piece.baseAddress, UInt32(piece.count)) > 0 else {
        throw WorkspaceError.cannot("write", path)
      }
      advanced(piece.count)
    }
    let code = gzclose_w(output)
    output = nil
    guard code == Z_OK else { throw WorkspaceError.cannot("write", path) }
  }

  /// Expands a gzip file into an open one; copies a file of another format.
  ///
  /// Data after the last gzip member is ignored, as `gzip` does.
  ///
  /// - Returns: why it cannot be expanded completely, such as a wrong checksum, as the end of a
  ///   sentence; nil on success.
  /// - Throws: `WorkspaceError.file`, or a cancellation.
  package static func expand(
    _ source: String, into file: FileDescriptor, at path: String
  ) throws -> String? {
    let input = try FileDescriptor.open(source, O_RDONLY, to: "read")
    guard let stream = gzdopen(fcntl(input.number, F_DUPFD_CLOEXEC, 0), "rb") else {
      throw WorkspaceError.cannot("read", source)
    }
    defer { gzclose_r(stream) }
    var chunk = [UInt8](repeating: 0, count: 256 << 10)
    var count = 0
    repeat {
      try Task.checkCancellation()
      count = Int(gzread(stream, &chunk, UInt32(chunk.count)))
      try chunk.withUnsafeBytes {
        try file.write(UnsafeRawBufferPointer(rebasing: $0[..<max(0, count)]), at: path)
      }
    } while count > 0
    var code = Z_OK
    let message = gzerror(stream, &code).map { String(cString: $0) } ?? ""
    if code == Z_ERRNO { throw WorkspaceError.cannot("read", source) }
    try file.sync(path)
    switch code {
    case Z_OK, Z_STREAM_END: return nil
    case Z_BUF_ERROR: return "it is cut short"
    default:
      // zlib prefixes the message with the number of the open file.
      return "its gzip data is damaged (\(message.split(separator: ": ").last ?? ""))"
    }
  }
}
