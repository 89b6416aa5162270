import CCrypto

/// A private RSA key, which signs what Google is to trust.
package final class RSAKey: Sendable {
  /// Bytes; RSA keys of 16,384 bits, the longest that OpenSSL takes, sign in no more.
  private static let longestSignature = 2048

  /// The address of OpenSSL's key, which any number of threads may sign with.
  private let address: UInt

  /// Nil when the text is not an RSA key of 2048 bits or more, in PEM form and without a password.
  package init?(pem: String) throws(CryptoUnavailable) {
    try CryptoUnavailable.check()
    var pem = pem
    let key = pem.withUTF8 { text in
      text.withMemoryRebound(to: CChar.self) { firetally_rsa_key_new($0.baseAddress, $0.count) }
    }
    guard let key else { return nil }
    address = UInt(bitPattern: key)
  }

  deinit { firetally_rsa_key_free(OpaquePointer(bitPattern: address)) }

  /// RSASSA-PKCS1-v1_5 with SHA-256, the RS256 of RFC 7518; nil when the key cannot sign.
  package func signature(of bytes: some Sequence<UInt8>) -> [UInt8]? {
    let bytes = Array(bytes)
    var done = false
    let signature = [UInt8](unsafeUninitializedCapacity: Self.longestSignature) { buffer, count in
      var room = buffer.count
      done = firetally_rsa_sign(
        OpaquePointer(bitPattern: address), bytes, bytes.count, buffer.baseAddress, &room)
      count = done ? room : 0
    }
    return done ? signature : nil
  }
}
