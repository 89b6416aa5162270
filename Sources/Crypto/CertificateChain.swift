import CCrypto

/// A chain of three certificates, from who signs up to a root: that of signed data from Apple.
///
/// Whether the root is one to trust is for the caller, by its digest.
package final class CertificateChain {
  /// Certificates of a chain: the signer's, its issuer's, and the root.
  package static let length = 3

  /// SHA-256 of the root as it came, in hexadecimal.
  package let rootDigest: String

  private let certificates: [OpaquePointer]
  /// Times at which the chain was found valid, in seconds since 1970; it is valid between them,
  /// too.
  private var known: ClosedRange<Int64>?

  /// Nil for anything but three certificates in DER.
  package init?(der: [[UInt8]]) {
    guard der.count == Self.length else { return nil }
    rootDigest = SHA256.hexadecimal(SHA256.digest(of: der[2]))
    var found: [OpaquePointer] = []
    for bytes in der {
      let certificate = bytes.withUnsafeBufferPointer { bytes in
        var start = bytes.baseAddress
        return d2i_X509(nil, &start, bytes.count)
      }
      guard let certificate else { break }
      found.append(certificate)
    }
    certificates = found
    ERR_clear_error()
    guard found.count == Self.length else { return nil }
  }

  /// SHA-256 of a certificate's DER, in hexadecimal; nil for a file of anything else.
  package static func digest(ofFile bytes: [UInt8]) -> String? {
    defer { ERR_clear_error() }
    guard let count = Int32(exactly: bytes.count), let input = BIO_new_mem_buf(bytes, count) else {
      return nil
    }
    defer { BIO_free(input) }
    let isText = bytes.starts(with: "-----".utf8)
    let found = isText ? PEM_read_bio_X509(input, nil, nil, nil) : d2i_X509_bio(input, nil)
    guard let found else { return nil }
    defer { X509_free(found) }
    var digest = [UInt8](repeating: 0, count: SHA256.size)
    guard X509_digest(found, EVP_sha256(), &digest, nil) == 1 else { return nil }
    return SHA256.hexadecimal(digest)
  }

  deinit { for certificate in certificates { X509_free(certificate) } }

  /// Whether the chain leads from the signer to the root at a time, by RFC 5280 as OpenSSL checks
  /// it strictly, and the signer and its issuer have these extensions.
  package func isValid(
    at seconds: Int64, signer: String, issuer: String
  ) -> Bool {
    if let known, known.contains(seconds) { return true }
    guard has(signer, certificates[0]), has(issuer, certificates[1]), leads(at: seconds) else {
      return false
    }
    known = min(known?.lowerBound ?? seconds, seconds)...max(known?.upperBound ?? seconds, seconds)
    return true
  }

  /// Whether a certificate has an extension, by the dotted number of its kind.
  private func has(_ number: String, _ certificate: OpaquePointer) -> Bool {
    guard let object = OBJ_txt2obj(number, 1) else { return false }
    defer { ASN1_OBJECT_free(object) }
    return X509_get_ext_by_OBJ(certificate, object, -1) >= 0
  }

  private func leads(at seconds: Int64) -> Bool {
    guard let store = X509_STORE_new(), let context = X509_STORE_CTX_new(),
      let between = OPENSSL_sk_new_null()
    else { preconditionFailure("no memory for certificates") }
    defer {
      X509_STORE_CTX_free(context)
      X509_STORE_free(store)
      OPENSSL_sk_free(between)
      ERR_clear_error()
    }
    guard X509_STORE_add_cert(store, certificates[2]) == 1,
      OPENSSL_sk_push(between, UnsafeRawPointer(certificates[1])) > 0,
      X509_STORE_CTX_init(context, store, certificates[0], between) == 1
    else { return false }
    X509_STORE_CTX_set_flags(context, UInt(X509_V_FLAG_X509_STRICT))
    X509_STORE_CTX_set_time(context, 0, time_t(seconds))
    guard X509_verify_cert(context) == 1 else { return false }
    // Not by another way, such as an issuer that is trusted itself.
    return X509_STORE_CTX_get_num_untrusted(context) == 2
  }

  /// Whether the signer made this signature: ES256 of RFC 7518, 64 bytes.
  package func verifies(_ signature: [UInt8], of bytes: UnsafeRawBufferPointer) -> Bool {
    guard let key = X509_get0_pubkey(certificates[0]), EVP_PKEY_is_a(key, "EC") == 1,
      EVP_PKEY_get_bits(key) == ECKey.bits, let encoded = ECSignature.der(signature)
    else { return false }
    defer { ERR_clear_error() }
    guard let context = EVP_MD_CTX_new() else { preconditionFailure("no memory for a signature") }
    defer { EVP_MD_CTX_free(context) }
    guard EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1 else { return false }
    let start = bytes.bindMemory(to: UInt8.self).baseAddress
    return EVP_DigestVerify(context, encoded, encoded.count, start, bytes.count) == 1
  }
}

