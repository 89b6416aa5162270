import Firestore
import Jobs
import Model
import Workspace

/// Checks the source and the account of the Google credentials, and whether they yield a token.
struct CredentialsCheck: DoctorCheck {
  static let name = "credentials"

  func findings(in context: DoctorContext) async throws -> [DoctorFinding] {
    let services = try context.configured().jobs.services
    let state: CredentialState
    do {
      state = try await services.firestore.credentialState(fetchesToken: !context.isOffline)
    } catch let error as CredentialsError {
      return fail(error.description)
        + (await services.firestore.credentialWarnings()).flatMap { warn($0) }
    }
    let warnings = state.warnings.flatMap { warn($0) }
    guard !state.isEmulator else {
      let isUnseen = context.isOffline ? " It was not contacted (--offline)." : ""
      return ok("The emulator needs no credentials.\(isUnseen)") + warnings
    }
    guard state.hasToken || state.account.kind != .unknown else {
      return ok("From \(state.source). It was not asked (--offline).") + warnings
    }
    let parts = [
      "\(account(state.account)) from \(state.source)", try token(state, context),
    ].compactMap(\.self)
    return ok(parts.joined(separator: "; ") + ".") + warnings
  }

  private func account(_ account: GoogleAccount) -> String {
    switch account.kind {
    case .service(let email): "Service account \(email)"
    case .user, .workforce: "A signed-in user"
    case .workload: "A workload of an identity pool"
    case .unknown: "An account"
    }
  }

  /// Returns the token's expiry in words; nil when no token was requested.
  private func token(_ state: CredentialState, _ context: DoctorContext) throws -> String? {
    guard state.hasToken else { return nil }
    guard let expiry = state.expiry else { return "the token's expiry is unknown" }
    let end = try context.words(Instant(microseconds: expiry.microseconds))
    return "the token is valid until \(end), and is renewed"
  }
}

/// Checks whether the secrets of services and digests exist, and whether others can read them.
struct SecretsCheck: DoctorCheck {
  static let name = "secrets"

  func findings(in context: DoctorContext) throws -> [DoctorFinding] {
    let (config, jobs) = try context.configured()
    var findings: [DoctorFinding] = []
    if config.moments.baseURL != nil {
      findings += self.findings(about: "moments") {
        try jobs.services.moments().warning
      }
    }
    if config.analytics != nil {
      findings += self.findings(about: "analytics") {
        try jobs.services.analytics().warning
      }
    }
    for job in jobs.catalog.jobs {
      for (key, secret) in job.definition.secrets {
        findings += self.findings(about: job.name) {
          _ = try secret.secret(
            of: key, in: context.workspace.folder, environment: context.workspace.folder.variables)
          return secret.warning(in: context.workspace.folder)
        }
      }
    }
    return findings.isEmpty ? ok("No service needs a secret.") : findings
  }

  private func findings(
    about service: String, _ warning: () throws -> String?
  ) -> [DoctorFinding] {
    do {
      if let warning = try warning() { return warn(warning, about: service) }
      return ok("The secret of \(service) was found.", about: service)
    } catch {
      return fail(String(describing: error), about: service)
    }
  }
}
