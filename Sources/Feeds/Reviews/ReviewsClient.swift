package import HTTP
package import Model

/// Fetches an app's customer reviews from the App Store; see
/// `docs/jobs/sync-reviews.md#reviews-feed`.
package struct ReviewsClient: Sendable {
  package enum Response: Sendable {
    case page(ReviewPage)
    /// The same request may succeed later, after the `pause` that the server requests.
    case later(any Error, pause: Duration?)
  }

  package static let appleURL = "https://itunes.apple.com"
  /// The pages of 50 reviews that Apple serves per app and country.
  package static let pages = 1...10
  /// The maximum size of a page, which usually has about 200 kB;
  /// docs/jobs/sync-reviews.md#reviews-feed.
  package static let bodyLimit = 8 << 20

  private let http: HTTPClient
  private let baseURL: String
  private let timeouts: HTTPTimeouts

  /// `baseURL` is the feeds' address without the country, with or without trailing slashes.
  package init(
    http: HTTPClient, baseURL: String = ReviewsClient.appleURL,
    timeouts: HTTPTimeouts = HTTPTimeouts(stall: .seconds(20), total: .seconds(60))
  ) {
    self.http = http
    self.baseURL = baseURL.withoutTrailingSlashes
    self.timeouts = timeouts
  }

  /// Fetches a page, counted from 1, with the newest reviews first.
  ///
  /// Does not follow the feed's links, and does not retry. Throws `HTTPError`, or
  /// `FeedError.refused` and `.malformed`, when a retry would not help.
  package func page(
    _ page: Int, of appId: Int, in country: String, now: Instant
  ) async throws -> Response {
    let feed = "The App Store's feed of reviews in '\(country)'"
    let response: HTTPResponse
    do {
      response = try await http.send(request(for: page, appId, country))
    } catch let error as HTTPError where error.isTransient {
      return .later(error, pause: nil)
    }
    guard response.isSuccess else {
      guard [408, 429].contains(response.status) || response.status >= 500 else {
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
}

/// One page of the App Store's reviews of an app; see `docs/jobs/sync-reviews.md#reviews-feed`.
package struct ReviewPage: Hashable, Sendable {
  /// In the order of the feed: newest first.
  package var reviews: [AppReview] = []
  /// The number of invalid reviews by reason.
  package var skipped: [String: Int] = [:]
  /// The last page's number according to the feed's link; nil without one.
  package var lastPage: Int?
  /// The size of the page on the wire in bytes.
  package var receivedBytes: Int = 0

  /// The number of valid and invalid reviews.
  package var count: Int { skipped.values.reduce(reviews.count, +) }
}
