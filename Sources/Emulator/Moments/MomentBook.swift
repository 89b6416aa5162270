package import Model
import Synchronization

/// The moments that the server keeps, under the quotas of their users.
///
/// A day is one of the calendar in the time zone that a moment names, by the server's clock.
package final class MomentBook: Sendable {
  /// How many moments the server takes; the numbers of `docs/rules.md#moments`.
  package struct Quotas: Hashable, Sendable {
    package var freePerDay = 3
    package var premiumPerDay = 10
    package var freeTotal = 10

    package init() {}
  }

  /// A moment that was taken.
  package struct Entry: Hashable, Sendable {
    package var id: String
    package var moment: Moment
    package var receivedAt: Instant
  }

  enum Outcome: Hashable, Sendable {
    case taken(Entry)
    /// Taken before, under the same client id.
    case known(Entry)
    case refused(MomentLimit, allowed: Int, isPremium: Bool)
  }

  private struct State {
    var entries: [Entry] = []
    var premiumUsers: Set<String> = []
    var quotas = Quotas()

    @discardableResult
    mutating func keep(_ moment: Moment, at instant: Instant) -> Entry {
      let entry = Entry(id: "moment-\(entries.count + 1)", moment: moment, receivedAt: instant)
      entries.append(entry)
      return entry
    }
  }

  private let clock: @Sendable () -> Instant
  private let state = Mutex(State())

  init(clock: @escaping @Sendable () -> Instant) {
    self.clock = clock
  }

  /// In the order in which they were taken.
  package var entries: [Entry] { state.withLock { $0.entries } }

  /// Whether the server takes the user for a subscriber.
  package func setPremium(_ isPremium: Bool, userId: String) {
    state.withLock { state in
      if isPremium {
        state.premiumUsers.insert(userId)
      } else {
        state.premiumUsers.remove(userId)
      }
    }
  }

  package func setQuotas(_ quotas: Quotas) { state.withLock { $0.quotas = quotas } }

  /// Keeps moments that their users submitted earlier, whatever the quotas say.
  package func seed(_ moments: [Moment]) {
    state.withLock { state in
      for moment in moments { state.keep(moment, at: moment.submittedAt) }
    }
  }

  /// Takes the moment of `userId`, unless a quota is used up; the total comes before the day.
  func add(_ moment: Moment, of userId: String) -> Outcome {
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
      return .taken(state.keep(moment, at: now))
    }
  }

  /// The user's moment for which `matches` holds.
  func entry(of userId: String, where matches: (Entry) -> Bool) -> Entry? {
    entries.first { $0.moment.userId == userId && matches($0) }
  }

  private static func refusal(
    of own: [Entry], tz: String, _ isPremium: Bool, _ quotas: Quotas, _ now: Instant
  ) -> Outcome? {
    if !isPremium, own.count >= quotas.freeTotal {
      return .refused(.total, allowed: quotas.freeTotal, isPremium: false)
    }
    let today = LocalDay(of: now, in: tz)
    let perDay = isPremium ? quotas.premiumPerDay : quotas.freePerDay
    let isToday = { (entry: Entry) in
      today.start <= entry.receivedAt && entry.receivedAt < today.end
    }
    guard own.count(where: isToday) >= perDay else { return nil }
    return .refused(.daily, allowed: perDay, isPremium: isPremium)
  }
}
