package import Feeds
import FoundationEssentials
package import Model
import Rules
package import Store

/// Takes moments to the service that keeps them, under the quotas of `docs/rules.md#moments`.
package struct MomentCarrier: SingleCarrier {
  private let client: MomentsClient
  private let store: Store

  /// - Parameters:
  ///   - client: speaks to the service.
  ///   - store: where profiles and the quotas they have reached are.
  package init(client: MomentsClient, store: Store) {
    self.client = client
    self.store = store
  }

  package var kind: OutboxItem.Kind { .moment }

  package func wakeParked(at now: Instant, in writer: Writer) throws {
    for item in try ParkedMoments.due(at: now, in: writer) { try writer.retry(id: item.id) }
  }

  package func deliver(
    _ item: OutboxItem, at now: Instant, credentialsKnownGood: Bool, sending: () throws -> Void
  ) async throws -> OutboxFate {
    let moment: Moment
    do {
      moment = try Self.moment(in: item)
    } catch {
      return .rejected(reason: "Its payload is no moment that can be read: \(error)")
    }
    let standing = try store.read { try Standing(of: item.profile, at: now, in: $0) }
    guard let userId = moment.userId ?? standing.profile.userId, !userId.isEmpty else {
      return .held(reason: Self.missingUserId(item.profile))
    }
    var delivery = Delivery(moment: moment, userId: userId, now: now, standing: standing)
    var upload = MomentUpload(
      mayHaveArrived: item.mayHaveArrived, knownLimit: standing.knownLimit)
    var action = upload.start()
    if action == .ask || action == .post { try sending() }
    while true {
      if let fate = delivery.fate(of: action, on: item, isAbsent: upload.isAbsent) { return fate }
      action = upload.on(try await delivery.perform(action, with: client))
    }
  }

  private static func moment(in item: OutboxItem) throws -> Moment {
    let moment = try JSONDecoder().decode(Moment.self, from: Data(item.payload.utf8))
    guard UUID(uuidString: moment.clientId) != nil else {
      throw FeedError.malformed(feed: "The outbox", reason: "the client id is no UUID")
    }
    return moment
  }

  private static func missingUserId(_ profile: String) -> String {
    let option = profile == Profile.defaultName ? "" : " --profile '\(profile)'"
    return "The profile '\(profile)' has no user id, without which the moments service takes "
      + "nothing. Set it with `firetally profile set\(option) --user-id ID`, then run again."
  }
}

extension MomentCarrier {
  /// What is known of a profile when one of its moments is to leave.
  struct Standing {
    let profile: Profile
    let marks: MomentMarks
    let today: LocalDay

    init(of name: String, at now: Instant, in reader: some Readable) throws {
      profile = try reader.profile(named: name) ?? Profile(name: name)
      marks = try reader.momentMarks(profile: name)
      today = LocalDay(of: now, in: profile.timeZone)
    }

    var knownLimit: MomentLimit? {
      MomentQuotaRule.known(tier: profile.tier, marks: marks, today: today)
    }
  }

  /// One attempt, with the last answer that came.
  private struct Delivery {
    let moment: Moment
    let userId: String
    let now: Instant
    let standing: Standing
    private var refusal: MomentRefusal?
    private var error: (any Error)?

    init(moment: Moment, userId: String, now: Instant, standing: Standing) {
      self.moment = moment
      self.userId = userId
      self.now = now
      self.standing = standing
    }

    /// Throws only what ends the run.
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

    /// Nil for an action that needs a request.
    func fate(
      of action: MomentUpload.Action, on item: OutboxItem, isAbsent: Bool
    ) -> OutboxFate? {
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
      OutboxFailure(
        error ?? refusal ?? MomentRefusal(status: 0, code: nil, message: ""),
        retryAfter: refusal?.retryAfter, isAbsent: isAbsent)
    }

    private var reason: String {
      refusal?.description ?? "The moments service does not know what it called a conflict."
    }

    /// A limit that the service has just told is remembered with the item.
    ///
    /// An upgrade that was recorded while the service answered has forgotten the limits and queued
    /// what was parked by then, so the answer of before it parks nothing.
    private func parked(_ item: OutboxItem, _ limit: MomentLimit, isAbsent: Bool) -> OutboxFate {
      let marks =
        refusal?.reachedLimit == nil
        ? standing.marks
        : MomentQuotaRule.marks(
          standing.marks, reaching: limit, of: refusal?.limit, today: standing.today)
      return .parked(
        until: limit == .daily ? standing.today.end : nil,
        reason: MomentQuotaRule.reason(limit, marks: marks), isAbsent: isAbsent,
        storing: { [standing] writer in
          let tier = try writer.profile(named: standing.profile.name)?.tier
          if let tier, tier.isSubscribed, tier != standing.profile.tier {
            return try writer.retry(id: item.id)
          }
          guard marks != standing.marks else { return }
          try writer.setMomentMarks(marks, profile: standing.profile.name)
        })
    }
  }
}
