import Feeds
import Firestore
package import HTTP
package import Sync

/// The workspace's way to Google Analytics, made when a job first needs it.
package struct AnalyticsAccess: Sendable {
  private let workspace: Workspace
  private let config: AnalyticsConfig?
  private let environment: [String: String]

  /// - Parameters:
  ///   - workspace: where relative paths of the configuration count from.
  ///   - config: which app, and where its secret is; nil when the workspace delivers no events.
  ///   - environment: the process's variables.
  package init(workspace: Workspace, config: AnalyticsConfig?, environment: [String: String]) {
    self.workspace = workspace
    self.config = config
    self.environment = environment
  }

  /// Whoever takes events there, with a warning when others can read the secret.
  ///
  /// - Throws: `JobsError` that says what the configuration lacks.
  package func carrier(
    _ http: HTTPClient
  ) throws(JobsError) -> (carrier: EventCarrier, warning: String?) {
    guard let config else { throw .noAnalytics }
    let secret = try config.apiSecret.secret(in: workspace, environment: environment)
    let client = MeasurementClient(
      http: http, baseURL: config.baseURL, firebaseAppId: config.firebaseAppId,
      apiSecret: secret.revealed)
    return (
      EventCarrier(client: client, appInstanceId: config.appInstanceId),
      config.apiSecret.warning(in: workspace)
    )
  }
}
