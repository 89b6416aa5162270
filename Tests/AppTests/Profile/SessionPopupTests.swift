import App
import Model
import Store
import Testing

@Suite("A session's open popup")
struct SessionPopupTests {
  private let now = SessionStore.start

  @Test(arguments: [EventKind.popupDismissed, .subscriptionButtonTapped])
  func `a tap is one event with the popup's price and reason, and changes no state`(kind: EventKind)
    throws
  {
    let workspace = try SessionStore()
    let limit: [SettingKey: String] = [.refreshLimit: "1"]
    for id in ["a", "b"] { _ = try workspace.session(set: limit, id: id).use(.refresh, now: now) }
    let before = try workspace.state()
    let count = try workspace.events().count
    let later = now + .seconds(5)
    try workspace.store.write {
      try $0.setPopupShownAt(nil, profile: "default", feature: .refresh)
    }
    let answer = try workspace.session(set: limit, price: "$1", id: "c")
      .tap(kind, on: .refresh, now: later)
    #expect(answer.popup?.timeLeftText == "Time remaining: 1:55")
    #expect(try workspace.state() == before)
    let events = try workspace.events()
    #expect(events.count == count + 1)
    let event = try #require(events.last)
    #expect(event.name == "ios_refresh_\(kind.rawValue)")
    #expect(event.parameters["ios_popup_trigger_reason"] == .string("cooldown_active"))
    #expect(event.parameters["ios_remaining_cooldown_seconds"] == .integer(115))
    let isSubscription = kind == .subscriptionButtonTapped
    #expect(
      event.parameters["ios_subscription_price_displayed"] == (isSubscription ? .string("$1") : nil)
    )
    #expect(event.parameters["ios_conversion_funnel_step"] == .string(kind.funnelStep))
  }

  @Test
  func `an open popup outlives its cooldown: it is available again, and closing it is recorded`()
    throws
  {
    let workspace = try SessionStore()
    for id in 1...3 { _ = try workspace.session(id: "s\(id)").use(.refresh, now: now) }
    let answer = try workspace.session(id: "s4")
      .tap(.popupDismissed, on: .refresh, now: now + .seconds(119))
    #expect(answer.popup?.remainingText == "2 left")
    #expect(try workspace.state() == LimitState(isFresh: true))
    let events = try workspace.events().suffix(3)
    #expect(
      events.map(\.name) == [
        "ios_refresh_popup_dismissed", "ios_refresh_limit_reset", "ios_refresh_cooldown_completed",
      ])
    #expect(
      events.map { $0.parameters["ios_current_usage"] } == [2, 0, 0].map { .integer($0) })
    #expect(events.first?.parameters["ios_popup_seconds"] == .integer(119))
  }

  @Test(arguments: [("60", 1), ("59", 0)])
  func `a shortened cooldown closes the popups that were shown by its end, and no later one`(
    cooldown: String, count: Int
  ) throws {
    let workspace = try SessionStore()
    for id in 1...3 { _ = try workspace.session(id: "s\(id)").use(.refresh, now: now) }
    _ = try workspace.session(id: "s4").check(.refresh, now: now + .seconds(60))
    let set: [SettingKey: String] = [.refreshCooldown: cooldown]
    _ = try workspace.session(set: set, id: "s5").expireCooldowns(now: now + .seconds(200))
    let closed = try workspace.events().filter {
      $0.parameters["ios_dismiss_reason"] == .string("expired")
    }
    #expect(
      closed.map { $0.parameters["ios_popup_seconds"] }
        == Array(repeating: .integer(0), count: count))
  }

  @Test(arguments: [EventKind.popupDismissed, .subscriptionButtonTapped], [119, 120, 121])
  func `a tap after the end comes after it, a tap in its last second before it`(
    kind: EventKind, seconds: Int
  ) throws {
    let workspace = try SessionStore()
    for _ in 1...3 { _ = try workspace.session().use(.refresh, now: now) }
    let count = try workspace.events().count
    let at = now + .seconds(seconds)
    _ = try workspace.session().tap(kind, on: .refresh, now: at)
    let events = Array(try workspace.events().dropFirst(count))
    let (tapped, closed) = (["ios_refresh_\(kind.rawValue)"], ["ios_refresh_popup_dismissed"])
    let ends = ["ios_refresh_limit_reset", "ios_refresh_cooldown_completed"]
    let isAfter = seconds > 120
    // The end has closed the popup that was open.
    let taps = isAfter || kind == .popupDismissed ? tapped : tapped + closed
    #expect(events.map(\.name) == (isAfter ? closed + ends + taps : taps + ends))
    let usages: [Int64] = isAfter ? [2, 0, 0, 0] : taps.map { _ in 2 } + [0, 0]
    #expect(events.map { $0.parameters["ios_current_usage"] } == usages.map { .integer($0) })
    let open = "cooldown_active"
    let reasons: [String?] =
      isAfter ? [open, nil, nil, "available"] : taps.map { _ in open } + [nil, nil]
    #expect(
      events.map { $0.parameters["ios_popup_trigger_reason"] }
        == reasons.map { $0.map { .string($0) } })
  }

  @Test
  func `the end of a countdown leaves the same events whoever sees it, and leaves them once`()
    throws
  {
    let later = now + .seconds(400)
    let firsts: [(ProfileSession) throws -> Void] = [
      { _ = try $0.expireCooldowns(now: self.now + .seconds(120)) },
      { _ = try $0.expireCooldowns(now: later) },
      { _ = try $0.tap(.popupDismissed, on: .refresh, now: later, reason: .expired) },
      { _ = try $0.tap(.popupDismissed, on: .refresh, now: now + .seconds(120), reason: .expired) },
      { _ = try $0.use(.refresh, now: later) }, { _ = try $0.check(.refresh, now: later) },
      { _ = try $0.tap(.popupDismissed, on: .refresh, now: later) },
      { _ = try $0.tap(.subscriptionButtonTapped, on: .refresh, now: later) },
    ]
    let ledgers = try firsts.map { first in
      let workspace = try SessionStore()
      for _ in 1...3 { _ = try workspace.session().use(.refresh, now: now) }
      try first(workspace.session())
      _ = try workspace.session().tap(
        .popupDismissed, on: .refresh, now: later, reason: .expired)
      _ = try workspace.session().expireCooldowns(now: later)
      return try workspace.events().filter { $0.at < later }
    }
    #expect(Set(ledgers).count == 1)
    let end = try #require(ledgers.first).suffix(3)
    #expect(
      end.map(\.name) == [
        "ios_refresh_popup_dismissed", "ios_refresh_limit_reset", "ios_refresh_cooldown_completed",
      ])
    #expect(end.allSatisfy { $0.at == now + .seconds(120) })
    #expect(end.first?.parameters["ios_dismiss_reason"] == .string("expired"))
  }

  /// The reason and the seconds of every `popup_dismissed`, in order.
  private func closings(_ workspace: SessionStore) throws -> [String] {
    try workspace.events().filter { $0.name.hasSuffix("popup_dismissed") }.map {
      "\($0.parameters["ios_dismiss_reason"] ?? .string("")) "
        + "\($0.parameters["ios_popup_seconds"] ?? .string("unknown"))"
    }
  }

  private func closing(_ reason: DismissReason, _ seconds: Int64) -> String {
    "\(EventValue.string(reason.rawValue)) \(EventValue.integer(seconds))"
  }

  @Test
  func `a popup's end says why and after how many whole seconds, whichever command comes next`()
    throws
  {
    let workspace = try SessionStore()
    let session = workspace.session()
    _ = try session.check(.refresh, now: now)
    _ = try session.tap(.popupDismissed, on: .refresh, now: now + .milliseconds(7_999))
    _ = try session.check(.refresh, now: now + .seconds(10))
    _ = try session.tap(.subscriptionButtonTapped, on: .refresh, now: now + .seconds(13))
    _ = try session.check(.refresh, now: now + .seconds(20))
    _ = try session.use(.refresh, now: now + .seconds(24))
    _ = try session.use(.refresh, now: now + .seconds(25))
    _ = try session.use(.refresh, now: now + .seconds(30))
    _ = try session.expireCooldowns(now: now + .seconds(400))
    #expect(
      try closings(workspace) == [
        closing(.dismissed, 7), closing(.subscribe, 3), closing(.action, 4), closing(.expired, 120),
      ])
    let last = try #require(
      try workspace.events().last { $0.name == "ios_refresh_popup_dismissed" })
    #expect(last.at == now + .seconds(150))
    #expect(last.parameters["ios_current_usage"] == .integer(2))
    #expect(last.parameters["ios_popup_trigger_reason"] == .string("cooldown_active"))
  }

  @Test(arguments: [(1_799_999, 1), (1_800_000, 0)] as [(Int64, Int)])
  func `a popup that was left open for 30 minutes is not closed by the next use`(
    milliseconds: Int64, count: Int
  ) throws {
    let workspace = try SessionStore()
    _ = try workspace.session().check(.refresh, now: now)
    _ = try workspace.session().use(.refresh, now: now + .milliseconds(milliseconds))
    #expect(try closings(workspace).count == count)
  }

  @Test
  func `a popup is closed once: by a use, not again by a dismissal of nobody knows which`() throws {
    let workspace = try SessionStore()
    let session = workspace.session()
    _ = try session.check(.refresh, now: now)
    _ = try session.use(.refresh, now: now + .seconds(2))
    _ = try session.tap(.popupDismissed, on: .refresh, now: now + .seconds(9))
    _ = try session.tap(.subscriptionButtonTapped, on: .refresh, now: now + .seconds(9))
    #expect(try closings(workspace).count == 2)
    #expect(
      try workspace.events().last { $0.name == "ios_refresh_popup_dismissed" }?
        .parameters["ios_popup_seconds"] == nil)
  }

  @Test
  func `who is shown no popup can close none: subscriber, new user, a feature without a limit`()
    throws
  {
    let workspace = try SessionStore()
    let session = workspace.session()
    #expect(try session.tap(.popupDismissed, on: .message, now: now).popup == nil)
    try session.updateProfile { $0.firstAccountCreatedAt = now }
    #expect(try session.tap(.popupDismissed, on: .refresh, now: now).popup == nil)
    try session.setTier(.lite)
    #expect(try session.tap(.subscriptionButtonTapped, on: .refresh, now: now).popup == nil)
    #expect(try workspace.events() == [])
  }

  @Test
  func `the features to reset are those that are limited, or were used when they were`() throws {
    let workspace = try SessionStore()
    #expect(
      try workspace.session().limitSnapshot().touchedFeatures == [.refresh, .filter, .search])
    _ = try workspace.session(set: [.messageLimit: "3"]).use(.message, now: now)
    #expect(
      try workspace.session().limitSnapshot().touchedFeatures == [
        .refresh, .filter, .search, .message,
      ])
  }
}
