import Foundation
import HTTP
package import Workspace

/// A mail server and its login; see `docs/jobs/digest.md#smtp`.
package struct SMTPAccount: Hashable, Sendable {
  /// Where the password of the user is kept.
  package enum Password: Hashable, Sendable {
    case kept(SecretSource)
    case printed(command: String)
  }

  /// `smtp://` or `smtps://`, a host, and a port if it is not 25 or 465.
  package var url = ""
  /// The login, both nil for a server that needs none.
  package var user: String?
  package var password: Password?

  /// The prefix of the keys for the password, such as `smtp.password_file`.
  static let passwordKey = "smtp.password"

  private static let form = #"^smtps?://([A-Za-z0-9.-]+|\[[0-9A-Fa-f:]+\])(:[0-9]{1,5})?$"#

  static let options = OptionKeys(
    SMTPAccount(),
    [
      .required(
        "url", \.url,
        .text(
          .guarded(.pattern(form)),
          wanted: "smtp://HOST:PORT or smtps://HOST:PORT, without a user or a path",
          where: isURL),
        "write smtp://HOST:587"),
      .key(
        "user", \.user,
        .text(.guarded(.text), wanted: "one line") { text in
          text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        }),
      .custom(
        ConfigurationKey("password_env", .guarded(.text)),
        ConfigurationKey("password_file", .guarded(.text)),
        ConfigurationKey("password_command", .command)
      ) { reader, account in
        let kept = reader.secret("password")
        account.password = kept.map(Password.kept)
        guard let command = reader.text("password_command") else { return }
        if let entry = reader.entry("password_command"), kept != nil {
          reader.problem(entry, "names the password a second time; keep one of the three keys")
        }
        account.password = .printed(command: command)
      },
    ])

  private static func isURL(_ text: String) -> Bool {
    text.range(of: form, options: .regularExpression)?.upperBound == text.endIndex
      && MailDelivery.host(of: text) != nil
  }

  /// Reports a user without a password, or a password without a user, to the reader's log.
  func check(_ reader: MappingReader) {
    if user != nil, password == nil {
      reader.missing(
        "password_file",
        "the user needs a password: name its file, password_env or "
          + "password_command")
    }
    if user == nil, password != nil { reader.missing("user", "the password is nobody's") }
  }

  /// Host and port, as messages name the server.
  var host: String { MailDelivery.host(of: url) ?? url }
}
