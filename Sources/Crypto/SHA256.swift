import CCrypto

/// The system's OpenSSL 3, which digests and signatures need, cannot be loaded.
package struct CryptoUnavailable: Error, Hashable, Sendable, CustomStringConvertible {
  package let reason: String

  package var description: String {
    "Checksums and signatures need OpenSSL 3, which cannot be loaded: \(reason). Install it, on "
      + "Debian with 'apt-get install libssl3'."
  }

  /// Loads OpenSSL's libcrypto; must be called before any of its functions.
  static func check() throws(CryptoUnavailable) {
    if let reason = firetally_crypto_load() {
      throw CryptoUnavailable(reason: String(cString: reason))
    }
  }
}

/// SHA-256 (FIPS 180-4) of bytes that come in pieces.
package final class SHA256 {
  /// Of a digest, in bytes.
  package static let size = 32

  private let context: OpaquePointer

  package init() throws(CryptoUnavailable) {
    try CryptoUnavailable.check()
    guard let context = firetally_sha256_new() else {
      preconditionFailure("no memory for a checksum")
    }
    self.context = context
  }

  deinit { firetally_sha256_free(context) }

  package func update(_ bytes: UnsafeRawBufferPointer) {
    let done = firetally_sha256_update(context, bytes.baseAddress, bytes.count)
    precondition(done, "no memory for a checksum")
  }

  /// The digest of all pieces, after which no more may come.
  package func finish() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Self.size) { buffer, count in
      let done = firetally_sha256_finish(context, buffer.baseAddress)
      precondition(done, "a checksum is taken once")
      count = Self.size
    }
  }

  /// The digest of bytes that are all there.
  package static func digest(of bytes: some Sequence<UInt8>) throws(CryptoUnavailable) -> [UInt8] {
    let hash = try SHA256()
    Array(bytes).withUnsafeBytes { hash.update($0) }
    return hash.finish()
  }

  /// A digest in lower case.
  package static func hexadecimal(_ digest: [UInt8]) -> String {
    digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
