import Firestore
import Synchronization

/// Records a request if wanted, applies its fault, and executes it.
final class RequestRouter: Sendable {
  private struct State {
    var script = FaultScript()
    var requests: [RequestRecord] = []
    /// Set while the server is being filled; nil once it is open.
    var filling: Filling?
  }

  private struct Filling {
    /// The estimated duration at the start.
    let seconds: Int
    let began: Timestamp

    /// The longest `Retry-After` in seconds.
    private static let longestWait = 60

    /// At least twice the elapsed time, so that clients need few retries.
    func retryAfterSeconds(at now: Timestamp) -> Int {
      let elapsed = Int(clamping: (now.microseconds - began.microseconds) / 1_000_000)
      return min(Self.longestWait, max(seconds, 2 * elapsed))
    }
  }

  let endpoints: Endpoints
  private let keepsRequests: Bool
  /// Documents a second that one stream gets; nil for as many as it takes.
  private let documentsPerSecond: Int?
  private let state: Mutex<State>

  init(
    _ endpoints: Endpoints, keepsRequests: Bool, retryAfterSeconds: Int? = nil,
    documentsPerSecond: Int? = nil
  ) {
    self.endpoints = endpoints
    self.keepsRequests = keepsRequests
    self.documentsPerSecond = documentsPerSecond
    let began = endpoints.documents.clock()
    state = Mutex(State(filling: retryAfterSeconds.map { Filling(seconds: $0, began: began) }))
  }

  func open() { state.withLock { $0.filling = nil } }

  var requests: [RequestRecord] { state.withLock { $0.requests } }

  func forgetRequests() { state.withLock { $0.requests.removeAll() } }

  func inject(_ fault: Fault, times: Int?, after skips: Int, matching pattern: String?) {
    state.withLock { $0.script.add(fault, times: times, after: skips, matching: pattern) }
  }

  func clearFaults() { state.withLock { $0.script.removeAll() } }

  func respond(to request: RequestRecord) -> ResponseDelivery {
    let fault = state.withLock { state -> Fault? in
      if keepsRequests { state.requests.append(request) }
      if let filling = state.filling {
        let seconds = filling.retryAfterSeconds(at: endpoints.documents.clock())
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
