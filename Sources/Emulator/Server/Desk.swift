import Synchronization

/// Where every request comes in: it is written down if anyone wants to see it, meets its fault, and is answered.
final class Desk: Sendable {
  private struct State {
    var script = FaultScript()
    var requests: [RequestRecord] = []
  }

  private let endpoints: Endpoints
  private let keepsRequests: Bool
  private let state = Mutex(State())

  init(_ endpoints: Endpoints, keepsRequests: Bool) {
    self.endpoints = endpoints
    self.keepsRequests = keepsRequests
  }

  var requests: [RequestRecord] { state.withLock { $0.requests } }

  func forgetRequests() { state.withLock { $0.requests.removeAll() } }

  func inject(_ fault: Fault, times: Int?, after skips: Int, matching pattern: String?) {
    state.withLock { $0.script.add(fault, times: times, after: skips, matching: pattern) }
  }

  func clearFaults() { state.withLock { $0.script.removeAll() } }

  func reply(to request: RequestRecord) -> Reply {
    let fault = state.withLock { state in
      if keepsRequests { state.requests.append(request) }
      return state.script.next(for: request)
    }
    return Reply(fault) { endpoints.answer(to: request) }
  }
}
