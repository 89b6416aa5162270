import Crypto
import FoundationEssentials
import Model

/// Checks what Apple has signed (JWS, RFC 7515): the chain of certificates in its header up to a
/// root that is trusted, and the signature; docs/purchases.md#signed-notifications.
package final class SignedPayloads {
  /// SHA-256 of Apple Root CA - G3, as https://www.apple.com/certificateauthority has it.
  package static let appleRoot = "63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179"

  /// Extensions of the certificate of the App Store's receipts, and of its issuer.
  private static let signerMark = "1.2.840.113635.100.6.11.1"
  private static let issuerMark = "1.2.840.113635.100.6.2.1"
  /// Chains of headers that are kept.
  private static let mostChains = 64

  private let roots: Set<String>
  private var chains: [[UInt8]: CertificateChain] = [:]

  /// - Parameter roots: SHA-256 of the roots that are trusted, in hexadecimal.
  package init(roots: Set<String> = [appleRoot]) { self.roots = roots }

  /// The payload of a signed text, once it is known to be Apple's at the time that it names.
  func payload(of text: some StringProtocol) throws(PurchaseFault) -> [UInt8] {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3, let header = Base64.decodeFromURL(parts[0]),
      let payload = Base64.decodeFromURL(parts[1]), let signature = Base64.decodeFromURL(parts[2])
    else { throw PurchaseFault("a signed payload is not three parts of base64url") }
    let chain = try chain(of: header)
    guard roots.contains(chain.rootDigest) else {
      throw PurchaseFault("a payload is signed under a root that is not trusted")
    }
    let date = try SignedFields(payload)["signedDate"]
    guard let signedAt = try PurchaseTime.milliseconds(date, "signedDate")?.unixSeconds else {
      throw PurchaseFault("a signed payload has no signedDate")
    }
    guard
      chain.isValid(at: signedAt, signer: Self.signerMark, issuer: Self.issuerMark)
    else { throw PurchaseFault("the certificates of a payload do not lead to the root") }
    let signed = Array(text.utf8.prefix(parts[0].count + 1 + parts[1].count))
    guard signed.withUnsafeBytes({ chain.verifies(signature, of: $0) }) else {
      throw PurchaseFault("the signature of a payload is wrong")
    }
    return payload
  }

  private func chain(of header: [UInt8]) throws(PurchaseFault) -> CertificateChain {
    if let chain = chains[header] { return chain }
    let fault = PurchaseFault("the header of a payload names no ES256 and three certificates")
    var (algorithm, certificates): (String?, [String]) = (nil, [])
    do throws(JSONScanner.Fault) {
      try JSONScanner.read(header) { scanner throws(JSONScanner.Fault) in
        try scanner.members { scanner, key throws(JSONScanner.Fault) in
          switch key {
          case "alg": algorithm = try scanner.textOrSkip()
          case "x5c":
            try scanner.elements { scanner throws(JSONScanner.Fault) in
              certificates.append(try scanner.textOrSkip() ?? "")
            }
          default: try scanner.skipValue()
          }
        }
      }
    } catch {
      throw fault
    }
    let der = certificates.compactMap { Data(base64Encoded: $0).map(Array.init) }
    guard algorithm == "ES256", der.count == certificates.count,
      let chain = CertificateChain(der: der)
    else { throw fault }
    if chains.count >= Self.mostChains { chains.removeAll() }
    chains[header] = chain
    return chain
  }
}

/// The members of a payload as texts, those of `data` among them; lists and other maps are left
/// out.
struct SignedFields {
  private var texts: [String: String] = [:]

  subscript(name: String) -> String? { texts[name] }

  /// Reads JSON.
  init(_ payload: [UInt8]) throws(PurchaseFault) {
    guard !payload.contains(JSONScanner.end) else {
      throw PurchaseFault("a payload is no JSON on one line")
    }
    do throws(JSONScanner.Fault) {
      texts = try JSONScanner.read(payload) { scanner throws(JSONScanner.Fault) in
        var texts: [String: String] = [:]
        try Self.read(&scanner, into: &texts)
        return texts
      }
    } catch {
      throw PurchaseFault("a payload cannot be read: \(error.reason)")
    }
  }

  private static func read(
    _ scanner: inout JSONScanner, into texts: inout [String: String]
  ) throws(JSONScanner.Fault) {
    try scanner.members { scanner, key throws(JSONScanner.Fault) in
      switch key {
      case "data": try read(&scanner, into: &texts)
      default:
        if let text = try scanner.textOrSkip() { texts[try key.text()] = text }
      }
    }
  }
}
