import Feeds
import Model

/// The delivery of one moment as a state machine; see `docs/outbox.md`.
///
/// A moment that may have arrived is looked up by its client id before it is posted again, so the
/// service gets each client id once, wherever earlier runs died.
struct MomentUpload: Sendable {
  enum Event: Sendable {
    case answered(MomentsClient.Response)
    /// There was no answer, or one that is not from the service.
    case failed
  }

  enum Action: Hashable, Sendable {
    case ask
    case post
    case deliver(id: String?)
    case park(MomentLimit)
    case retryLater
    case reject
    /// Keeps this item and all others: none can be delivered now.
    case stop
  }

  enum Phase {
    case asking, posting
    /// The service has answered the post with a conflict, so it may have the moment.
    case confirming
  }

  private(set) var mayHaveArrived: Bool
  /// A limit known to be reached, so that nothing is posted; nil when the service decides.
  let knownLimit: MomentLimit?
  private(set) var phase = Phase.asking

  /// Whether the service is known not to have the moment.
  var isAbsent: Bool { !mayHaveArrived }

  mutating func start() -> Action { mayHaveArrived ? .ask : post() }

  mutating func on(_ event: Event) -> Action {
    switch event {
    case .answered(.taken(let id)): return .deliver(id: id)
    case .answered(.absent):
      mayHaveArrived = false
      return phase == .asking ? post() : .reject
    case .answered(.refused(let refusal)): return on(refusal)
    case .failed: return .retryLater
    }
  }

  private mutating func post() -> Action {
    if let knownLimit { return .park(knownLimit) }
    phase = .posting
    mayHaveArrived = true
    return .post
  }

  private mutating func on(_ refusal: MomentRefusal) -> Action {
    let reason = refusal.reason
    if phase == .posting, reason.isDefinite { mayHaveArrived = false }
    switch reason {
    case .limit(let limit): return phase == .posting ? .park(limit) : .retryLater
    case .conflict:
      guard phase == .posting else { return .retryLater }
      phase = .confirming
      return .ask
    case .rate, .serverTrouble: return .retryLater
    case .invalid: return .reject
    case .unauthenticated, .foreign: return .stop
    }
  }
}

extension MomentRefusal.Reason {
  /// Whether the refusal proves that the request was not carried out.
  fileprivate var isDefinite: Bool {
    switch self {
    case .limit, .rate, .invalid, .unauthenticated, .foreign: true
    case .conflict, .serverTrouble: false
    }
  }
}
