/// Where to look for credentials, in the order of Google's own libraries.
///
/// Deciding reads nothing but the environment given; see `docs/firestore.md#credentials`.
package struct CredentialPlan: Hashable, Sendable {
  /// What the workspace names.
  package enum Choice: Hashable, Sendable {
    case keyFile(String)
    /// For `sh -c`; prints a token on its standard output.
    case tokenCommand(String)
  }

  package enum Source: Hashable, Sendable {
    case emulator
    case tokenCommand(String)
    case file(String)
    /// The file that gcloud leaves if it is there, else the metadata server.
    case ambient(gcloudFile: String?, metadataHost: String)
  }

  package var source: Source
  /// From `GOOGLE_CLOUD_QUOTA_PROJECT`; it wins over that of a file.
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

extension CredentialPlan.Source {
  fileprivate init(_ choice: CredentialPlan.Choice) {
    switch choice {
    case .keyFile(let path): self = .file(path)
    case .tokenCommand(let command): self = .tokenCommand(command)
    }
  }
}
