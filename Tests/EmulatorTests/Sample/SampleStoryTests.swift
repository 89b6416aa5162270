import Emulator
import Firestore
import Fixtures
import Model
import Testing

@Suite struct SampleStoryTests {
  private static let end = Instant(iso8601: "2026-03-02T00:00:00Z") ?? .morning
  private static let app = SampleApp(
    users: 400, now: end + .seconds(23_400), story: .eventful(until: end))
  private static let events = app.events()
  private static let database = "projects/demo/databases/(default)"

  private func daysAgo(_ event: Event) -> Int {
    Int((Self.end - event.at).components.seconds / 86_400)
  }

  /// A parameter under the name that the event's platform gives it.
  private func value(_ parameter: String, of event: Event) -> EventValue? {
    FeatureEventName(event.name).flatMap { event.parameters["\($0.platform)_\(parameter)"] }
  }

  /// Feature events of some days, by how long they are before the end.
  private func events(_ days: Range<Int>, _ kind: EventKind? = nil) -> [Event] {
    Self.events.filter { event in
      guard days.contains(daysAgo(event)), let name = FeatureEventName(event.name) else {
        return false
      }
      return kind == nil || name.kind == kind
    }
  }

  private func people(_ day: Int) -> Int { Set(events(day..<(day + 1)).map(\.userId)).count }

  @Test func `the same seed makes the same 102 days, and none is beyond its end`() {
    let again = SampleApp(
      users: 400, now: Self.end + .seconds(23_400), story: .eventful(until: Self.end))
    #expect(again.events() == Self.events)
    #expect(again.appFeedback == Self.app.appFeedback)
    #expect(Self.events.allSatisfy { $0.at <= Self.end })
    #expect(Set(Self.events.map(daysAgo)) == Set(0...101).subtracting([15]))
  }

  @Test func `people log moments until a quota refuses one, and a paywall follows`() {
    func named(_ event: MomentEvent) -> [Event] { Self.events.filter { $0.name == event.rawValue } }
    #expect(named(.added).count > 500)
    #expect(named(.refused).map(\.at) == named(.paywallShown).map(\.at))
    let triggers = Dictionary(
      grouping: named(.refused).compactMap { event in
        event.parameters.first { $0.key.hasSuffix("_paywall_trigger") }?.value
      }, by: \.self
    ).mapValues(\.count)
    for trigger in ["daily_limit_reached", "total_limit_reached"] {
      #expect(triggers[.string(trigger), default: 0] >= 20, "\(trigger)")
    }
    func isFree(_ event: Event) -> Bool {
      event.parameters.contains {
        $0.key.hasSuffix("_subscription_status") && $0.value == .string("free")
      }
    }
    func free(
      _ events: [Event], _ trigger: Paywall.Trigger? = nil, _ count: String
    ) -> [Int] {
      events.compactMap { event in
        func value(_ name: String) -> EventValue? {
          event.parameters.first { $0.key.hasSuffix("_\(name)") }?.value
        }
        guard isFree(event),
          case .integer(let number)? = value(count),
          value("paywall_trigger") == trigger.map({ .string($0.rawValue) })
        else { return nil }
        return Int(number)
      }
    }
    #expect(free(named(.added), nil, "moments_today").max() == 2)
    #expect(free(named(.added), nil, "moments_total").max() == 9)
    #expect(Set(free(named(.refused), .dailyLimitReached, "moments_today")) == [3])
    // Who has been a subscriber may have more.
    let subscribers = Set(named(.added).filter { !isFree($0) }.map(\.userId))
    let refused = named(.refused).filter { !subscribers.contains($0.userId) }
    #expect(Set(free(refused, .totalLimitReached, "moments_total")) == [10])
    #expect(free(named(.refused), .totalLimitReached, "moments_total").min() == 10)
    #expect(!named(.tierChanged).isEmpty)
    #expect(Self.events.filter { $0.name.hasPrefix("moment_") }.allSatisfy { !$0.userId.isEmpty })
  }

  @Test func `one day is not exported, and eight hours of another`() {
    #expect(events(15..<16).isEmpty)
    let outage = (Self.end - .seconds(21 * 86_400)) + .seconds(9 * 3_600)
    let silent = outage..<(outage + .seconds(8 * 3_600))
    #expect(!Self.events.contains { silent.contains($0.at) })
    #expect(!events(20..<21).isEmpty)
  }

