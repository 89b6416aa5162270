import Firestore
import Synchronization

/// Records a request if wanted, applies its fault, and executes it.
final class RequestRouter: Sendable {
  private struct State {
    var script = FaultScript()
    var requests: [RequestRecord] = []
    /// The estimated duration of filling the server; nil once it is open.
    var secondsToFill: Int?
  }

  /// The longest `Retry-After` in seconds.
  private static let longestWait = 60

  let endpoints: Endpoints
  private let keepsRequests: Bool
  /// Documents a second that one stream gets; nil for as many as it takes.
  private let documentsPerSecond: Int?
  private let began: Timestamp
  private let state: Mutex<State>

  init(
    _ endpoints: Endpoints, keepsRequests: Bool, retryAfterSeconds: Int? = nil,
    documentsPerSecond: Int? = nil
  ) {
    self.endpoints = endpoints
    self.keepsRequests = keepsRequests
    self.documentsPerSecond = documentsPerSecond
    began = endpoints.documents.clock()
    state = Mutex(State(secondsToFill: retryAfterSeconds))
  }

  func open() { state.withLock { $0.secondsToFill = nil } }

  var requests: [RequestRecord] { state.withLock { $0.requests } }

  func forgetRequests() { state.withLock { $0.requests.removeAll() } }

  func inject(_ fault: Fault, times: Int?, after skips: Int, matching pattern: String?) {
    state.withLock { $0.script.add(fault, times: times, after: skips, matching: pattern) }
  }

  func clearFaults() { state.withLock { $0.script.removeAll() } }

  func respond(to request: RequestRecord) -> ResponseDelivery {
    let fault = state.withLock { state -> Fault? in
      if keepsRequests { state.requests.append(request) }
      if let estimate = state.secondsToFill {
        let elapsed = endpoints.documents.clock().microseconds - began.microseconds
        // At least twice the elapsed time, so that clients need few retries.
        let seconds = min(Self.longestWait, max(estimate, 2 * Int(elapsed / 1_000_000)))
        return Fault.status(
          .unavailable, message: "The server is being filled: try again in \(seconds) s.",
          retryAfterSeconds: seconds)
      }
      return state.script.next(for: request)
    }
    var delivery = ResponseDelivery(fault) { endpoints.response(to: request) }
    if let documentsPerSecond {
      delivery.delay +=
        .seconds(1) * (Double(delivery.response.documentCount) / Double(documentsPerSecond))
    }
    return delivery
  }
}
