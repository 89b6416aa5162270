package import HTTP
package import Platform

package enum CredentialsError: Error, Hashable, Sendable {
  case noneFound
  case missingFile(path: String)
  case folder(path: String)
  case specialFile(path: String, SpecialFile)
  case unreadableFile(path: String, reason: String)
  case emptyFile(path: String)
  /// The file is of another kind, such as a key in PEM form.
  case notJSON(path: String)
  /// The file is the app's configuration instead of a key; the text is its usual name.
  case appConfiguration(path: String, String)
  /// A secret would be sent to or received from another machine unencrypted.
  case plainTokenAddress(path: String, host: String)
  /// The setting contains the key itself instead of the path of its file.
  case keyInsteadOfPath
  /// The account belongs to another cloud than the public one; `place` is the file or variable that
  /// names it.
  case otherUniverse(place: String, domain: String)
  /// The file is not Google's, or lacks a member.
  case badFile(path: String, problem: String)
  /// Google supports the type, but this program does not.
  case unsupportedType(path: String, type: String)
  /// The private key cannot be read or cannot sign.
  case badKey(path: String)
  case tokenRefused(host: String, error: String, description: String)
  /// The Security Token Service does not take a workload's token.
  case workloadRefused(host: String, error: String, description: String)
  /// IAM does not let these credentials act as the service account.
  ///
  /// `member` is the principal that needs the `role` on it.
  case impersonationRefused(
    email: String, status: Int, message: String, role: String, member: String)
  /// There is no token from a workload's identity provider.
  ///
  /// `place` is where it should be, `problem` a clause.
  case noSubjectToken(place: String, problem: String)
  /// The token endpoint's answer contains no token.
  case malformedToken(host: String, problem: String)
  case unreachable(host: String, HTTPError)
  /// `token_command` returned no token.
  case commandFailed(command: String, SecretCommand.Failure)
  case noProject

  /// Returns whether an HTTP status means that a server is overloaded or broken.
  static func isBusy(_ status: Int) -> Bool { status == 429 || status >= 500 }

  /// Whether the same attempt may succeed later without a change on either side.
  package var isTransient: Bool {
    switch self {
    case .unreachable(_, let error): error.isTransient
    case .malformedToken: true
    case .impersonationRefused(_, let status, _, _, _): Self.isBusy(status)
    case .tokenRefused(_, let error, _), .workloadRefused(_, let error, _):
      ["internal_failure", "temporarily_unavailable", "server_error"].contains(error)
    case .noneFound, .missingFile, .folder, .specialFile, .unreadableFile, .emptyFile, .notJSON,
      .appConfiguration, .plainTokenAddress, .keyInsteadOfPath, .otherUniverse, .badFile,
      .unsupportedType, .badKey, .noSubjectToken, .commandFailed, .noProject:
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
    case .missingFile(let path): "No such credentials file: \(path)."
    case .folder(let path): "\(path) is a folder; name the key file."
    case .specialFile(let path, let special): "\(path) is \(special.rawValue); name the key file."
    case .emptyFile(let path): "\(path) is empty; name the key file."
    case .notJSON(let path): "\(path) is not JSON; name the JSON key file."
    case .unreadableFile(let path, let reason):
      "The credentials file \(path) cannot be read: \(reason). Check its permissions."
    case .appConfiguration(let path, let name):
      "\(path): This is \(name), the app's configuration. Create a service-account key and name it."
    case .plainTokenAddress, .otherUniverse, .keyInsteadOfPath: refusedFileDescription
    case .badFile(let path, let problem):
      "The credentials file \(path) is not a key of Google's: \(problem). Download it again."
    case .unsupportedType(let path, let type):
      "Credentials of the type \(type) (\(path)) are not supported. Use a service account's key, "
        + "or set token_command to a command that prints a token."
    case .badKey(let path):
      "The private key in \(path) is not an RSA key of 2048 bits or more in PEM form. Download the "
        + "key file again."
    case .tokenRefused(let host, let error, let description):
      "\(host) refused to give a token: \(error) (\(description)). Check that the key is not "
        + "revoked and the clock is right, or sign in again."
    case .workloadRefused, .impersonationRefused, .noSubjectToken: keylessDescription
    case .malformedToken(let host, let problem):
      "\(host) did not answer with a token: \(problem). Check any proxy in between, then try again."
    case .unreachable(let host, let error): "No token could be fetched from \(host). \(error)"
    case .commandFailed(let command, let failure):
      "token_command `\(failure.isNotFound ? "***" : CommandText.shown(command))` "
        + "\(failure.clause)\(Self.advice(after: failure))"
    case .noProject:
      "No project is named. Pass --project, set project in firetally.yml, or set "
        + "GOOGLE_CLOUD_PROJECT."
    }
  }
}

extension CredentialsError {
  /// The sentences about files that are refused for their content; empty for other errors.
  private var refusedFileDescription: String {
    switch self {
    case .plainTokenAddress(let path, let host):
      "The credentials file \(path) has a secret sent to or fetched from \(host), unencrypted and "
        + "on another machine; nothing was sent. Make that address (token_uri, token_url, "
        + "service_account_impersonation_url or credential_source.url) https, or download the "
        + "file again."
    case .keyInsteadOfPath:
      "firestore.credentials, or GOOGLE_APPLICATION_CREDENTIALS, holds the key itself. Write the "
        + "key to a file, and name the file there."
    case .otherUniverse(let place, let domain):
      "The account is of the universe \(domain) (\(place)), and Firetally reads the Firestore of "
        + "googleapis.com alone. Use an account of Google's public cloud."
    default: ""
    }
  }

  /// The sentences about credentials without a key; empty for other errors.
  private var keylessDescription: String {
    switch self {
    case .workloadRefused(let host, let error, let description):
      "\(host) did not take the workload's token: \(error) (\(description)). Check the provider of "
        + "the pool: its issuer, its audiences and its attribute condition."
    case .impersonationRefused(let email, let status, let message, let role, let member):
      "IAM gave no token of \(email): \(message) (HTTP \(status)). "
        + (status == 403
          ? "Grant the role: `gcloud iam service-accounts add-iam-policy-binding \(email) "
            + "--role=\(role) --member=\(member)`."
          : Self.isBusy(status) ? "Try again later." : "Check the service account's name.")
    case .noSubjectToken(let place, let problem):
      "There is no token of the workload in \(place): \(problem). Check what writes it, and "
        + "credential_source of the credentials file."
    default: ""
    }
  }

  /// The end of the sentence about `token_command`.
  private static func advice(after failure: SecretCommand.Failure) -> String {
    switch failure {
    case .ended: ". Run it by hand to see why."
    case .notStarted: "."
    case .misbehaved: "; it has to print one token, on one line."
    }
  }
}
