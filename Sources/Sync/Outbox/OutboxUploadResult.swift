import Model
import Store

/// The result of an upload of the items that were due.
package struct OutboxUploadResult: Sendable {
  package var delivered = 0
  /// Items that failed temporarily and wait for their next attempt.
  package var requeued = 0
  /// Those of them for which no request was made, since something is missing here.
  var held = 0
  /// Items that wait for another day or an upgrade; they do not count as failures.
  package var parked = 0
  package var rejected = 0
  /// The error that stopped the upload; nil when it processed all due items.
  package var stoppedBy: (any Error)?
  /// Sentences about items that failed.
  package var problems: [String] = []

  package init() {}

  mutating func add(_ outcomes: [DeliveryOutcome], of items: [OutboxItem]) {
    var failures: [(text: String, ids: [Int64])] = []
    for (item, outcome) in zip(items, outcomes) {
      count(outcome)
      guard let text = outcome.problem else { continue }
      if failures.last?.text == text {
        failures[failures.endIndex - 1].ids.append(item.id)
      } else {
        failures.append((text, [item.id]))
      }
    }
    problems += failures.map { text, ids in
      let list = ids.map(String.init).joined(separator: ", ")
      return "outbox item\(ids.count == 1 ? "" : "s") \(list): \(text)"
    }
  }

  private mutating func count(_ outcome: DeliveryOutcome) {
    switch outcome {
    case .delivered: delivered += 1
    case .parked: parked += 1
    case .retryLater: requeued += 1
    case .held:
      requeued += 1
      held += 1
    case .rejected: rejected += 1
    case .stopped(let failure): stoppedBy = stoppedBy ?? failure.error
    case .splitBatch: break
    }
  }
}

extension DeliveryOutcome {
  /// The sentence for the operator; nil for an outcome that is not a problem.
  fileprivate var problem: String? {
    switch self {
    case .delivered, .parked, .splitBatch: nil
    case .retryLater(let failure), .stopped(let failure): "\(failure.error)"
    case .held(let reason), .rejected(let reason): reason
    }
  }

  /// The error after which the item is retried; nil for any other outcome.
  var retriedError: (any Error)? {
    if case .retryLater(let failure) = self { failure.error } else { nil }
  }

  /// The error of a server that did not respond at all; nil for any other outcome.
  var silence: (any Error)? {
    if case .retryLater(let failure) = self, failure.isSilence { failure.error } else { nil }
  }

  var splitsBatch: Bool {
    if case .splitBatch = self { true } else { false }
  }

  /// Whether the outcome is no evidence that the server works; any other outcome is its answer.
  var saysNothing: Bool { retriedError != nil || splitsBatch }
}
