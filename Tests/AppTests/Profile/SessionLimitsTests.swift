import Jobs
import Model
import Store
import Testing
@testable import App

@Suite("A session's limits")
struct SessionLimitsTests {
  private let now = SessionStore.start

  @Test func `a peek stores nothing, not even the profile`() throws {
    let workspace = try SessionStore()
    let answer = try workspace.session().peek(.refresh, now: now)
    #expect(answer.result.canProceed)
    #expect(answer.popup?.remainingText == "2 left")
    #expect(try workspace.eventNames() == [])
    #expect(try workspace.store.read { try $0.profiles() } == [])
    #expect(try workspace.store.read { try $0.limitStates(profile: "default") } == [:])
  }

  @Test func `the first use makes the profile and counts one`() throws {
    let workspace = try SessionStore()
    let answer = try workspace.session().use(.refresh, now: now)
    #expect(answer.result.currentUsage == 1)
    #expect(try workspace.state() == LimitState(usage: 1))
    #expect(try workspace.store.read { try $0.profiles() } == [Profile()])
    #expect(
      try workspace.eventNames() == [
        "ios_refresh_button_tapped", "ios_refresh_popup_shown", "ios_refresh_performed",
      ])
  }

  @Test
  func `the attempt beyond the limit starts the cooldown, which a later command finds running`()
    throws
  {
    let workspace = try SessionStore()
    for _ in 1...2 { _ = try workspace.session().use(.refresh, now: now) }
    #expect(try workspace.state() == LimitState(usage: 2))
    let blocked = try workspace.session(id: "s2").use(.refresh, now: now)
    #expect(blocked.popup?.timeLeftText == "Time remaining: 2:00")
    #expect(try workspace.state() == LimitState(usage: 2, cooldownStartedAt: now))
    let later = now + .microseconds(500_001)
    let again = try workspace.session(id: "s3").check(.refresh, now: later)
    #expect(again.result.remainingCooldown == .microseconds(119_499_999))
    #expect(
      try workspace.eventNames().suffix(6) == [
        "ios_refresh_button_tapped", "ios_refresh_popup_shown", "ios_refresh_blocked_limit_reached",
        "ios_refresh_button_tapped", "ios_refresh_popup_shown", "ios_refresh_blocked_cooldown",
      ])
  }

  @Test func `features and profiles keep their own counts`() throws {
    let workspace = try SessionStore()
    _ = try workspace.session().use(.refresh, now: now)
    _ = try workspace.session().use(.filter, now: now)
    _ = try workspace.session(profile: "ana").use(.refresh, now: now)
    _ = try workspace.session(profile: "ana", id: "s2").use(.refresh, now: now)
    #expect(try workspace.state(.refresh).usage == 1)
    #expect(try workspace.state(.filter).usage == 1)
    #expect(try workspace.state(.search).usage == 0)
    #expect(try workspace.state(.refresh, profile: "ana").usage == 2)
  }

  @Test func `a subscriber's and a new user's uses are recorded, not counted`() throws {
    let workspace = try SessionStore()
    let session = workspace.session()
    try session.setTier(.plus)
    #expect(try session.use(.refresh, now: now).popup == nil)
    try session.updateProfile {
      $0.tier = .free
      $0.firstAccountCreatedAt = now - .seconds(60)
    }
    #expect(try session.use(.refresh, now: now).result.userType == .newUser)
    #expect(try workspace.state().usage == 0)
    #expect(
      try workspace.eventNames() == [
        "ios_refresh_button_tapped", "ios_refresh_lite_subscriber_bypass", "ios_refresh_performed",
        "ios_refresh_button_tapped", "ios_refresh_new_user_bypass", "ios_refresh_performed",
      ])
  }

  @Test func `the settings in force decide: raising the limit frees at once`() throws {
    let workspace = try SessionStore()
    for _ in 1...3 { _ = try workspace.session().use(.refresh, now: now) }
    let raised = workspace.session(set: [.refreshLimit: "3"])
    #expect(try raised.peek(.refresh, now: now).result.canProceed)
    #expect(try !workspace.session().peek(.refresh, now: now).result.canProceed)
  }
}
