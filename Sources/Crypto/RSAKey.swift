import CCrypto

/// A private RSA key, which signs what Google is to trust.
package final class RSAKey: Sendable {
  /// In bits.
  private static let shortest: Int32 = 2048
  /// Bytes; RSA keys of 16,384 bits, the longest that OpenSSL takes, sign in no more.
  private static let longestSignature = 2048

  /// The address of OpenSSL's key, which any number of threads may sign with.
  private let address: UInt

  /// Nil when the text is not an RSA key of 2048 bits or more, in PEM form and without a password.
  package init?(pem: String) {
    guard let key = PrivateKeyText.key(in: Array(pem.utf8)) else {
      ERR_clear_error()
      return nil
    }
    address = UInt(bitPattern: key)
    guard EVP_PKEY_is_a(key, "RSA") == 1, EVP_PKEY_get_bits(key) >= Self.shortest else {
      ERR_clear_error()
      return nil
    }
  }

  deinit { EVP_PKEY_free(OpaquePointer(bitPattern: address)) }

  /// RSASSA-PKCS1-v1_5 with SHA-256, the RS256 of RFC 7518; nil when the key cannot sign.
  package func signature(of bytes: some Sequence<UInt8>) -> [UInt8]? {
    let bytes = Array(bytes)
    guard let context = EVP_MD_CTX_new() else { return nil }
    defer { EVP_MD_CTX_free(context) }
    let key = OpaquePointer(bitPattern: address)
    guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1 else {
      ERR_clear_error()
      return nil
    }
    var signature = [UInt8](repeating: 0, count: Self.longestSignature)
    var count = signature.count
    guard EVP_DigestSign(context, &signature, &count, bytes, bytes.count) == 1 else {
      ERR_clear_error()
      return nil
    }
    return Array(signature[..<count])
  }
}
