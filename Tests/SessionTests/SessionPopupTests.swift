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
    #expect(
      event.parameters["ios_conversion_funnel_step"]
        == (isSubscription ? .string("subscription_tapped") : nil))
  }

  @Test("an open popup outlives its cooldown: it is available again, and closing it is recorded")
  func afterCooldown() throws {
    let workspace = try Workspace()
    for id in 1...3 { _ = try workspace.session(id: "s\(id)").use(.refresh, now: now) }
    let answer = try workspace.session(id: "s4")
      .tap(.popupDismissed, on: .refresh, now: now + .seconds(119))
    #expect(answer.popup?.remainingText == "2 left")
    #expect(try workspace.events().last?.parameters["ios_current_usage"] == .integer(0))
    #expect(try workspace.state().usage == 2)
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
    #expect(try workspace.session().standing().touchedFeatures == [.refresh, .filter, .search])
    _ = try workspace.session(set: [.messageLimit: "3"]).use(.message, now: now)
    #expect(
      try workspace.session().standing().touchedFeatures == [.refresh, .filter, .search, .message])
  }
}
