package import Model
package import Store

/// The begin of an action that takes time.
package enum UseStart: Hashable, Sendable {
  case blocked(LimitCheck)
  /// The action may run; its use is reserved until `finishUse` or a refund.
  case granted(LimitCheck, UseTicket)
}

/// A granted use whose action is running.
package struct UseTicket: Hashable, Sendable {
  package let result: LimitResult
  /// The row of the reservation; nil for a use that is not counted.
  let pendingId: Int64?
  let details: [String: EventValue]

  package var feature: Feature { result.feature }
}

extension Session {
  /// Begins an action that takes time, reserving its use in the transaction that allows it.
  ///
  /// `owner` identifies the process, so that `refundAbandonedUses` can check that it is alive.
  package func beginUse(
    _ feature: Feature, now: Instant, owner: String, details: [String: EventValue] = [:]
  ) throws -> UseStart {
    try store.write { writer in
      let (profile, snapshot) = try prepare(feature, now: now, in: writer)
      let result = LimitRule.check(snapshot.input(feature, now: now))
      try record(result, for: profile, now: now, acts: true, details: details, in: writer)
      let check = snapshot.check(result)
      guard result.canProceed else { return .blocked(check) }
      let pendingId = try reserve(result, now: now, owner: owner, in: writer)
      return .granted(
        check, UseTicket(result: result, pendingId: pendingId, details: details))
    }
  }

  /// Ends a granted use: records it as performed, or gives its reservation back.
  ///
  /// Returns false when the use was already finished or refunded.
  @discardableResult
  package func finishUse(_ ticket: UseTicket, succeeded: Bool, now: Instant) throws -> Bool {
    try store.write { try finishUse(ticket, succeeded: succeeded, now: now, in: $0) }
  }

  /// The same inside the transaction that stores the action's effects.
  ///
  /// Call it once per ticket. A failed use gives nothing back when its allowance was reset
  /// meanwhile, or when the use was already finished or refunded.
  @discardableResult
  package func finishUse(
    _ ticket: UseTicket, succeeded: Bool, now: Instant, in writer: Writer
  ) throws -> Bool {
    let isStillReserved = try ticket.pendingId.map { try writer.finishPendingUse(id: $0) } ?? false
    if succeeded {
      let profile = try profile(in: writer)
      let featureEvents = events(for: profile, ticket.feature, ticket.details)
      try append(
        featureEvents.events(
          [.performed], of: LimitRule.recordSuccess(of: ticket.result), at: now,
          results: try results(of: ticket.feature, for: profile, in: writer)),
        of: profile, now: now, in: writer)
    } else if isStillReserved {
      try Self.giveBack(profile: profileName, feature: ticket.feature, in: writer)
    }
    return isStillReserved || ticket.pendingId == nil
  }

  /// Gives back the uses of all profiles whose owner died, and returns their number.
  @discardableResult
  package static func refundAbandonedUses(
    in store: Store, isAlive: (_ owner: String) throws -> Bool
  ) throws -> Int {
    guard try !store.read({ try $0.pendingUses() }).isEmpty else { return 0 }
    return try store.write { try refundAbandonedUses(in: $0, isAlive: isAlive) }
  }

  /// The same inside the caller's transaction.
  ///
  /// No owner can end its use during the transaction, so a pending use of a dead owner is
  /// abandoned.
  @discardableResult
  static func refundAbandonedUses(
    in writer: Writer, isAlive: (_ owner: String) throws -> Bool
  ) throws -> Int {
    let abandoned = try writer.pendingUses().filter { try !isAlive($0.owner) }
    for use in abandoned where try writer.finishPendingUse(id: use.id) {
      try giveBack(profile: use.profile, feature: use.feature, in: writer)
    }
    return abandoned.count
  }

  /// The ids of the pending uses of all profiles whose owner died; stores nothing.
  func abandonedUses() throws -> Set<Int64> {
    let uses = try store.read { try $0.pendingUses() }
    return Set(try uses.filter { try !isOwnerAlive($0.owner) }.map(\.id))
  }

  /// Counts the use before its action runs and returns its row; nil when the use is not counted.
  private func reserve(
    _ result: LimitResult, now: Instant, owner: String, in writer: Writer
  ) throws -> Int64? {
    guard result.countsUsage else { return nil }
    try writer.setLimitState(
      LimitRule.recordSuccess(of: result).newState, profile: profileName,
      feature: result.feature)
    return try writer.beginPendingUse(
      profile: profileName, feature: result.feature, at: now, owner: owner)
  }

  private static func giveBack(profile: String, feature: Feature, in writer: Writer) throws {
    var state = try writer.limitState(profile: profile, feature: feature)
    guard state.usage > 0 else { return }
    state.usage -= 1
    try writer.setLimitState(state, profile: profile, feature: feature)
  }
}
