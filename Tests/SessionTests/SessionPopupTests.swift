import Model
import Rules
import Session
import Store
import Testing

@Suite("A session's open popup")
struct SessionPopupTests {
  private let now = Workspace.start

  @Test(
    "a tap is one event with the popup's price and reason, and changes no state",
    arguments: [EventKind.popupDismissed, .subscriptionButtonTapped])
  func tap(kind: EventKind) throws {
    let workspace = try Workspace()
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

  @Test("an open popup outlives its cooldown: it is available again, and closing it is recorded")
  func afterCooldown() throws {
    let workspace = try Workspace()
    for id in 1...3 { _ = try workspace.session(id: "s\(id)").use(.refresh, now: now) }
    let answer = try workspace.session(id: "s4")
      .tap(.popupDismissed, on: .refresh, now: now + .seconds(119))
    #expect(answer.popup?.remainingText == "2 left")
    #expect(try workspace.events().last?.parameters["ios_current_usage"] == .integer(0))
    #expect(try workspace.state() == LimitState(isFresh: true))
    let events = try workspace.events().suffix(3)
    #expect(
      events.map(\.name) == [
        "ios_refresh_limit_reset", "ios_refresh_cooldown_completed", "ios_refresh_popup_dismissed",
      ])
    #expect(events.last?.parameters["ios_popup_seconds"] == .integer(119))
  }

  /// The reason and the seconds of every `popup_dismissed`, in order.
  private func closings(_ workspace: Workspace) throws -> [String] {
    try workspace.events().filter { $0.name.hasSuffix("popup_dismissed") }.map {
      "\($0.parameters["ios_dismiss_reason"] ?? .string("")) "
        + "\($0.parameters["ios_popup_seconds"] ?? .string("unknown"))"
    }
  }

  private func closing(_ reason: DismissReason, _ seconds: Int64) -> String {
    "\(EventValue.string(reason.rawValue)) \(EventValue.integer(seconds))"
  }

  @Test("a popup's end says why and after how many whole seconds, whichever command comes next")
  func reasons() throws {
    let workspace = try Workspace()
    let session = workspace.session()
    _ = try session.check(.refresh, now: now)
    _ = try session.tap(.popupDismissed, on: .refresh, now: now + .milliseconds(7_999))
    _ = try session.check(.refresh, now: now + .seconds(10))
    _ = try session.tap(.subscriptionButtonTapped, on: .refresh, now: now + .seconds(13))
    _ = try session.check(.refresh, now: now + .seconds(20))
    _ = try session.use(.refresh, now: now + .seconds(24))
    _ = try session.use(.refresh, now: now + .seconds(25))
    _ = try session.use(.refresh, now: now + .seconds(30))
    _ = try session.settle(now: now + .seconds(400))
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

  @Test(
    "a popup that was left open for 30 minutes is not closed by the next use",
    arguments: [(1_799_999, 1), (1_800_000, 0)] as [(Int64, Int)])
  func forgotten(milliseconds: Int64, count: Int) throws {
    let workspace = try Workspace()
    _ = try workspace.session().check(.refresh, now: now)
    _ = try workspace.session().use(.refresh, now: now + .milliseconds(milliseconds))
    #expect(try closings(workspace).count == count)
  }

  @Test("a popup is closed once: by a use, not again by a dismissal of nobody knows which")
  func closedOnce() throws {
    let workspace = try Workspace()
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

  @Test("who is shown no popup can close none: subscriber, new user, a feature without a limit")
  func noPopup() throws {
    let workspace = try Workspace()
    let session = workspace.session()
    #expect(try session.tap(.popupDismissed, on: .message, now: now).popup == nil)
    try session.updateProfile { $0.firstAccountCreatedAt = now }
    #expect(try session.tap(.popupDismissed, on: .refresh, now: now).popup == nil)
    try session.setTier(.lite)
    #expect(try session.tap(.subscriptionButtonTapped, on: .refresh, now: now).popup == nil)
    #expect(try workspace.events() == [])
  }

  @Test("the features to reset are those that are limited, or were used when they were")
  func touched() throws {
    let workspace = try Workspace()
    #expect(
      try workspace.session().limitSnapshot().touchedFeatures == [.refresh, .filter, .search])
    _ = try workspace.session(set: [.messageLimit: "3"]).use(.message, now: now)
    #expect(
      try workspace.session().limitSnapshot().touchedFeatures == [
        .refresh, .filter, .search, .message,
      ])
  }
}
