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
      var changes = try prepare(feature, now: now, in: writer)
      let result = LimitRule.check(changes.snapshot.input(feature, now: now))
      try changes.record(result, acts: true, details: details)
      let isReserved = result.canProceed && result.countsUsage
      // Counted before the action runs.
      if isReserved { changes.set(LimitRule.recordSuccess(of: result).newState, of: feature) }
      try writer.apply(try changes.allEffects())
      let check = changes.snapshot.check(result)
      guard result.canProceed else { return .blocked(check) }
      let pendingId =
        try isReserved
        ? writer.beginPendingUse(profile: profileName, feature: feature, at: now, owner: owner)
        : nil
      return .granted(
        check, UseTicket(result: result, pendingId: pendingId, details: details))
    }
  }

  /// Ends a granted use: records it as performed, or gives its reservation back.
  ///
  /// Returns false when the use was already finished or refunded.
  @discardableResult
  package func finishUse(_ ticket: UseTicket, succeeded: Bool, now: Instant) throws -> Bool {
    try store.write { writer in
      let isOpen =
        try ticket.pendingId.map { id in try writer.pendingUses().contains { $0.id == id } } ?? true
      try writer.apply(
        try effects(ofEnding: ticket, succeeded: succeeded, now: now, in: writer))
      return isOpen
    }
  }

  /// The end of a granted use, for the transaction that stores the action's effects.
  ///
  /// Store it once per ticket. A failed use gives nothing back when its allowance was reset
  /// meanwhile, or when the use was already finished or refunded.
  package func effects(
    ofEnding ticket: UseTicket, succeeded: Bool, now: Instant, in source: some Readable
  ) throws -> [Effect] {
    guard succeeded else {
      return ticket.pendingId.map {
        [.giveBack(use: $0, profile: profileName, feature: ticket.feature)]
      } ?? []
    }
    let profile = try profile(in: source)
    let performed = events(for: profile, ticket.feature, ticket.details).events(
      [.performed], of: LimitRule.recordSuccess(of: ticket.result), at: now,
      results: try results(of: ticket.feature, for: profile, in: source))
    return [ticket.pendingId.map { .endUse(id: $0) }].compactMap(\.self)
      + (try effects(of: performed, by: profile, at: now, in: source))
  }

  /// Gives back the uses of all profiles whose owner died, and returns their number.
  ///
  /// No owner can end its use during the transaction, so a pending use of a dead owner is
  /// abandoned.
  @discardableResult
  package static func refundAbandonedUses(
    in store: Store, isAlive: (_ owner: String) throws -> Bool
  ) throws -> Int {
    guard try !store.read({ try $0.pendingUses() }).isEmpty else { return 0 }
    return try store.write { writer in
      let abandoned = try writer.pendingUses().filter { try !isAlive($0.owner) }
      try writer.apply(
        abandoned.map { .giveBack(use: $0.id, profile: $0.profile, feature: $0.feature) })
      return abandoned.count
    }
  }

  /// The ids of the pending uses of all profiles whose owner died; stores nothing.
  func abandonedUses() throws -> Set<Int64> {
    let uses = try store.read { try $0.pendingUses() }
    return Set(try uses.filter { try !isOwnerAlive($0.owner) }.map(\.id))
  }
}
