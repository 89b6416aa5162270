package import Firestore

package enum Fault: Hashable, Sendable {
  /// Answers an error envelope without executing the request.
  ///
  /// `retryAfterSeconds` adds a `Retry-After` header, `insideArray` wraps the envelope as streaming
  /// methods may.
  case status(
    RPCStatus, message: String = "injected fault", retryAfterSeconds: Int? = nil,
    insideArray: Bool = false)
  /// Answers HTTP 200 with a body that is not JSON, like a proxy, without executing the request.
  case garbage(body: String = "<!DOCTYPE html><html><body>It works!</body></html>")
  /// Closes the connection without executing the request.
  case drop
  /// Executes the request and delays its response.
  case delay(Duration)
  /// Executes the request and closes the connection within the response's body.
  ///
  /// With 0 the client gets only the headers.
  case cut(afterBytes: Int)
  /// Executes the request and closes the connection without a response.
  case lostAnswer
  /// Executes the request and truncates the array in a complete HTTP response.
  case truncatedArray
}

/// The pending faults, in order of injection.
struct FaultScript: Sendable {
  private struct PendingFault: Sendable {
    var fault: Fault
    /// The number of matching requests to let pass first.
    var skips: Int
    /// The number of requests to fail; nil for all.
    var times: Int?
    /// A substring of the method, a space and the target; nil matches all requests.
    var pattern: String?

    func matches(_ line: String) -> Bool {
      pattern.map { line.contains($0) } ?? true
    }
  }

  private var entries: [PendingFault] = []

  mutating func add(_ fault: Fault, times: Int?, after skips: Int, matching pattern: String?) {
    entries.append(PendingFault(fault: fault, skips: skips, times: times, pattern: pattern))
  }

  mutating func removeAll() { entries.removeAll() }

  /// Consumes and returns the fault of this request; nil for none.
  mutating func next(for request: RequestRecord) -> Fault? {
    let line = "\(request.method) \(request.target)"
    for (index, entry) in entries.enumerated() where entry.matches(line) {
      guard entry.skips == 0 else {
        entries[index].skips -= 1
        continue
      }
      if let times = entry.times {
        entries[index].times = times - 1
        if times <= 1 { entries.remove(at: index) }
      }
      return entry.fault
    }
    return nil
  }
}
