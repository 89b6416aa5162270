import Crypto
import Glibc

/// The size and the SHA-256 of a file.
package struct FileDigest: Hashable, Sendable {
  package var bytes: Int64
  /// Hexadecimal, in lower case.
  package var sha256: String
}

extension FileDigest {
  /// The digest of a file, which is read once.
  ///
  /// - Throws: `JobsError.file`, or a cancellation.
  init(ofFile path: String) throws {
    let input = try FileDescriptor.open(path, O_RDONLY, to: "read")
    var digest = RunningDigest()
    var chunk = [UInt8](repeating: 0, count: 256 << 10)
    while true {
      try Task.checkCancellation()
      let count = try input.read(into: &chunk, at: path)
      guard count > 0 else { break }
      chunk.withUnsafeBytes { digest.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
    self = digest.finish()
  }
}

/// The digest of bytes that come in pieces.
struct RunningDigest {
  private(set) var bytes: Int64 = 0
  private let hash = SHA256()

  mutating func update(_ piece: UnsafeRawBufferPointer) {
    hash.update(piece)
    bytes += Int64(piece.count)
  }

  /// The digest of all pieces; taken once, and no piece may follow.
  func finish() -> FileDigest {
    FileDigest(bytes: bytes, sha256: SHA256.hexadecimal(hash.finish()))
  }
}

extension SHA256 {
  /// The digest of bytes, in hexadecimal.
  static func text(of bytes: [UInt8]) -> String { hexadecimal(digest(of: bytes)) }
}
