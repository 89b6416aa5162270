import Foundation
package import HTTP

/// Sends events to Google Analytics by its Measurement Protocol.
///
/// Google answers 2xx to whatever it received, also to events that it then drops; see
/// "Measurement Protocol reference" at developers.google.com.
package struct MeasurementClient: Sendable {
  private let http: HTTPClient
  private let baseURL: String
  private let firebaseAppId: String
  private let apiSecret: String

  /// - Parameters:
  ///   - http: whoever sends the requests.
  ///   - baseURL: Google's address or another's; slashes at its end do not matter.
  ///   - firebaseAppId: the app that the events are of.
  ///   - apiSecret: travels in the query, which neither errors nor logs show.
  package init(http: HTTPClient, baseURL: String, firebaseAppId: String, apiSecret: String) {
    self.http = http
    self.baseURL = baseURL.withoutSlashesAtEnd
    self.firebaseAppId = firebaseAppId
    self.apiSecret = apiSecret
  }

  /// What became of a request; everything but a cancellation is told this way.
  package enum Outcome: Sendable {
    /// Google has it, whatever it makes of it.
    case received
    /// Google does not have it, and may well take it later.
    case tryLater(any Error)
    /// Google does not take it as it is.
    case refused(any Error)
    /// Google does not have it, for a reason that holds for every request: address, network, rights.
    case unreachable(any Error)
    /// Nobody can tell whether Google has it.
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
    case .noLibrary, .invalidRequest, .tls, .redirectRefused, .tooManyRedirects: .unreachable(error)
    case .timedOut, .cutShort, .tooLarge, .malformed, .cancelled, .other: .unknown(error)
    }
  }

  /// Bytes; the answer to events has no body at all.
  private static let longestAnswer = 65_536
}
