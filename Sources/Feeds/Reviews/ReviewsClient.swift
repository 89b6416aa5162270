package import HTTP
package import Model

/// Asks the App Store for the customer reviews of an app; see `docs/jobs.md#reviews-feed`.
package struct ReviewsClient: Sendable {
  package enum Answer: Sendable {
    case page(ReviewPage)
    /// The same request may well succeed later; `pause` is what the server asks for.
    case later(any Error, pause: Duration?)
  }

  package static let appleURL = "https://itunes.apple.com"
  /// Pages that Apple serves of one app in one country, of 50 reviews each.
  package static let pages = 1...10
  /// A page of Apple's has about a fifth of a megabyte; docs/jobs.md#reviews-feed.
  package static let bodyLimit = 8 << 20

  private let http: HTTPClient
  private let baseURL: String
  private let timeouts: HTTPTimeouts

  /// - Parameters:
  ///   - http: what sends.
  ///   - baseURL: the feeds, without the country; slashes at its end do not matter.
  ///   - timeouts: how long a page may take.
  package init(
    http: HTTPClient, baseURL: String = ReviewsClient.appleURL,
    timeouts: HTTPTimeouts = HTTPTimeouts(stall: .seconds(20), total: .seconds(60))
  ) {
    self.http = http
    self.baseURL = baseURL.withoutSlashesAtEnd
    self.timeouts = timeouts
  }

  /// One page, from 1 on, newest reviews first.
  ///
  /// The links of the feed are not followed. Throws `HTTPError`, or `FeedError.refused` and
  /// `.malformed`, when asking again would not help; does not try again.
  package func page(
    _ page: Int, of appId: Int, in country: String, now: Instant
  ) async throws -> Answer {
    let feed = "The App Store's feed of reviews in '\(country)'"
    let response: HTTPResponse
    do {
      response = try await http.send(request(for: page, appId, country))
    } catch let error as HTTPError where error.isTransient {
      return .later(error, pause: nil)
    }
    guard response.isSuccess else {
      guard Self.isBusy(response.status) else {
        throw FeedError.refused(
          feed: feed, status: response.status, message: "no page \(page) of the app \(appId)")
      }
      return .later(
        FeedError.busy(feed: feed, status: response.status),
        pause: response.retryAfter(now: now.unixSeconds))
    }
    var found = try ReviewFeed.page(in: response.body, of: appId, in: country, named: feed)
    found.receivedBytes = response.receivedBytes
    return .page(found)
  }

  private func request(for page: Int, _ appId: Int, _ country: String) -> HTTPRequest {
    let path = "\(country)/rss/customerreviews/page=\(page)/id=\(appId)/sortby=mostrecent/xml"
    return HTTPRequest(
      .get, "\(baseURL)/\(path)", headers: ["Accept": "application/atom+xml, application/xml"],
      timeouts: timeouts, bodyLimit: Self.bodyLimit)
  }

  private static func isBusy(_ status: Int) -> Bool {
    status == 408 || status == 429 || status >= 500
  }
}
