/// What is known of credentials; holds no secret.
package struct CredentialState: Hashable, Sendable {
  /// Where they come from: `the key file /etc/key.json`.
  package var source: String
  package var account: GoogleAccount
  /// When the token ends; nil when none was fetched, or nobody knows.
  package var expiry: Timestamp?
  /// Whether there is a token now.
  package var hasToken: Bool
  /// Whole sentences, such as about a key file that others can read.
  package var warnings: [String] = []
}

extension Credentials {
  /// What is known of the credentials; throws `CredentialsError`.
  ///
  /// With `fetchesToken` a token is obtained when there is none; otherwise a file is read, no
  /// command is run and nothing is requested.
  package func state(fetchesToken: Bool) async throws -> CredentialState {
    let token = fetchesToken ? try await token() : nil
    try readFile()
    return CredentialState(
      source: source.clause, account: account, expiry: token?.expiry, hasToken: token != nil,
      warnings: warnings)
  }
}
