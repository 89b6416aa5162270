/// Where to look for credentials, in the order of Google's own libraries.
///
/// Depends only on the given environment; see `docs/firestore.md#credentials`.
package struct CredentialPlan: Hashable, Sendable {
  /// The source that the workspace configures.
  package enum Choice: Hashable, Sendable {
    case keyFile(String)
    /// A command for `sh -c` that prints a token.
    case tokenCommand(String)
  }

  package enum Source: Hashable, Sendable {
    case emulator
    case tokenCommand(String)
    case file(String)
    /// The file that gcloud writes if it exists, else the metadata server.
    case ambient(gcloudFile: String?, metadataHost: String)
  }

  package var source: Source
  /// The value of `GOOGLE_CLOUD_QUOTA_PROJECT`, which overrides the file's.
  package var quotaProject: String?
  package var environment: [String: String]

  package init(choice: Choice? = nil, environment: [String: String]) {
    func value(_ name: String) -> String? {
      environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
    self.environment = environment
    quotaProject = value("GOOGLE_CLOUD_QUOTA_PROJECT")
    source =
      if value("FIRESTORE_EMULATOR_HOST") != nil {
        .emulator
      } else if let choice {
        Source(choice)
      } else if let path = value("GOOGLE_APPLICATION_CREDENTIALS") {
        .file(path)
      } else {
        .ambient(
          gcloudFile: (value("CLOUDSDK_CONFIG") ?? value("HOME").map { "\($0)/.config/gcloud" })
            .map { "\($0)/application_default_credentials.json" },
          metadataHost: value("GCE_METADATA_HOST") ?? "metadata.google.internal")
      }
  }
}

extension CredentialPlan {
  /// The plan for an emulator, which takes the same token from everybody.
  package static let emulator = CredentialPlan(
    environment: ["FIRESTORE_EMULATOR_HOST": "emulator"])
}

extension CredentialPlan.Source {
  fileprivate init(_ choice: CredentialPlan.Choice) {
    switch choice {
    case .keyFile(let path): self = .file(path)
    case .tokenCommand(let command): self = .tokenCommand(command)
    }
  }
}

extension CredentialPlan.Source: CustomStringConvertible {
  /// For a log: `the key file sa.json`; names no secret.
  package var description: String {
    switch self {
    case .emulator: "none, because FIRESTORE_EMULATOR_HOST is set"
    case .tokenCommand: "firestore.token_command"
    case .file(let path): "the key file \(path)"
    case .ambient(let gcloudFile?, _) where CredentialFile.exists(path: gcloudFile):
      "gcloud's file \(gcloudFile)"
    case .ambient(_, let host): "the metadata server \(host)"
    }
  }
}