  @Test func `the limit of refreshes falls from 3 to 2 in the events and the settings`() throws {
    let changed = try #require(Self.app.story.limitChangedAt)
    #expect(changed == Self.end - .seconds(35 * 86_400 - 9 * 3_600))
    for event in Self.events where FeatureEventName(event.name)?.feature == .refresh {
      // Some microseconds of a tap may lie on the other side.
      guard event.at < changed - .seconds(1) || event.at > changed + .seconds(1) else { continue }
      #expect(
        value("usage_limit", of: event) == .integer(event.at < changed ? 3 : 2), "\(event)")
    }
    func limit(_ at: Instant) -> Value? {
      Self.app.settingsDocument(in: Self.database, at: at).fields["freeRefreshLimit"]
    }
    #expect(limit(changed - .seconds(1)) == .integer(3) && limit(changed) == .integer(2))
    #expect(Self.app.documents(in: Self.database).last?.fields["freeRefreshLimit"] == .integer(2))
  }

  @Test func `the bad version comes five days before the end, and its texts name crashes`() {
    func isBad(_ event: Event) -> Bool { event.appVersion == "3.3.0" }
    #expect(Self.events.filter(isBad).allSatisfy { daysAgo($0) < 5 })
    #expect(events(0..<1).filter(isBad).count * 3 > events(0..<1).count)
    let texts = Self.app.appFeedback.filter { $0.appVersion == "3.3.0" }
    #expect(texts.count >= 14 && texts.allSatisfy { $0.stars <= 3 })
    #expect(texts.filter { $0.text.lowercased().contains("crash") }.count >= 10)
  }

  @Test func `people of one country stay away on the last two days`() {
    func share(_ days: Range<Int>) -> Int {
      events(days).filter { $0.country == "India" }.count * 100 / max(1, events(days).count)
    }
    #expect(share(2..<9) >= 5)
    #expect(share(0..<2) == 0)
  }

  @Test func `two prices are shown for four weeks, one before`() {
    func prices(_ days: Range<Int>) -> Set<EventValue> {
      Set(events(days).compactMap { value("subscription_price_displayed", of: $0) })
    }
    #expect(prices(28..<102) == [.string("$2.99/week")])
    #expect(prices(0..<28) == [.string("$2.99/week"), .string("$3.99/week")])
  }

  @Test func `about as many people come each day, some of them new and for a short time`() {
    let usual = (22..<50).map(people)
    let middle = usual.sorted()[14]
    #expect(middle > 30)
    #expect(usual.allSatisfy { (middle * 2 / 3...middle * 3 / 2).contains($0) }, "\(usual)")
    let days = Dictionary(grouping: events(0..<102), by: \.userId)
      .mapValues { Set($0.map(daysAgo)) }
    #expect(days.values.filter { ($0.max() ?? 0) < 80 }.count > 60)
    #expect(days.values.filter { ($0.max() ?? 0) < 80 && ($0.min() ?? 0) > 20 }.count > 20)
  }

  @Test func `whoever comes for the first time is a new user until the free period is over`() {
    func first(_ type: UserType, of events: [Event]) -> Instant? {
      events.first { value("user_type", of: $0) == .string(type.rawValue) }?.at
    }
    var free = 0
    for (user, events) in Dictionary(grouping: events(0..<102), by: \.userId) {
      guard let arrived = first(.newUser, of: events) else { continue }
      let last = first(.newUser, of: events.reversed()) ?? arrived
      #expect(last - arrived < .seconds(6_900), "\(user)")
      guard let later = first(.freeUser, of: events) else { continue }
      #expect(later - arrived >= .seconds(7_200), "\(user)")
      free += 1
    }
    #expect(free > 50)
  }

  @Test func `an account is made before the first use, minutes before that of a new user`() throws {
    let uses = Self.events.filter { FeatureEventName($0.name) != nil }
    let first = Dictionary(uses.map { ($0.userId, $0) }) { first, _ in first }
    /// By whether the user was new; nil for a subscriber.
    var ages: [Bool?: [Duration]] = [:]
    for account in Self.app.accounts() {
      guard case .string(let id)? = account["localId"],
        case .string(let made)? = account["createdAt"],
        let use = first[id]
      else { continue }
      let type = value("user_type", of: use)
      let isNew = type == .string("lite_subscriber") ? nil : type == .string("new_user")
      let milliseconds = try #require(Int64(made))
      ages[isNew, default: []].append(use.at - Instant(microseconds: milliseconds * 1_000))
    }
    let new = try #require(ages[true])
    #expect(new.count > 20 && new.allSatisfy { $0 < .seconds(301) && $0 >= .seconds(300) })
    #expect(try #require(ages[false]).allSatisfy { $0 >= .seconds(7_200) })
    // A subscriber from the first use on came before all that the sample has.
    let subscribed = try #require(ages[nil])
    #expect(subscribed.count > 10 && subscribed.allSatisfy { $0 >= .seconds(200 * 86_400) })
  }

  @Test func `people use both platforms, some without an id, and filter by all criteria`() {
    let uses = events(0..<102)
    let android = uses.count { $0.name.hasPrefix("android_") }
    #expect(android * 10 > uses.count && android * 2 < uses.count)
    #expect(uses.contains { $0.userId.isEmpty } && uses.contains { !$0.userId.isEmpty })
    let filters = events(0..<102, .performed).filter { $0.name.contains("_filter_") }
    for name in ["gender", "country", "language", "criteria", "result_count"] {
      #expect(filters.contains { value("filter_\(name)", of: $0) != nil }, "\(name)")
    }
  }

  @Test func `who subscribes by the newest event has a claim, and nobody else`() {
    var newest: [String: EventValue] = [:]
    for event in Self.events {
      newest[event.userId] = value("user_type", of: event) ?? newest[event.userId]
    }
    let claims = Self.app.accounts().filter { account in
      guard case .string(let id)? = account["localId"], newest[id] != nil else { return false }
      return account["customAttributes"] != nil
    }
    let subscribers = newest.filter { !$0.key.isEmpty && $0.value == .string("lite_subscriber") }
    #expect(claims.count == subscribers.count && claims.count > 10)
  }

  @Test func `earlier accounts are those that were made, with the tiers of then`() throws {
    let uses = Self.events.filter { !$0.userId.isEmpty && FeatureEventName($0.name) != nil }
    func isSubscriber(_ event: Event) -> Bool {
      value("user_type", of: event) == .string("lite_subscriber")
    }
    // The moment of a change, which counts.
    let change = try #require(
      zip(uses, uses.dropFirst()).first { one, next in
        daysAgo(next) == 30 && isSubscriber(next)
          && uses.last { $0.userId == next.userId && $0.at < next.at }.map(isSubscriber) == false
      }?.1)
    let accounts = Self.app.accounts(at: change.at)
    #expect(accounts.count > 50 && accounts.count < Self.app.accounts().count)
    for account in accounts {
      guard case .string(let made)? = account["createdAt"] else { continue }
      #expect(try #require(Int64(made)) * 1_000 <= change.at.microseconds)
    }
    let claims = Set(
      accounts.compactMap { account -> String? in
        guard case .string(let id)? = account["localId"], account["customAttributes"] != nil,
          uses.contains(where: { $0.userId == id })
        else { return nil }
        return id
      })
    let newest = Dictionary(uses.filter { $0.at <= change.at }.map { ($0.userId, $0) }) { $1 }
    // A subscriber from the first use on was one before it.
    let first = Dictionary(uses.map { ($0.userId, $0) }) { first, _ in first }
    let before = first.filter { newest[$0.key] == nil && isSubscriber($0.value) }
    #expect(
      claims == Set(newest.filter { isSubscriber($0.value) }.keys).union(before.keys))
    // Also an hour before it.
    let one = try #require(first.values.filter(isSubscriber).max { $0.at < $1.at })
    let account = try #require(
      Self.app.accounts(at: one.at - .seconds(3_600)).first { $0["localId"] == .string(one.userId) }
    )
    #expect(account["customAttributes"] != nil)
    #expect(claims.contains(change.userId))
    #expect(Self.app.accounts(at: change.at, SampleArrivals(of: Self.events)) == accounts)
  }

  @Test func `an account is there from the moment on which it was made`() throws {
    guard case .string(let made)? = Self.app.accounts().first?["createdAt"],
      let milliseconds = Int64(made)
    else { throw CancellationError() }
    let at = Instant(microseconds: milliseconds * 1_000)
    func ids(_ at: Instant) -> Set<String> {
      Set(
        Self.app.accounts(at: at).compactMap {
          if case .string(let id)? = $0["localId"] { id } else { nil }
        })
    }
    #expect(ids(at + .milliseconds(1)).count == ids(at - .milliseconds(1)).count + 1)
  }
}
