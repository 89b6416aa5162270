package import Feeds
package import HTTP

/// The workspace's way to the App Store's feeds of reviews.
package struct ReviewsAccess: Sendable {
  /// Wins over `reviews.base_url`, as FIRESTORE_EMULATOR_HOST does over Firestore's.
  package static let addressVariable = "FIRETALLY_REVIEWS_URL"

  private let baseURL: String

  /// - Parameters:
  ///   - config: which address.
  ///   - environment: the process's variables.
  package init(config: WorkspaceConfig, environment: [String: String]) {
    baseURL = environment[Self.addressVariable] ?? config.reviewsBaseURL
  }

  /// A client of the feeds; a wrong address fails with its first request.
  package func client(_ http: HTTPClient) -> ReviewsClient {
    ReviewsClient(http: http, baseURL: baseURL)
  }
}
