/// A person who signed in with gcloud, whose refresh token is exchanged for access tokens.
struct AuthorizedUser: Sendable {
  var clientID: String
  var clientSecret: Secret
  var refreshToken: Secret
  var tokenURL: String

  init(_ members: [String: JSON]) throws(WireError) {
    func text(_ key: String) throws(WireError) -> String {
      try members.required(key) { json throws(WireError) in try json.text() }
    }
    clientID = try text("client_id")
    clientSecret = Secret(try text("client_secret"))
    refreshToken = Secret(try text("refresh_token"))
    tokenURL =
      try members.optional("token_uri") { json throws(WireError) in try json.text() }
      ?? TokenEndpoint.googleURL
  }

  var tokenForm: [(String, String)] {
    [
      ("grant_type", "refresh_token"), ("client_id", clientID),
      ("client_secret", clientSecret.revealed), ("refresh_token", refreshToken.revealed),
    ]
  }
}
