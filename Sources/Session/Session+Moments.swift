import FoundationEssentials
package import Model
package import Rules
import Store

extension Session {
  /// Queues a moment for delivery, unless a limit is known to be reached.
  ///
  /// - Parameters:
  ///   - text: what the user writes; stored without the white space around it.
  ///   - clientId: a new UUID.
  ///   - timeAgo: seconds since it happened.
  ///   - now: when it is submitted.
  /// - Returns: the queued moment, or why there is none.
  /// - Throws: `StoreError`; then nothing was stored.
  package func addMoment(
    _ text: String, clientId: String, timeAgo: Int = 0, now: Instant
  ) throws -> MomentAnswer {
    let verdict = MomentTextRule.judge(text)
    guard case .accepted(let text) = verdict else { return .refused(verdict) }
    return try store.write { writer in
      let profile = try updateProfile(in: writer) { _ in }
      let decision = try paywall(of: profile, now: now, in: writer)
      guard !decision.shouldShow else {
        return .blocked(Paywall(decision.trigger, allowance: MomentAllowance(settings)))
      }
      let moment = Moment(
        clientId: clientId, text: text, submittedAt: now, tz: profile.timeZone, timeAgo: timeAgo,
        userId: profile.userId)
      let id = try writer.enqueue(
        .moment, profile: profileName, payload: try Self.payload(moment), at: now)
      return .queued(moment, outboxId: id)
    }
  }

  /// Where the profile stands with its moments at `now`.
  package func momentStanding(now: Instant) throws -> MomentStanding {
    try store.read { reader in
      let profile = try profile(in: reader)
      let today = LocalDay(of: now, in: profile.timeZone)
      return MomentStanding(
        tier: profile.tier, today: today,
        countToday: try reader.momentsCount(
          profile: profileName, from: today.start, to: today.end),
        countTotal: try reader.momentsCount(profile: profileName),
        allowance: MomentAllowance(settings),
        marks: try reader.momentMarks(profile: profileName))
    }
  }

  private func paywall(
    of profile: Profile, now: Instant, in source: some Readable
  ) throws -> PaywallRule.Decision {
    PaywallRule.decide(
      tier: profile.tier, marks: try source.momentMarks(profile: profileName),
      today: LocalDay(of: now, in: profile.timeZone))
  }

  /// The moment as the outbox keeps it: JSON with sorted keys.
  private static func payload(_ moment: Moment) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(moment), as: UTF8.self)
  }
}
