import Feeds
import FoundationEssentials
package import Model
package import Store
package import Sync

/// A sender of moments to their service, under the quotas of `docs/moments.md#moments`.
package struct MomentSender: SingleItemSender {
  let client: MomentsClient
  let store: Store

  package var kind: OutboxItem.Kind { .moment }

  package func wakeParked(at now: Instant, in writer: Writer) throws {
    for item in try ParkedMoments.due(at: now, in: writer) { try writer.retry(id: item.id) }
  }

  package func deliver(
    _ item: OutboxItem, at now: Instant, credentialsKnownGood: Bool, sending: () throws -> Void
  ) async throws -> DeliveryOutcome {
    let moment: Moment
    do {
      moment = try Self.moment(in: item)
    } catch {
      return .rejected(reason: "The payload is not a readable moment: \(error)")
    }
    let snapshot = try store.read { try ProfileSnapshot(of: item.profile, at: now, in: $0) }
    guard let userId = moment.userId ?? snapshot.profile.userId, !userId.isEmpty else {
      return .held(reason: Self.missingUserId(item.profile))
    }
    var delivery = Delivery(moment: moment, userId: userId, now: now, snapshot: snapshot)
    var upload = MomentUpload(
      mayHaveArrived: item.mayHaveArrived, knownLimit: snapshot.knownLimit)
    var action = upload.start()
    if action == .ask || action == .post { try sending() }
    while true {
      if let outcome = delivery.outcome(of: action, on: item, isAbsent: upload.isAbsent) {
        return outcome
      }
      action = upload.on(try await delivery.perform(action, with: client))
    }
  }

  private static func moment(in item: OutboxItem) throws -> Moment {
    let moment = try StoredJSON.value(Moment.self, of: item.payload)
    guard UUID(uuidString: moment.clientId) != nil else {
      throw FeedError.malformed(feed: "The outbox", reason: "the client id is no UUID")
    }
    return moment
  }

  private static func missingUserId(_ profile: String) -> String {
    let option = profile == Profile.defaultName ? "" : " --profile '\(profile)'"
    return "The profile '\(profile)' has no user id: the moments service needs one. "
      + "Set it with `firetally profile set\(option) --user-id ID`, then run again."
  }
}

extension MomentSender {
  /// A profile with its quotas at the time when one of its moments is sent.
  struct ProfileSnapshot {
    let profile: Profile
    let reached: ReachedMomentLimits
    let today: LocalDay

    init(of name: String, at now: Instant, in reader: some Readable) throws {
      profile = try reader.profile(named: name) ?? Profile(name: name)
      reached = try reader.reachedMomentLimits(profile: name)
      today = LocalDay(of: now, in: profile.timeZone)
    }

    var knownLimit: MomentLimit? {
      MomentQuotaRule.known(tier: profile.tier, reached: reached, today: today)
    }
  }

  /// One attempt, with the last answer received.
  private struct Delivery {
    let moment: Moment
    let userId: String
    let now: Instant
    let snapshot: ProfileSnapshot
    var refusal: MomentRefusal?
    var error: (any Error)?

    /// Throws only errors that end the run.
    mutating func perform(
      _ action: MomentUpload.Action, with client: MomentsClient
    ) async throws -> MomentUpload.Event {
      do {
        let answer =
          action == .ask
          ? try await client.find(clientId: moment.clientId, userId: userId, now: now)
          : try await client.post(moment, userId: userId, now: now)
        if case .refused(let refusal) = answer { self.refusal = refusal }
        return .answered(answer)
      } catch {
        try Task.checkCancellation()
        self.error = error
        return .failed
      }
    }

    /// Returns the outcome of an action; nil for an action that needs a request.
    func outcome(
      of action: MomentUpload.Action, on item: OutboxItem, isAbsent: Bool
    ) -> DeliveryOutcome? {
      switch action {
      case .ask, .post: nil
      case .deliver(let id): .delivered(remoteName: "moments/\(id ?? moment.clientId)")
      case .park(let limit): parked(item, limit, isAbsent: isAbsent)
      case .retryLater: .retryLater(failure(isAbsent: isAbsent))
      case .stop: .stopped(failure(isAbsent: isAbsent))
      case .reject: .rejected(reason: reason)
      }
    }

    private func failure(isAbsent: Bool) -> OutboxFailure {
      let error = error ?? refusal ?? MomentRefusal(status: 0, code: nil, message: "")
      return OutboxFailure(
        error, retryAfter: refusal?.retryAfter, isAbsent: isAbsent,
        isSilence: FeedError.isSilence(error))
    }

    private var reason: String {
      refusal?.description ?? "The moments service reported a conflict but has no such moment."
    }

    /// Parks the item, and stores a limit that the service has just reported.
    ///
    /// If an upgrade was recorded meanwhile, it has cleared the limits and queued the parked items;
    /// then the service's older answer parks nothing.
    private func parked(_ item: OutboxItem, _ limit: MomentLimit, isAbsent: Bool) -> DeliveryOutcome
    {
      let reached =
        refusal?.reachedLimit == nil
        ? snapshot.reached
        : MomentQuotaRule.reached(
          snapshot.reached, reaching: limit, of: refusal?.limit, message: refusal?.message,
          today: snapshot.today)
      return .parked(
        until: limit == .daily ? snapshot.today.end : nil,
        reason: MomentQuotaRule.reason(limit, reached: reached), isAbsent: isAbsent,
        storing: { [snapshot] writer in
          let tier = try writer.profile(named: snapshot.profile.name)?.tier
          if let tier, tier.isSubscribed, tier != snapshot.profile.tier {
            return try writer.retry(id: item.id)
          }
          guard reached != snapshot.reached else { return }
          try writer.setReachedMomentLimits(reached, profile: snapshot.profile.name)
        })
    }
  }
}

/// Moments that wait for another day, parked because of the service's daily limit.
package enum ParkedMoments {
  /// Returns the parked moments that are due, oldest first.
  ///
  /// A moment is due when the profile's calendar shows another day than that of the reached limit,
  /// also because of a move to another time zone. Moments that wait for an upgrade are not
  /// included.
  package static func due(at now: Instant, in reader: some Readable) throws -> [OutboxItem] {
    let parked = try reader.outboxItems(in: [.parked], kind: .moment, limit: .max)
      .filter { $0.nextAttemptAt != nil }.reversed()
    var isDayOver: [String: Bool] = [:]
    return try parked.filter { item in
      if let until = item.nextAttemptAt, until <= now { return true }
      if let isOver = isDayOver[item.profile] { return isOver }
      let snapshot = try MomentSender.ProfileSnapshot(of: item.profile, at: now, in: reader)
      let isOver = snapshot.reached.dailyLimitDay != snapshot.today.text
      isDayOver[item.profile] = isOver
      return isOver
    }
  }
}
