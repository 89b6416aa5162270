package import Model
package import Rules

/// A limit decision with the popup that goes with it.
package struct LimitAnswer: Hashable, Sendable {
  package var decision: LimitDecision
  /// Nil when there is none to show.
  package var popup: Popup?
}

/// How an action that takes time began.
package enum UseStart: Hashable, Sendable {
  case blocked(LimitAnswer)
  /// The action may run; its use is reserved until `finishUse` or a refund.
  case granted(LimitAnswer, UseTicket)
}

/// A granted use whose action still runs.
package struct UseTicket: Hashable, Sendable {
  package let decision: LimitDecision
  /// The row that keeps the reservation; nil for a use that is not counted.
  let pendingId: Int64?
  let details: [String: EventValue]

  package var feature: Feature { decision.feature }
}
