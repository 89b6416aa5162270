package import Feeds
package import Model

/// The delivery of one moment as a state machine; see `docs/jobs.md#outbox`.
///
/// A moment that may have arrived is asked for by its client id before it is posted again, so
/// whatever died before, the service gets each client id once.
package struct MomentUpload: Sendable {
  package enum Event: Sendable {
    case answered(MomentsClient.Answer)
    /// No answer came, or none of the service's.
    case failed
  }

  package enum Action: Hashable, Sendable {
    case ask
    case post
    case deliver(id: String?)
    case park(MomentLimit)
    case retryLater
    case reject
    /// Keep this and all other items: nothing can be delivered now.
    case stop
  }

  private enum Phase {
    case asking, posting
    /// The service has called the post a conflict: it may have the moment after all.
    case confirming
  }

  /// What is known to be used up, so that nothing is posted; nil asks the service.
  private let knownLimit: MomentLimit?
  private var mayHaveArrived: Bool
  private var phase = Phase.asking

  package init(mayHaveArrived: Bool, knownLimit: MomentLimit?) {
    self.mayHaveArrived = mayHaveArrived
    self.knownLimit = knownLimit
  }

  /// Whether the service has said that it did not take the moment.
  package var isAbsent: Bool { !mayHaveArrived }

  package mutating func start() -> Action { mayHaveArrived ? .ask : post() }

  package mutating func on(_ event: Event) -> Action {
    switch event {
    case .answered(.taken(let id)): return .deliver(id: id)
    case .answered(.absent):
      mayHaveArrived = false
      return phase == .asking ? post() : .reject
    case .answered(.refused(let refusal)): return on(Verdict(refusal))
    case .failed: return .retryLater
    }
  }

  private mutating func post() -> Action {
    if let knownLimit { return .park(knownLimit) }
    phase = .posting
    mayHaveArrived = true
    return .post
  }

  private mutating func on(_ verdict: Verdict) -> Action {
    if phase == .posting, verdict.isDefinite { mayHaveArrived = false }
    switch verdict {
    case .limit(let limit): return phase == .posting ? .park(limit) : .retryLater
    case .conflict:
      guard phase == .posting else { return .retryLater }
      phase = .confirming
      return .ask
    case .rate, .unknown: return .retryLater
    case .invalid: return .reject
    case .unauthenticated, .misconfigured: return .stop
    }
  }
}

extension MomentUpload {
  /// What a refusal means, by the service's code before the status.
  private enum Verdict {
    case limit(MomentLimit)
    case conflict
    case rate
    case invalid
    case unauthenticated
    /// Somebody else has answered: a matter of the address.
    case misconfigured
    /// The server's trouble: the moment may have been taken.
    case unknown

    init(_ refusal: MomentRefusal) {
      if let limit = refusal.reachedLimit {
        self = .limit(limit)
      } else {
        self.init(status: refusal.status, code: refusal.code)
      }
    }

    private init(status: Int, code: String?) {
      self =
        switch (status, code) {
        case (401, _), (_, "INVALID_APP_TOKEN"): .unauthenticated
        case (429, _), (_, "RATE_LIMIT_EXCEEDED"): .rate
        case (408, _), (425, _), (500..., _): .unknown
        case (409, _): .conflict
        case (400..<500, nil), (..<400, _): .misconfigured
        default: .invalid
        }
    }

    /// Whether the request that it answers was not carried out.
    var isDefinite: Bool {
      switch self {
      case .limit, .rate, .invalid, .unauthenticated, .misconfigured: true
      case .conflict, .unknown: false
      }
    }
  }
}
