package import HTTP
package import Model

package struct RemoteConfigClient: Sendable {
  package enum Response: Hashable, Sendable {
    /// The template still has the ETag of the request.
    case unchanged
    /// A template; `etag` is nil when the server sent none.
    case template(RemoteConfigTemplate, etag: String?)
  }

  package static let googleURL = "https://firebaseremoteconfig.googleapis.com"

  private let http: HTTPClient
  private let baseURL: String

  /// `baseURL` may have trailing slashes.
  package init(
    http: HTTPClient, baseURL: String = RemoteConfigClient.googleURL
  ) {
    self.http = http
    self.baseURL = baseURL.withoutTrailingSlashes
  }

  /// Fetches the template, unless it still has the ETag `etag`.
  ///
  /// `quotaProject` is billed instead of `project`. Throws `HTTPError`, or `FeedError.refused` and
  /// `.malformed`; does not retry.
  package func fetch(
    project: String, token: String, quotaProject: String? = nil, etag: String? = nil, now: Instant
  ) async throws -> Response {
    var headers: HTTPHeaders = ["Authorization": "Bearer \(token)", "Accept": "application/json"]
    if let quotaProject { headers.add("x-goog-user-project", quotaProject) }
    if let etag { headers.add("If-None-Match", etag) }
    let response = try await http.send(
      HTTPRequest(.get, "\(baseURL)/v1/projects/\(project)/remoteConfig", headers: headers))
    if response.status == 304 { return .unchanged }
    guard response.isSuccess else {
      throw FeedError.refused(
        feed: "Remote Config of \(project)", status: response.status,
        message: response.decoded(Envelope.self)?.error?.message ?? "no message")
    }
    let fetched = response.headers["ETag"]
    if let etag, fetched == etag { return .unchanged }
    let template = try RemoteConfigTemplate(json: response.body, fetchedAt: now)
    return .template(template, etag: fetched)
  }

  private struct Envelope: Decodable {
    struct Failure: Decodable {
      var message: String?
    }

    var error: Failure?
  }
}
