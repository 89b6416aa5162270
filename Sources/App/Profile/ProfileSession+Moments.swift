package import Model
import Store

package enum MomentResult: Hashable, Sendable {
  case queued(Moment, outboxId: Int64)
  /// A reached limit forbids it; only events were stored.
  case blocked(Paywall)
  /// Nothing was stored; a sentence says why.
  case refused(String)
}

extension ProfileSession {
  /// Queues a moment for delivery, unless a limit is known to be reached.
  ///
  /// The text is stored without the white space around it. `clientId` is a new UUID, and `timeAgo`
  /// the seconds since the success.
  ///
  /// - Throws: `StoreError`; then nothing was stored.
  package func addMoment(
    _ written: String, clientId: String, timeAgo: Int = 0, now: Instant
  ) throws -> MomentResult {
    let text: String
    switch TextRule.moment.check(written) {
    case .refused(let problem): return .refused(problem)
    case .accepted(let trimmed): text = trimmed
    }
    return try store.write { writer in
      let profile = try updateProfile(in: writer) { _ in }
      let snapshot = try momentSnapshot(of: profile, now: now, in: writer)
      guard snapshot.block == nil else {
        let events = [MomentEvent.refused, .paywallShown].map {
          event($0, of: profile, snapshot, now)
        }
        try append(events, of: profile, now: now, in: writer)
        return .blocked(snapshot.paywall())
      }
      let moment = Moment(
        clientId: clientId, text: text, submittedAt: now, tz: profile.timeZone, timeAgo: timeAgo,
        userId: profile.userId)
      let id = try writer.enqueue(
        .moment, profile: profileName, payload: try StoredJSON.text(of: moment), at: now)
      try append([event(.added, of: profile, snapshot, now)], of: profile, now: now, in: writer)
      return .queued(moment, outboxId: id)
    }
  }

  /// The profile's moments and quotas at `now`.
  package func momentSnapshot(now: Instant) throws -> MomentSnapshot {
    try store.read { try momentSnapshot(of: try profile(in: $0), now: now, in: $0) }
  }

  /// The same inside the caller's transaction or snapshot.
  func momentSnapshot(
    of profile: Profile, now: Instant, in source: some Readable
  ) throws -> MomentSnapshot {
    let today = LocalDay(of: now, in: profile.timeZone)
    return MomentSnapshot(
      tier: profile.tier, today: today,
      countToday: try source.momentsCount(profile: profileName, from: today.start, to: today.end),
      countTotal: try source.momentsCount(profile: profileName),
      allowance: MomentAllowance(settings),
      reached: try source.reachedMomentLimits(profile: profileName),
      isTimelineRestricted: profile.isTimelineRestricted)
  }
}
