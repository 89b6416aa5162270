import Crypto
import Foundation
import Model

/// A service account's key, which signs requests for tokens.
struct ServiceAccountKey: Sendable {
  /// The scopes of Firestore, Remote Config and Firebase Authentication; see
  /// `docs/firestore.md#credentials`.
  static let scope = ["datastore", "firebase.remoteconfig", "identitytoolkit"]
    .map { "https://www.googleapis.com/auth/\($0)" }.joined(separator: " ")

  /// The longest lifetime that Google allows, in seconds.
  static let lifetime: Int64 = 3600

  var email: String
  var keyID: String?
  var tokenURL: String
  private var privateKey: RSAKey
  private var path: String

  init(_ members: [String: JSON], path: String) throws {
    email = try members.requiredText("client_email")
    keyID = try members.text("private_key_id")
    tokenURL = try members.text("token_uri") ?? TokenEndpoint.googleURL
    let pem = try members.requiredText("private_key")
    self.path = path
    guard let key = RSAKey(pem: pem) else { throw CredentialsError.badKey(path: path) }
    privateKey = key
  }

  /// The form of a token request: a JSON Web Token signed with RS256, RFC 7523.
  func tokenForm(now: Timestamp, scope: String = Self.scope) throws -> [(String, String)] {
    [
      ("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"),
      ("assertion", try assertion(now: now, scope: scope)),
    ]
  }

  private func assertion(now: Timestamp, scope: String) throws -> String {
    var header: [String: JSON] = ["alg": .string("RS256"), "typ": .string("JWT")]
    header["kid"] = keyID.map { .string($0) }
    let issued = now.microseconds / 1_000_000
    let claims: [String: JSON] = [
      "iss": .string(email), "scope": .string(scope), "aud": .string(tokenURL),
      "iat": .integer(issued), "exp": .integer(issued + Self.lifetime),
    ]
    let signed =
      Base64.encodeForURL(JSON.object(header).serialized()) + "."
      + Base64.encodeForURL(JSON.object(claims).serialized())
    guard let signature = privateKey.signature(of: signed.utf8) else {
      throw CredentialsError.badKey(path: path)
    }
    return signed + "." + Base64.encodeForURL(signature)
  }
}

/// A user signed in with gcloud, whose refresh token is exchanged for access tokens.
struct AuthorizedUser: Sendable {
  var clientID: String
  var clientSecret: Secret
  var refreshToken: Secret
  var tokenURL: String

  init(_ members: [String: JSON]) throws(WireError) {
    clientID = try members.requiredText("client_id")
    clientSecret = Secret(try members.requiredText("client_secret"))
    refreshToken = Secret(try members.requiredText("refresh_token"))
    tokenURL = try members.text("token_uri") ?? TokenEndpoint.googleURL
  }

  var tokenForm: [(String, String)] {
    [
      ("grant_type", "refresh_token"), ("client_id", clientID),
      ("client_secret", clientSecret.revealed), ("refresh_token", refreshToken.revealed),
    ]
  }
}
