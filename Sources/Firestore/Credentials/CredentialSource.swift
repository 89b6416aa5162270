/// Where to look for credentials, in the order of Google's own libraries.
///
/// Depends only on the given environment; see `docs/firestore.md#credentials`.
package struct CredentialSource: Hashable, Sendable {
  /// The source that the workspace configures.
  package enum Choice: Hashable, Sendable {
    case keyFile(String)
    /// A command for `sh -c` that prints a token.
    case tokenCommand(String)
  }

  package enum Kind: Hashable, Sendable {
    case emulator
    case tokenCommand(String)
    case file(String)
    /// The file that gcloud writes if it exists, else the metadata server.
    case ambient(gcloudFile: String?, metadataHost: String)
  }

  package var kind: Kind
  /// The value of `GOOGLE_CLOUD_QUOTA_PROJECT`, which overrides the file's.
  package var quotaProject: String?
  package var environment: [String: String]

  package init(choice: Choice? = nil, environment: [String: String]) {
    func value(_ name: String) -> String? {
      environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
    self.environment = environment
    quotaProject = value("GOOGLE_CLOUD_QUOTA_PROJECT")
    kind =
      if value("FIRESTORE_EMULATOR_HOST") != nil {
        .emulator
      } else if let choice {
        Kind(choice)
      } else if let path = value("GOOGLE_APPLICATION_CREDENTIALS") {
        .file(path)
      } else {
        .ambient(
          gcloudFile: (value("CLOUDSDK_CONFIG") ?? value("HOME").map { "\($0)/.config/gcloud" })
            .map { "\($0)/application_default_credentials.json" },
          metadataHost: value("GCE_METADATA_HOST") ?? "metadata.google.internal")
      }
  }

  /// An emulator, which takes the same token from everybody.
  package static let emulator = CredentialSource(
    environment: ["FIRESTORE_EMULATOR_HOST": "emulator"])
}

extension CredentialSource.Kind {
  fileprivate init(_ choice: CredentialSource.Choice) {
    switch choice {
    case .keyFile(let path): self = .file(path)
    case .tokenCommand(let command): self = .tokenCommand(command)
    }
  }
}

extension CredentialSource.Kind: CustomStringConvertible {
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

extension CredentialSource {
  /// Where credentials come from, as the end of a sentence.
  var clause: String {
    switch kind {
    case .emulator: "FIRESTORE_EMULATOR_HOST, which takes no credentials"
    case .tokenCommand: "token_command"
    case .file, .ambient: "\(kind)"
    }
  }
}
