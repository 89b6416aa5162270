import Glibc
import HTTP

/// An OAuth access token.
package struct AccessToken: Hashable, Sendable {
  package let secret: Secret
  /// When the token expires; nil when unknown: it is used until a server refuses it.
  package var expiry: Timestamp?
  /// The project to bill instead of the one that is read; sent as `x-goog-user-project`.
  package var quotaProject: String?

  /// Microseconds before expiry when the token is renewed; see `docs/firestore.md#credentials`.
  static let margin: Int64 = 60_000_000

  func isFresh(at now: Timestamp) -> Bool {
    expiry.map { now.microseconds < $0.microseconds - AccessToken.margin } ?? true
  }

  var headers: HTTPHeaders {
    var headers = HTTPHeaders()
    headers.add("Authorization", "Bearer \(secret.revealed)", isSecret: true)
    if let quotaProject { headers.add("x-goog-user-project", quotaProject) }
    return headers
  }
}

/// A text that is never shown in messages, logs or dumps.
package struct Secret: Hashable, Sendable {
  /// The text, for the one place that must send it.
  package let revealed: String

  package init(_ text: String) {
    revealed = text
  }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "***" }
  package var debugDescription: String { "***" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

/// A file that only its owner should be able to read.
package struct SecretFile: Sendable {
  let path: String

  package init(path: String) {
    self.path = path
  }

  /// A warning about `subject`, which names the file, when others can read it; nil otherwise.
  ///
  /// Follows symbolic links. Nil also when the file does not exist.
  package func warning(about subject: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & 0o077 != 0 else { return nil }
    return "\(subject) can be read by others (mode \(String(status.st_mode & 0o777, radix: 8))); "
      + "run `chmod 600 \(path)`."
  }
}
