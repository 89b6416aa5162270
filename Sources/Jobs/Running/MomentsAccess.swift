package import Feeds
import Firestore
package import HTTP

/// The workspace's way to the app's moments service, made when a job first needs it.
package struct MomentsAccess: Sendable {
  /// Wins over `moments.base_url`, as FIRESTORE_EMULATOR_HOST does over Firestore's.
  package static let addressVariable = "FIRETALLY_MOMENTS_URL"

  private let workspace: Workspace
  private let config: MomentsConfig
  private let environment: [String: String]

  /// - Parameters:
  ///   - workspace: where relative paths of the configuration count from.
  ///   - config: which service, and where its token is.
  ///   - environment: the process's variables.
  package init(workspace: Workspace, config: MomentsConfig, environment: [String: String]) {
    self.workspace = workspace
    self.config = config
    self.environment = environment
  }

  /// A client of the service, with a warning when others can read its token.
  ///
  /// - Throws: `JobsError` that says what the configuration lacks.
  package func client(
    _ http: HTTPClient
  ) throws(JobsError) -> (client: MomentsClient, warning: String?) {
    let baseURL = environment[Self.addressVariable] ?? config.baseURL
    guard let baseURL, WebAddress.isSecure(baseURL) else { throw .noMomentsService }
    let token = try config.token.secret(in: workspace, environment: environment)
    let client = MomentsClient(http: http, baseURL: baseURL, appToken: token.revealed)
    return (client, config.token.warning(in: workspace))
  }
}
