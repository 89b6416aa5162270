package import Model
import Synchronization

/// The moments of the moments service, under the quotas of their users.
///
/// Days are calendar days in a moment's time zone, by the server's clock.
package final class MomentStore: Sendable {
  package struct StoredMoment: Hashable, Sendable {
    package var id: String
    package var moment: Moment
    package var receivedAt: Instant
  }

  enum AddResult: Hashable, Sendable {
    case added(StoredMoment)
    /// Stored before under the same client id.
    case known(StoredMoment)
    case refused(MomentLimit, allowed: Int, isPremium: Bool)
  }

  private struct State {
    var entries: [StoredMoment] = []
    var premiumUsers: Set<String> = []
    var quotas = MomentAllowance.builtIn

    @discardableResult
    mutating func keep(_ moment: Moment, at instant: Instant) -> StoredMoment {
      let entry = StoredMoment(
        id: "moment-\(entries.count + 1)", moment: moment, receivedAt: instant)
      entries.append(entry)
      return entry
    }
  }

  private let clock: @Sendable () -> Instant
  private let state = Mutex(State())

  init(clock: @escaping @Sendable () -> Instant) {
    self.clock = clock
  }

  /// All moments, in order of arrival.
  package var entries: [StoredMoment] { state.withLock { $0.entries } }

  package func setPremium(_ isPremium: Bool, userId: String) {
    state.withLock { state in
      if isPremium {
        state.premiumUsers.insert(userId)
      } else {
        state.premiumUsers.remove(userId)
      }
    }
  }

  /// Sets the quotas of all users, also after the server has begun to listen.
  package func setQuotas(_ quotas: MomentAllowance) { state.withLock { $0.quotas = quotas } }

  /// Adds moments submitted earlier, regardless of the quotas.
  package func seed(_ moments: [Moment]) {
    state.withLock { state in
      for moment in moments { state.keep(moment, at: moment.submittedAt) }
    }
  }

  /// Adds the user's moment unless a quota is used up; checks the total before the day.
  func add(_ moment: Moment, of userId: String) -> AddResult {
    let now = clock()
    return state.withLock { state in
      let own = state.entries.filter { $0.moment.userId == userId }
      if let known = own.first(where: { $0.moment.clientId == moment.clientId }) {
        return .known(known)
      }
      let isPremium = state.premiumUsers.contains(userId)
      if let refusal = Self.refusal(of: own, tz: moment.tz, isPremium, state.quotas, now) {
        return refusal
      }
      var moment = moment
      moment.userId = userId
      return .added(state.keep(moment, at: now))
    }
  }

  func entry(of userId: String, where matches: (StoredMoment) -> Bool) -> StoredMoment? {
    entries.first { $0.moment.userId == userId && matches($0) }
  }

  private static func refusal(
    of own: [StoredMoment], tz: String, _ isPremium: Bool, _ quotas: MomentAllowance, _ now: Instant
  ) -> AddResult? {
    if !isPremium, own.count >= quotas.freeTotal {
      return .refused(.total, allowed: quotas.freeTotal, isPremium: false)
    }
    let today = LocalDay(of: now, in: tz)
    let perDay = isPremium ? quotas.premiumPerDay : quotas.freePerDay
    let isToday = { (entry: StoredMoment) in
      today.start <= entry.receivedAt && entry.receivedAt < today.end
    }
    guard own.count(where: isToday) >= perDay else { return nil }
    return .refused(.daily, allowed: perDay, isPremium: isPremium)
  }
}
