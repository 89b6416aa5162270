package import HTTP
import Model
package import Workspace

/// How a command reaches the servers of a workspace.
package struct ServiceAccess: Sendable {
  /// From `--project`; wins over everything else that names one.
  package var project: String?
  /// From `--cacert`; wins over everything else that names one.
  ///
  /// A relative path counts from the process's own folder.
  package var caFile: String?
  /// The process's variables.
  package var environment: [String: String]
  /// Whether the database is taken for the project that is asked; a plan only checks.
  package var claimsDatabase: Bool
  /// Is called with what `--verbose` tells: where credentials come from, and retries.
  package var note: (@Sendable (String) -> Void)?
  package var trace: (@Sendable (HTTPTrace) -> Void)?

  package init(
    project: String?, caFile: String?, environment: [String: String], claimsDatabase: Bool = true
  ) {
    self.project = project
    self.caFile = caFile
    self.environment = environment
    self.claimsDatabase = claimsDatabase
  }

  /// A client with the workspace's certificates, also for addresses other than Firestore's.
  package func httpClient(_ workspace: Workspace, _ config: WorkspaceConfig) -> HTTPClient {
    var configuration = HTTPClient.Configuration()
    configuration.userAgent = "firetally/\(ProgramVersion.current) (gzip)"
    configuration.caFile =
      caFile ?? config.firestore.caFile.map(workspace.path)
      ?? HTTPClient.Configuration.caFile(in: environment)
    configuration.trace = trace
    return HTTPClient(configuration: configuration)
  }

  /// The project that the command names, before any key is asked for its own.
  func namedProject(_ config: WorkspaceConfig) -> String? {
    [project, environment["GOOGLE_CLOUD_PROJECT"], config.firestore.project]
      .compactMap(\.self).first { !$0.isEmpty }
  }
}
