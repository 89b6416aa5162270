import Platform

/// A command of the operator that prints an access token; see `docs/firestore.md#credentials`.
struct TokenCommand: Sendable {
  static let longestRun = Duration.seconds(30)
  static let longestOutput = 64 << 10

  var command: String
  var folder = "."
  var environment: [String: String]
  var limit = Self.longestRun

  /// Runs the command and returns the token that it prints.
  ///
  /// - Throws: `CredentialsError`, or a cancellation.
  func token() async throws -> AccessToken {
    do {
      let token = try await SecretCommand(
        command, in: folder, environment: environment, limit: limit,
        longestOutput: Self.longestOutput
      ).line()
      guard token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
        throw SecretCommand.Failure.misbehaved("printed a character that no token has")
      }
      return AccessToken(secret: Secret(token))
    } catch let failure as SecretCommand.Failure {
      throw CredentialsError.commandFailed(command: command, failure)
    }
  }
}
