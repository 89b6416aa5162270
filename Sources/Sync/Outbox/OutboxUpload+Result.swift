import Model

extension OutboxUpload {
  package struct Result: Sendable {
    package var delivered = 0
    /// Failed for now; they wait for their next attempt.
    package var requeued = 0
    /// Wait for a day or an upgrade, which is no failure.
    package var parked = 0
    package var rejected = 0
    /// What made the upload stop before its end; nil when it went through all due items.
    package var stoppedBy: (any Error)?
    /// Sentences about items that failed.
    package var problems: [String] = []

    package init() {}
  }
}

extension OutboxUpload.Result {
  mutating func add(_ fates: [OutboxFate], of items: [OutboxItem]) {
    var complaints: [(text: String, ids: [Int64])] = []
    for (item, fate) in zip(items, fates) {
      count(fate)
      guard let text = fate.complaint else { continue }
      if complaints.last?.text == text {
        complaints[complaints.endIndex - 1].ids.append(item.id)
      } else {
        complaints.append((text, [item.id]))
      }
    }
    problems += complaints.map { text, ids in
      let list = ids.map(String.init).joined(separator: ", ")
      return "outbox item\(ids.count == 1 ? "" : "s") \(list): \(text)"
    }
  }

  private mutating func count(_ fate: OutboxFate) {
    switch fate {
    case .delivered: delivered += 1
    case .parked: parked += 1
    case .retryLater, .held: requeued += 1
    case .rejected: rejected += 1
    case .stopped(let failure): stoppedBy = stoppedBy ?? failure.error
    case .apart: break
    }
  }
}

extension OutboxFate {
  /// What the operator is told; nil when all is as it should be.
  fileprivate var complaint: String? {
    switch self {
    case .delivered, .parked, .apart: nil
    case .retryLater(let failure), .stopped(let failure): "\(failure.error)"
    case .held(let reason), .rejected(let reason): reason
    }
  }

  /// Why the item has to be tried again; nil when it has not.
  var retriedError: (any Error)? {
    guard case .retryLater(let failure) = self else { return nil }
    return failure.error
  }

  var isApart: Bool {
    guard case .apart = self else { return false }
    return true
  }

  /// Whether it leaves open if the server works: anything else is an answer of its.
  var saysNothing: Bool { retriedError != nil || isApart }
}
