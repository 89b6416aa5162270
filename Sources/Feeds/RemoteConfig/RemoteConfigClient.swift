import FoundationEssentials
package import HTTP
package import Model

/// Fetches the Remote Config template of a project.
package struct RemoteConfigClient: Sendable {
  package enum Answer: Hashable, Sendable {
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
  ) async throws -> Answer {
    var headers: HTTPHeaders = ["Authorization": "Bearer \(token)", "Accept": "application/json"]
    if let quotaProject { headers.add("x-goog-user-project", quotaProject) }
    if let etag { headers.add("If-None-Match", etag) }
    let response = try await http.send(
      HTTPRequest(.get, "\(baseURL)/v1/projects/\(project)/remoteConfig", headers: headers))
    if response.status == 304 { return .unchanged }
    guard response.isSuccess else {
      throw FeedError.refused(
        feed: "Remote Config of \(project)", status: response.status,
        message: Self.message(in: response.body))
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

  /// The message of Google's error envelope; a fixed phrase without one.
  private static func message(in body: [UInt8]) -> String {
    do {
      let envelope = try JSONDecoder().decode(Envelope.self, from: Data(body))
      return envelope.error?.message ?? "no message"
    } catch {
      return "no message"
    }
  }
}
