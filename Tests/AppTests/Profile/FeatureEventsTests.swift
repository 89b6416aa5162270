import Jobs
import Model
import Store
import Testing
@testable import App

@Suite("Events of a session")
struct FeatureEventsTests {
  private let now = SessionStore.start

  @Test func `an event tells who, with what allowance, how far, and from where`() throws {
    let workspace = try SessionStore()
    let session = workspace.session(price: "$2.99/week")
    try session.updateProfile {
      $0.userId = "me-1"
      $0.appVersion = "1.4.0"
      $0.country = "Spain"
    }
    _ = try session.check(.refresh, now: now)
    let event = try #require(workspace.events().first { $0.name == "ios_refresh_popup_shown" })
    #expect(event.at == now)
    #expect(event.userId == "me-1")
    #expect(event.country == "Spain")
    #expect(event.appVersion == "1.4.0")
    #expect(
      event.parameters == [
        "ios_user_id": .string("me-1"), "ios_user_type": .string("free_user"),
        "ios_subscription_status": .string("free"), "ios_is_anonymous": .integer(0),
        "ios_current_usage": .integer(0), "ios_usage_limit": .integer(2),
        "ios_remaining_cooldown_seconds": .integer(0),
        "ios_popup_trigger_reason": .string("available"),
        "ios_conversion_funnel_step": .string("popup_shown"),
        "ios_subscription_price_displayed": .string("$2.99/week"),
        "ios_session_id": .string("s1"), "ios_session_event_number": .integer(2),
        "ios_session_refresh_count": .integer(0), "ios_platform": .string("ios"),
        "ios_app_version": .string("1.4.0"),
        "ios_timestamp": .integer(1_769_846_400),
      ])
  }

  @Test
  func `a price that is shown is an event of its own; the profile's outranks the workspace's`()
    throws
  {
    let workspace = try SessionStore()
    let session = workspace.session(price: "$2.99/week")
    try session.updateProfile { $0.price = "2,49 €" }
    #expect(try session.check(.refresh, now: now).popup?.price == "2,49 €")
    let events = try workspace.events()
    #expect(
      events.map(\.name) == [
        "ios_refresh_button_tapped", "ios_refresh_popup_shown", "ios_refresh_pricing_displayed",
      ])
    #expect(events.last?.parameters["ios_subscription_price_displayed"] == .string("2,49 €"))
    #expect(events.first?.parameters["ios_subscription_price_displayed"] == nil)
  }

  @Test
  func `the reason of a popup follows the state: available, limit reached, cooldown active`() throws
  {
    let workspace = try SessionStore()
    let session = workspace.session(set: [.refreshLimit: "1"])
    _ = try session.use(.refresh, now: now)
    _ = try session.check(.refresh, now: now)
    _ = try session.check(.refresh, now: now + .milliseconds(1_500))
    let popups = try workspace.events().filter { $0.name == "ios_refresh_popup_shown" }
    #expect(
      popups.map { $0.parameters["ios_popup_trigger_reason"] } == [
        .string("available"), .string("limit_reached"), .string("cooldown_active"),
      ])
    #expect(
      popups.map { $0.parameters["ios_remaining_cooldown_seconds"] } == [
        .integer(0), .integer(120), .integer(119),
      ])
  }

  @Test
  func `the first account's time is unix seconds, whole or not, and missing when it is unknown`()
    throws
  {
    let workspace = try SessionStore()
    let session = workspace.session()
    let times: [Instant?] = [nil, now, now + .microseconds(250_001)]
    for time in times {
      try session.updateProfile { $0.firstAccountCreatedAt = time }
      _ = try session.check(.refresh, now: now)
    }
    let taps = try workspace.events().filter { $0.name == "ios_refresh_button_tapped" }
    #expect(
      taps.map { $0.parameters["ios_first_account_created_at"] } == [
        nil, .integer(1_769_846_400), .double(1_769_846_400.250001),
      ])
  }

  @Test
  func `the session counts what it performed of each feature, and nothing that was blocked`() throws
  {
    let workspace = try SessionStore()
    let session = workspace.session(set: [.refreshLimit: "1"])
    _ = try session.use(.refresh, now: now)
    _ = try session.use(.filter, now: now)
    _ = try session.use(.refresh, now: now)
    _ = try workspace.session(id: "s2").check(.refresh, now: now + .seconds(1_920))
    let counts = try workspace.events().map { event in
      event.parameters["ios_session_refresh_count"] ?? event.parameters["ios_session_filter_count"]
    }
    // The last of three at once is blocked; its cooldown's end still belongs to the session.
    let expected: [Int64] = [0, 0, 1, 0, 0, 1, 1, 1, 1, 1, 1, 0]
    #expect(counts == expected.map(EventValue.integer))
  }

  @Test func `equal uses at one instant stay apart, in one session and in two`() throws {
    let workspace = try SessionStore()
    let session = workspace.session()
    try session.setTier(.pro)
    for _ in 1...3 { _ = try session.use(.search, now: now) }
    let other = workspace.session(id: "s2")
    _ = try other.use(.search, now: now)
    #expect(try workspace.events().count == 12)
  }

  @Test
  func `details of the action become parameters and never replace the session's own`() throws {
    let workspace = try SessionStore()
    let details: [String: EventValue] = [
      "filter_country": .string("Spain"), "user_type": .string("nobody"),
    ]
    _ = try workspace.session().use(.filter, now: now, details: details)
    for event in try workspace.events() {
      #expect(event.parameters["ios_filter_country"] == .string("Spain"))
      #expect(event.parameters["ios_user_type"] == .string("free_user"))
    }
  }
}
