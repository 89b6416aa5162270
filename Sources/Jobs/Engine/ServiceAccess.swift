package import HTTP
import Model
package import Workspace

/// The options and the environment that decide how a command reaches a workspace's servers.
package struct ServiceAccess: Sendable {
  /// From `--project`; overrides all other sources.
  package var project: String?
  /// From `--cacert`; overrides all other sources.
  ///
  /// A relative path is resolved against the process's working directory.
  package var caFile: String?
  /// The process's environment variables.
  package var environment: [String: String]
  /// Whether a run binds the local database to the requested project; a plan only checks it.
  package var claimsDatabase: Bool
  /// Receives the output of `--verbose`: the source of the credentials, and retries.
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

  /// Returns a client with the workspace's certificates; it also serves addresses other than
  /// Firestore's.
  package func httpClient(_ workspace: Workspace, _ config: WorkspaceConfig) -> HTTPClient {
    var configuration = HTTPClient.Configuration()
    configuration.userAgent = "firetally/\(ProgramVersion.current) (gzip)"
    configuration.caFile =
      caFile ?? config.firestore.caFile.map(workspace.path)
      ?? HTTPClient.Configuration.caFile(in: environment)
    configuration.trace = trace
    return HTTPClient(configuration: configuration)
  }

  /// Returns the project that the command names without reading a key.
  func namedProject(_ config: WorkspaceConfig) -> String? {
    [project, environment["GOOGLE_CLOUD_PROJECT"], config.firestore.project]
      .compactMap(\.self).first { !$0.isEmpty }
  }
}
