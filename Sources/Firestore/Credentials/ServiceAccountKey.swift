import CryptoExtras
import Foundation

/// The key of a service account, which signs its own requests for a token.
struct ServiceAccountKey: Sendable {
  /// Lets a token use Firestore and Remote Config; see `docs/firestore.md#credentials`.
  static let scope =
    "https://www.googleapis.com/auth/datastore https://www.googleapis.com/auth/firebase.remoteconfig"

  /// What Google allows at most, in seconds.
  static let lifetime: Int64 = 3600

  var email: String
  var keyID: String?
  var tokenURL: String
  private var privateKey: _RSA.Signing.PrivateKey
  private var path: String

  init(_ members: [String: JSON], path: String) throws {
    email = try members.required("client_email") { json throws(WireError) in try json.text() }
    keyID = try members.optional("private_key_id") { json throws(WireError) in try json.text() }
    tokenURL =
      try members.optional("token_uri") { json throws(WireError) in try json.text() }
      ?? TokenEndpoint.googleURL
    let pem = try members.required("private_key") { json throws(WireError) in try json.text() }
    self.path = path
    do {
      privateKey = try _RSA.Signing.PrivateKey(pemRepresentation: pem)
    } catch {
      throw CredentialsError.badKey(path: path)
    }
  }

  /// The form that asks for a token: a JSON Web Token signed with RS256, RFC 7523.
  func tokenForm(now: Timestamp) throws -> [(String, String)] {
    [
      ("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"),
      ("assertion", try assertion(now: now)),
    ]
  }

  private func assertion(now: Timestamp) throws -> String {
    var header: [String: JSON] = ["alg": .string("RS256"), "typ": .string("JWT")]
    header["kid"] = keyID.map { .string($0) }
    let issued = now.microseconds / 1_000_000
    let claims: [String: JSON] = [
      "iss": .string(email), "scope": .string(Self.scope), "aud": .string(tokenURL),
      "iat": .integer(issued), "exp": .integer(issued + Self.lifetime),
    ]
    let signed =
      Base64.encodeForURL(JSON.object(header).serialized()) + "."
      + Base64.encodeForURL(JSON.object(claims).serialized())
    do {
      let signature = try privateKey.signature(
        for: Data(signed.utf8), padding: .insecurePKCS1v1_5)
      return signed + "." + Base64.encodeForURL(signature.rawRepresentation)
    } catch {
      throw CredentialsError.badKey(path: path)
    }
  }
}
