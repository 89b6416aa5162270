import Foundation
package import HTTP

/// Sends events to Google Analytics by the Measurement Protocol.
///
/// Google answers 2xx to every request it receives, even for events that it drops; see
/// "Measurement Protocol reference" at developers.google.com.
package struct MeasurementClient: Sendable {
  private let http: HTTPClient
  private let baseURL: String
  private let firebaseAppId: String
  private let apiSecret: String

  /// `baseURL` is Google's or another collector's address, with or without trailing slashes.
  ///
  /// The secret is sent in the query, which errors and logs never show.
  package init(http: HTTPClient, baseURL: String, firebaseAppId: String, apiSecret: String) {
    self.http = http
    self.baseURL = baseURL.withoutTrailingSlashes
    self.firebaseAppId = firebaseAppId
    self.apiSecret = apiSecret
  }

  /// The outcome of a request; only a cancellation is thrown.
  package enum Outcome: Sendable {
    /// Google received the request.
    case received
    /// Google did not receive the events but may accept them later.
    case tryLater(any Error)
    /// Google does not accept the request as it is.
    case refused(any Error)
    /// Google did not receive the events, for a reason that affects all requests, such as the
    /// address.
    case unreachable(any Error)
    /// Whether Google received the request is unknown.
    case unknown(any Error)
  }

  /// Sends one request body, once.
  package func send(_ body: [UInt8]) async throws(CancellationError) -> Outcome {
    let query =
      "firebase_app_id=\(PercentEncoding.query(firebaseAppId))"
      + "&api_secret=\(PercentEncoding.query(apiSecret))"
    let request = HTTPRequest(
      .post, "\(baseURL)/mp/collect?\(query)", headers: ["Content-Type": "application/json"],
      body: body, bodyLimit: Self.longestAnswer)
    do {
      let response = try await http.send(request)
      return response.isSuccess ? .received : Self.outcome(of: response.status)
    } catch let error as HTTPError {
      guard !Task.isCancelled else { throw CancellationError() }
      return Self.outcome(of: error)
    } catch {
      throw CancellationError()
    }
  }

  private static func outcome(of status: Int) -> Outcome {
    let error = FeedError.refused(
      feed: "Google Analytics", status: status, message: "no events were taken")
    switch status {
    case 400, 413: return .refused(error)
    case 408, 429, 500...: return .tryLater(error)
    default: return .unreachable(error)
    }
  }

  private static func outcome(of error: HTTPError) -> Outcome {
    switch error {
    case .resolveFailed, .refused, .timedOut(_, phase: .connect, _): .tryLater(error)
    case .invalidRequest, .tls, .redirectRefused, .tooManyRedirects: .unreachable(error)
    case .timedOut, .cutShort, .tooLarge, .headersTooLarge, .malformed, .mailRefused, .cancelled,
      .other:
      .unknown(error)
    }
  }

  /// The maximum size of an answer in bytes; it normally has no body.
  private static let longestAnswer = 65_536
}
