import CCrypto

/// Private keys as text.
enum PrivateKeyText {
  /// OpenSSL's key of a PEM, which the caller frees; nil for another text, and for a key with a
  /// password.
  static func key(in pem: [UInt8]) -> OpaquePointer? {
    guard let count = Int32(exactly: pem.count), let input = BIO_new_mem_buf(pem, count) else {
      return nil
    }
    defer { BIO_free(input) }
    // Without an answer OpenSSL would ask for the password of an encrypted key at the terminal.
    return PEM_read_bio_PrivateKey(input, nil, { _, _, _, _ in -1 }, nil)
  }
}
