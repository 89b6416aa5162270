import Feeds
import Firestore
import HTTP
import Platform
import Synchronization
import Workspace

/// Sends a mail by SMTP or by a command.
struct MailSender: Sendable {
  /// The time limit for a command.
  static let longestRun = Duration.seconds(60)

  let workspace: Workspace
  let environment: [String: String]
  let http: HTTPClient

  /// Sends a mail; returns a warning when others can read the password.
  ///
  /// - Throws: `HTTPError`, or `WorkspaceError` for a password or a command; the mail may have been
  ///   accepted even then.
  func send(_ message: MailMessage, as options: DigestOptions) async throws -> String? {
    guard let account = options.smtp else {
      try await run(options.command ?? "", on: message)
      return nil
    }
    let delivery = MailDelivery(
      to: account.url, login: try await login(of: account), sender: message.from ?? "",
      recipients: message.to, message: message.wireBytes)
    do {
      try await http.send(delivery)
    } catch HTTPError.cancelled {
      throw CancellationError()
    }
    guard case .kept(let secret) = account.password else { return nil }
    return secret.warning(in: workspace)
  }

  private func login(of account: SMTPAccount) async throws -> MailDelivery.Login? {
    guard let user = account.user, let password = account.password else { return nil }
    switch password {
    case .kept(let secret):
      let secret = try secret.secret(
        of: SMTPAccount.passwordKey, in: workspace, environment: environment)
      return MailDelivery.Login(user: user, password: secret.revealed)
    case .printed(let command):
      return MailDelivery.Login(user: user, password: try await line(of: command))
    }
  }

  private func line(of command: String) async throws -> String {
    do {
      return try await SecretCommand(
        command, in: workspace.root, environment: environment, limit: Self.longestRun,
        longestOutput: SecretSource.longestSecret
      ).line()
    } catch let failure as SecretCommand.Failure {
      throw WorkspaceError.refused(
        .configuration,
        "The command of smtp.password_command \(failure.clause). It has to print one line; run it "
          + "by hand in \(workspace.root) to see why.")
    }
  }

  private func run(_ command: String, on message: MailMessage) async throws {
    let said = Mutex(ErrorTail())
    let shell = ShellCommand(
      text: command,
      environment: environment.filter { HookRunner.passedVariables.contains($0.key) },
      folder: workspace.root, input: Array(message.source.utf8))
    let ending = try await shell.run(
      timeout: Self.longestRun, said: { line in said.withLock { $0.add(Array("\(line)\n".utf8)) } },
      sleep: { try await Task.sleep(for: $0) })
    guard ending == .exited(status: 0) else {
      let reason = said.withLock { $0.lastLine() }.map { ": \($0)" } ?? ""
      throw WorkspaceError.refused(
        .failed,
        "The command that sends the digest \(ending.words(after: Self.longestRun))\(reason). The "
          + "next run sends it again.")
    }
  }
}
