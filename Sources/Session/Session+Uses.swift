package import Model
import Rules
package import Store

extension Session {
  /// Begins an action that takes time, reserving its use in the transaction that allows it.
  ///
  /// `owner` names the process, so that `refundAbandonedUses` can tell whether it still lives.
  package func beginUse(
    _ feature: Feature, now: Instant, owner: String, details: [String: EventValue] = [:]
  ) throws -> UseStart {
    try store.write { writer in
      let profile = try updateProfile(in: writer) { _ in }
      let standing = try standing(of: profile, in: writer)
      let decision = LimitRule.check(standing.question(feature, now: now))
      try record(decision, for: profile, now: now, details: details, in: writer)
      let answer = standing.answer(decision)
      guard decision.canProceed else { return .blocked(answer) }
      let pendingId = try reserve(decision, now: now, owner: owner, in: writer)
      return .granted(
        answer, UseTicket(decision: decision, pendingId: pendingId, details: details))
    }
  }

  /// Ends a granted use: it is performed, or its reservation is given back.
  ///
  /// Returns false when the use was finished or refunded before.
  @discardableResult
  package func finishUse(_ ticket: UseTicket, succeeded: Bool, now: Instant) throws -> Bool {
    try store.write { try finishUse(ticket, succeeded: succeeded, now: now, in: $0) }
  }

  /// The same as a part of the transaction that stores what the action brought.
  ///
  /// To be called once per ticket to say that it succeeded. A failed use gives nothing back when its
  /// allowance was reset, or the use finished or refunded, in the meantime.
  @discardableResult
  package func finishUse(
    _ ticket: UseTicket, succeeded: Bool, now: Instant, in writer: Writer
  ) throws -> Bool {
    let isStillReserved = try ticket.pendingId.map { try writer.finishPendingUse(id: $0) } ?? false
    if succeeded {
      let profile = try profile(in: writer)
      let ledger = events(for: profile, now: now, details: ticket.details)
      try append(
        ledger.events([.performed], of: LimitRule.recordSuccess(of: ticket.decision)),
        of: profile, now: now, in: writer)
    } else if isStillReserved {
      try Self.giveBack(profile: profileName, feature: ticket.feature, in: writer)
    }
    return isStillReserved || ticket.pendingId == nil
  }

  /// Gives back the uses of all profiles whose owner died in mid-action, and says how many.
  ///
  /// To be called by the holder of the workspace lock.
  @discardableResult
  package static func refundAbandonedUses(
    in store: Store, isAlive: (_ owner: String) -> Bool
  ) throws -> Int {
    let abandoned = try store.read { try $0.pendingUses() }.filter { !isAlive($0.owner) }
    guard !abandoned.isEmpty else { return 0 }
    return try store.write { writer in
      var refunded = 0
      for use in abandoned where try writer.finishPendingUse(id: use.id) {
        try giveBack(profile: use.profile, feature: use.feature, in: writer)
        refunded += 1
      }
      return refunded
    }
  }

  /// Counts the use before its action ran; nil when the use is not counted.
  private func reserve(
    _ decision: LimitDecision, now: Instant, owner: String, in writer: Writer
  ) throws -> Int64? {
    guard decision.countsUsage else { return nil }
    try writer.setLimitState(
      LimitRule.recordSuccess(of: decision).newState, profile: profileName,
      feature: decision.feature)
    return try writer.beginPendingUse(
      profile: profileName, feature: decision.feature, at: now, owner: owner)
  }

  private static func giveBack(profile: String, feature: Feature, in writer: Writer) throws {
    var state = try writer.limitState(profile: profile, feature: feature)
    guard state.usage > 0 else { return }
    state.usage -= 1
    try writer.setLimitState(state, profile: profile, feature: feature)
  }
}
