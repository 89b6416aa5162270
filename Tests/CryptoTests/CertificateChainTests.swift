import Crypto
import Fixtures
import Foundation
import Testing

/// Chains of certificates and ES256; docs/purchases.md#signed-notifications.
@Suite struct CertificateChainTests {
  private static let marks = ("1.2.840.113635.100.6.11.1", "1.2.840.113635.100.6.2.1")
  /// The first and the last second of the certificates: 2025-01-01, and 3,650 days later.
  private static let span: ClosedRange<Int64> = 1_735_689_600...2_051_049_600

  private static func der(_ certificates: [String]) throws -> [[UInt8]] {
    try certificates.map { try Array(#require(Data(base64Encoded: $0))) }
  }

  private static func chain(_ certificates: [String] = SignedChain.certificates) throws
    -> CertificateChain
  {
    try #require(CertificateChain(der: try der(certificates)))
  }

  private static func isValid(_ chain: CertificateChain, at seconds: Int64) -> Bool {
    chain.isValid(at: seconds, signer: marks.0, issuer: marks.1)
  }

  @Test(arguments: [(-1, false), (0, true), (1, true)] as [(Int64, Bool)])
  func `a chain is valid from the first second of its certificates`(offset: Int64, isValid: Bool)
    throws
  {
    #expect(Self.isValid(try Self.chain(), at: Self.span.lowerBound + offset) == isValid)
  }

  @Test(arguments: [(-1, true), (0, false), (1, false)] as [(Int64, Bool)])
  func `a chain is valid up to the last second of its certificates, which OpenSSL leaves out`(
    offset: Int64, isValid: Bool
  )
    throws
  {
    #expect(Self.isValid(try Self.chain(), at: Self.span.upperBound + offset) == isValid)
  }

  @Test func `what was found valid is still judged at another time`() throws {
    let chain = try Self.chain()
    #expect(Self.isValid(chain, at: 1_780_000_000) && Self.isValid(chain, at: 1_790_000_000))
    #expect(Self.isValid(chain, at: 1_785_000_000))
    #expect(!Self.isValid(chain, at: 1_600_000_000) && !Self.isValid(chain, at: 2_100_000_000))
  }

  @Test func `the extensions are asked of the signer and of its issuer`() throws {
    let own = SignedChain.certificates
    let bare = SignedChain.withoutMarks
    let without = try Self.chain([bare[0], bare[1], own[2]])
    #expect(!Self.isValid(without, at: 1_780_000_000))
    #expect(without.isValid(at: 1_780_000_000, signer: "2.5.29.14", issuer: "2.5.29.14"))
    #expect(!Self.isValid(try Self.chain([own[0], bare[1], own[2]]), at: 1_780_000_000))
    let chain = try Self.chain()
    #expect(!chain.isValid(at: 1_780_000_000, signer: Self.marks.1, issuer: Self.marks.1))
    #expect(!chain.isValid(at: 1_780_000_000, signer: Self.marks.0, issuer: Self.marks.0))
  }

  @Test func `a root that signed nothing of the chain leads nowhere`() throws {
    let own = SignedChain.certificates
    #expect(!Self.isValid(try Self.chain([own[0], own[1], own[1]]), at: 1_780_000_000))
    #expect(!Self.isValid(try Self.chain([own[0], own[2], own[2]]), at: 1_780_000_000))
    #expect(CertificateChain(der: try Self.der(Array(own.prefix(2)))) == nil)
    #expect(CertificateChain(der: [[1], [2], [3]]) == nil)
  }

  @Test func `a digest is that of the DER, whether the file is DER or PEM`() throws {
    let root = try Self.der(SignedChain.certificates)[2]
    let pem =
      "-----BEGIN CERTIFICATE-----\n\(SignedChain.certificates[2])\n-----END CERTIFICATE-----\n"
    let digest = try Self.chain().rootDigest
    #expect(digest == SHA256.hexadecimal(SHA256.digest(of: root)))
    #expect(CertificateChain.digest(ofFile: root) == digest)
    #expect(CertificateChain.digest(ofFile: Array(pem.utf8)) == digest)
    #expect(CertificateChain.digest(ofFile: Array("x".utf8)) == nil)
    #expect(CertificateChain.digest(ofFile: []) == nil)
  }

  @Test func `what the signer's key signs is verified, and nothing else`() throws {
    let chain = try Self.chain()
    let key = try #require(ECKey(pem: SignedChain.key))
    let bytes = Array("a payload".utf8)
    // Numbers with leading zeros and high bits come among so many.
    for number in 0..<300 {
      let signature = try #require(key.signature(of: bytes))
      #expect(signature.count == 64)
      #expect(bytes.withUnsafeBytes { chain.verifies(signature, of: $0) })
      var wrong = signature
      wrong[number % 64] ^= 1
      #expect(!bytes.withUnsafeBytes { chain.verifies(wrong, of: $0) })
    }
    let signature = try #require(key.signature(of: bytes))
    #expect(!(bytes + [0]).withUnsafeBytes { chain.verifies(signature, of: $0) })
    #expect(!bytes.withUnsafeBytes { chain.verifies(Array(signature.dropLast()), of: $0) })
    #expect(!bytes.withUnsafeBytes { chain.verifies([UInt8](repeating: 0, count: 64), of: $0) })
    let other = try #require(ECKey(pem: SignedChain.withoutMarksKey)?.signature(of: bytes))
    #expect(!bytes.withUnsafeBytes { chain.verifies(other, of: $0) })
  }

  @Test func `another text is no key`() {
    #expect(ECKey(pem: "") == nil && ECKey(pem: "-----BEGIN PRIVATE KEY-----") == nil)
  }
}
