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
