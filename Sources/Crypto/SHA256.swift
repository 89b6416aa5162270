import CCrypto

/// SHA-256 (FIPS 180-4) of bytes that come in pieces.
package final class SHA256 {
  /// Of a digest, in bytes.
  package static let size = 32

  private let context: OpaquePointer

  package init() {
    guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
      preconditionFailure("no memory for a checksum")
    }
    self.context = context
  }

  deinit { EVP_MD_CTX_free(context) }

  package func update(_ bytes: UnsafeRawBufferPointer) {
    let done = EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
    precondition(done == 1, "no memory for a checksum")
  }

  /// The digest of all pieces, after which no more may come.
  package func finish() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Self.size) { buffer, count in
      let done = EVP_DigestFinal_ex(context, buffer.baseAddress, nil)
      precondition(done == 1, "a checksum is taken once")
      count = Self.size
    }
  }

  /// The digest of bytes that are all there.
  package static func digest(of bytes: some Sequence<UInt8>) -> [UInt8] {
    let hash = SHA256()
    Array(bytes).withUnsafeBytes { hash.update($0) }
    return hash.finish()
  }

  /// A digest in lower case.
  package static func hexadecimal(_ digest: [UInt8]) -> String {
    digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