/// A private key of the curve P-256, which signs requests to Apple.
package final class ECKey: Sendable {
  static let bits: Int32 = 256

  /// The address of OpenSSL's key, which any number of threads may sign with.
  private let address: UInt

  /// Nil when the text is no such key in PEM form, or one with a password.
  package init?(pem: String) {
    defer { ERR_clear_error() }
    guard let key = PrivateKeyText.key(in: Array(pem.utf8)) else { return nil }
    address = UInt(bitPattern: key)
    guard EVP_PKEY_is_a(key, "EC") == 1, EVP_PKEY_get_bits(key) == Self.bits else { return nil }
  }

  deinit { EVP_PKEY_free(OpaquePointer(bitPattern: address)) }

  /// ES256 of RFC 7518, 64 bytes; nil when the key cannot sign.
  package func signature(of bytes: some Sequence<UInt8>) -> [UInt8]? {
    let bytes = Array(bytes)
    guard let context = EVP_MD_CTX_new() else { return nil }
    defer {
      EVP_MD_CTX_free(context)
      ERR_clear_error()
    }
    let key = OpaquePointer(bitPattern: address)
    var encoded = [UInt8](repeating: 0, count: 128)
    var count = encoded.count
    guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1,
      EVP_DigestSign(context, &encoded, &count, bytes, bytes.count) == 1
    else { return nil }
    return ECSignature.fixed(encoded[..<count])
  }
}

/// The two forms of a signature: 32 bytes each of r and s, and DER as OpenSSL wants it.
enum ECSignature {
  private static let half = 32

  /// Nil for anything but 64 bytes.
  static func der(_ signature: [UInt8]) -> [UInt8]? {
    guard signature.count == 2 * half else { return nil }
    let numbers = [signature[..<half], signature[half...]].flatMap { number -> [UInt8] in
      var digits = Array(number.drop { $0 == 0 })
      if digits.first.map({ $0 >= 0x80 }) ?? true { digits.insert(0, at: 0) }
      return [0x02, UInt8(digits.count)] + digits
    }
    return [0x30, UInt8(numbers.count)] + numbers
  }

  /// Nil for what is no such signature in DER.
  static func fixed(_ der: some Collection<UInt8>) -> [UInt8]? {
    var rest = Array(der)[...]
    guard rest.popFirst() == 0x30, rest.popFirst().map(Int.init) == rest.count else { return nil }
    var signature: [UInt8] = []
    for _ in 0..<2 {
      guard rest.popFirst() == 0x02, let count = rest.popFirst().map(Int.init),
        count <= rest.count
      else { return nil }
      let digits = rest.prefix(count).drop { $0 == 0 }
      guard digits.count <= half else { return nil }
      signature += [UInt8](repeating: 0, count: half - digits.count) + digits
      rest = rest.dropFirst(count)
    }
    return signature
  }
}
