package import Firestore

/// Something that goes wrong on purpose, for one request.
package enum Fault: Hashable, Sendable {
  /// An error envelope instead of an answer; the request is not performed.
  ///
  /// `retryAfterSeconds` adds a `Retry-After` header, `insideArray` wraps the envelope as streaming
  /// calls may.
  case status(
    RPCStatus, message: String = "injected fault", retryAfterSeconds: Int? = nil,
    insideArray: Bool = false)
  /// A body that is no JSON, with HTTP 200 as a proxy would send it; the request is not performed.
  case garbage(body: String = "<!DOCTYPE html><html><body>It works!</body></html>")
  /// The connection closes without an answer; the request is not performed.
  case drop
  /// The request is performed, and its answer sent only after that time.
  case delay(Duration)
  /// The request is performed, and the connection closes after so many bytes of the answer's body.
  ///
  /// With 0 the client learns that there was an answer, and nothing of it.
  case cut(afterBytes: Int)
  /// The request is performed, and the connection closes without an answer: was it, or not?
  case lostAnswer
  /// The request is performed, and its array ends in the middle, though HTTP ends properly.
  case truncatedArray
}

/// The faults that wait for their requests, in the order of their injection.
struct FaultScript: Sendable {
  private struct Entry: Sendable {
    var fault: Fault
    /// Requests that match and still go through unharmed.
    var skips: Int
    /// Nil for no end.
    var times: Int?
    /// Part of the method, a space and the target; nil matches all.
    var pattern: String?

    func matches(_ line: String) -> Bool {
      pattern.map { line.contains($0) } ?? true
    }
  }

  private var entries: [Entry] = []

  mutating func add(_ fault: Fault, times: Int?, after skips: Int, matching pattern: String?) {
    entries.append(Entry(fault: fault, skips: skips, times: times, pattern: pattern))
  }

  mutating func removeAll() { entries.removeAll() }

  /// The fault for this request, which is used up by asking; nil when all is to go well.
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
