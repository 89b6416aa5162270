package import HTTP

/// Why no access token could be had.
package enum CredentialsError: Error, Hashable, Sendable {
  /// No source of Google's order holds anything.
  case noneFound
  case unreadableFile(path: String, reason: String)
  /// The file is not one of Google's, or lacks a member.
  case badFile(path: String, problem: String)
  /// `type` is one that Google knows and this program does not.
  case unsupportedType(path: String, type: String)
  /// The private key cannot be read or cannot sign.
  case badKey(path: String)
  /// The token endpoint said no.
  case tokenRefused(host: String, error: String, description: String)
  /// What the token endpoint sent is not a token.
  case malformedToken(host: String, problem: String)
  case unreachable(host: String, HTTPError)
  /// `token_command` ended with a status other than 0, or printed nothing.
  case commandFailed(status: Int32)
  case commandNotStarted(reason: String)
  /// Nothing names the project.
  case noProject

  /// Whether the same attempt may well succeed later without anyone changing anything.
  package var isTransient: Bool {
    switch self {
    case .unreachable(_, let error): error.isTransient
    case .malformedToken: true
    case .tokenRefused(_, let error, _):
      ["internal_failure", "temporarily_unavailable", "server_error"].contains(error)
    case .noneFound, .unreadableFile, .badFile, .unsupportedType, .badKey, .commandFailed,
      .commandNotStarted, .noProject:
      false
    }
  }
}

extension CredentialsError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noneFound:
      "No Google credentials were found. Set GOOGLE_APPLICATION_CREDENTIALS to a key file, run "
        + "`gcloud auth application-default login`, or set token_command in firetally.yml."
    case .unreadableFile(let path, let reason):
      "The credentials file \(path) cannot be read: \(reason). Check the path and its permissions."
    case .badFile(let path, let problem):
      "The credentials file \(path) is not a key of Google's: \(problem). Download it again."
    case .unsupportedType(let path, let type):
      "Credentials of the type \(type) (\(path)) are not supported. Use a service account's key, or "
        + "set token_command to a command that prints a token."
    case .badKey(let path):
      "The private key in \(path) is not an RSA key of 2048 bits or more in PEM form. Download the "
        + "key file again."
    case .tokenRefused(let host, let error, let description):
      "\(host) refused to give a token: \(error) (\(description)). Check that the key is not "
        + "revoked and the clock is right, or sign in again."
    case .malformedToken(let host, let problem):
      "\(host) did not answer with a token: \(problem). Check any proxy between, and try again."
    case .unreachable(let host, let error): "No token could be fetched from \(host). \(error)"
    case .commandFailed(let status):
      "token_command ended with status \(status) and no token. Run it by hand and see."
    case .commandNotStarted(let reason): "token_command could not be started: \(reason)."
    case .noProject:
      "No project is named. Pass --project, set project in firetally.yml, or set "
        + "GOOGLE_CLOUD_PROJECT."
    }
  }
}
