import Crypto
import Glibc

/// The size and the SHA-256 of a file.
package struct FileDigest: Hashable, Sendable {
  package var bytes: Int64
  /// In lower-case hexadecimal.
  package var sha256: String
}

extension FileDigest {
  /// Reads a file once and computes its digest.
  ///
  /// - Throws: `WorkspaceError.file`, or a cancellation.
  package init(ofFile path: String) throws {
    let hash = SHA256()
    var bytes: Int64 = 0
    try FileDescriptor.open(path, O_RDONLY, to: "read").forEachPiece(at: path) { piece in
      hash.update(piece)
      bytes += Int64(piece.count)
    }
    self.init(bytes: bytes, sha256: SHA256.hexadecimal(hash.finish()))
  }
}

extension SHA256 {
  /// Returns the SHA-256 of bytes, in hexadecimal.
  package static func text(of bytes: [UInt8]) -> String { hexadecimal(digest(of: bytes)) }
}
