import App
import Model
import Store
import Testing

/// The flows of the app's own document on refresh limits, each attempt a session of its own, as a
/// command is.
@Suite("The refresh flows of sessions")
struct RefreshFlowTests {
  private let workspace: SessionStore
  private let start = SessionStore.start

  init() throws {
    workspace = try SessionStore()
  }

  private func session(
    _ attempt: Int, limit: Int = 2, _ more: [SettingKey: String] = [:]
  ) -> ProfileSession {
    workspace.session(
      set: more.merging([.refreshLimit: String(limit)]) { $1 }, id: "visit-\(attempt)")
  }

  /// The events that the work adds, by their short names.
  private func kinds(of work: () throws -> Void) throws -> [EventKind] {
    let before = Set(try workspace.events())
    try work()
    return try workspace.events().filter { !before.contains($0) }
      .compactMap { FeatureEventName($0.name)?.kind }
  }

  @Test(arguments: [2, 5])
  func `as many uses as the limit, the countdown, and as many again`(limit: Int) throws {
    for attempt in 1...limit {
      let popup = try session(attempt, limit: limit).check(.refresh, now: start).popup
      #expect(popup?.remainingText == "\(limit + 1 - attempt) left")
      let kinds = try kinds {
        let used = try session(attempt + 100, limit: limit).use(.refresh, now: start)
        #expect(used.result.currentUsage == attempt)
        #expect(used.popup?.remainingText == "\(limit + 1 - attempt) left")
      }
      #expect(kinds == [.popupDismissed, .buttonTapped, .popupShown, .performed])
    }
    #expect(try workspace.state() == LimitState(usage: limit))
    let blocking = try kinds {
      let blocked = try session(11, limit: limit).use(.refresh, now: start)
      #expect(blocked.popup?.remainingText == nil)
      #expect(blocked.popup?.timeLeftText == "Time remaining: 2:00")
    }
    #expect(blocking == [.buttonTapped, .popupShown, .blockedLimitReached])
    let waiting = try kinds {
      let waiting = try session(12, limit: limit).check(.refresh, now: start + .seconds(111))
      #expect(waiting.popup?.timeLeftText == "Time remaining: 0:09")
    }
    #expect(waiting == [.buttonTapped, .popupShown, .blockedCooldown])
    let over = start + .seconds(119)
    let open = try session(13, limit: limit).limitSnapshot().openPopup(.refresh, now: over)
    #expect(open.popup?.remainingText == "\(limit) left")
    let again = try kinds {
      let fresh = try session(14, limit: limit).use(.refresh, now: over)
      #expect(fresh.result.justReset && fresh.popup == nil)
    }
    #expect(
      again == [.popupDismissed, .limitReset, .cooldownCompleted, .buttonTapped, .performed])
    for attempt in 2...limit {
      #expect(
        try session(20 + attempt, limit: limit).use(.refresh, now: over).result.currentUsage
          == attempt)
    }
    #expect(try !session(40, limit: limit).use(.refresh, now: over).result.canProceed)
  }

  @Test func `a popup for the free user, a direct refresh for subscriber and new user`() throws {
    #expect(try session(1).check(.refresh, now: start).result.showPopup)
    try session(1).setTier(.lite)
    let bypass = try kinds {
      let result = try session(2).check(.refresh, now: start).result
      #expect(!result.showPopup)
    }
    try session(2).setTier(.free)
    try session(2).updateProfile { $0.firstAccountCreatedAt = start }
    let grace = try kinds {
      let result = try session(3).check(.refresh, now: start).result
      #expect(!result.showPopup)
    }
    #expect(bypass == [.buttonTapped, .liteSubscriberBypass])
    #expect(grace == [.buttonTapped, .newUserBypass])
  }

  @Test func `subscription before grace before limit before cooldown`() throws {
    try session(1).updateProfile {
      $0.tier = .pro
      $0.firstAccountCreatedAt = start
    }
    try workspace.store.write {
      try $0.setLimitState(
        LimitState(usage: 9, cooldownStartedAt: start), profile: "default", feature: .refresh)
    }
    #expect(try session(2).use(.refresh, now: start).result.userType == .liteSubscriber)
    try session(2).setTier(.free)
    #expect(try session(3).use(.refresh, now: start).result.userType == .newUser)
    try session(3).updateProfile { $0.firstAccountCreatedAt = nil }
    let raised = try session(4, limit: 10).check(.refresh, now: start)
    #expect(raised.result.canProceed && raised.popup?.remainingText == "1 left")
    let cooling = try session(5, limit: 9).check(.refresh, now: start)
    #expect(!cooling.result.canProceed && cooling.result.remainingCooldown == .seconds(120))
    #expect(try session(6).check(.refresh, now: start + .seconds(119)).result.justReset)
  }

  @Test
  func `settings raised in mid-cooldown free at once; lowered below the usage they block`() throws {
    for attempt in 1...3 { _ = try session(attempt).use(.refresh, now: start) }
    let later = start + .seconds(10)
    #expect(try session(4, limit: 3).use(.refresh, now: later).result.currentUsage == 3)
    let lowered = try session(5, limit: 1).check(.refresh, now: later)
    #expect(lowered.result.remainingCooldown == .seconds(110))
    let longer = try session(6, limit: 1, [.refreshCooldown: "600"]).peek(.refresh, now: later)
    #expect(longer.result.remainingCooldown == .seconds(590))
    let shorter = try session(7, limit: 1, [.refreshCooldown: "11"]).peek(.refresh, now: later)
    #expect(shorter.result.justReset)
  }

  @Test
  func `a clock that goes back restarts the cooldown in the store, never longer than once`() throws
  {
    for attempt in 1...3 { _ = try session(attempt).use(.refresh, now: start) }
    let earlier = start - .seconds(3_600)
    let kinds = try kinds {
      let answer = try session(4).check(.refresh, now: earlier)
      #expect(answer.result.remainingCooldown == .seconds(120))
    }
    #expect(try workspace.state().cooldownStartedAt == earlier)
    #expect(kinds == [.buttonTapped, .clockSkew, .popupShown, .blockedCooldown])
    #expect(try session(5).check(.refresh, now: earlier + .seconds(119)).result.canProceed)
  }

  @Test(arguments: [(300_000_000, true), (300_000_001, false)] as [(Int64, Bool)])
  func `an account from the future earns the grace up to 300 s ahead, not a microsecond more`(
    ahead: Int64, isNew: Bool
  ) throws {
    try session(1).updateProfile { $0.firstAccountCreatedAt = start + .microseconds(ahead) }
    let type = try session(2).peek(.refresh, now: start).result.userType
    #expect(type == (isNew ? .newUser : .freeUser))
  }

  @Test func `a limited message counts like the others, an unlimited one leaves no trace`() throws {
    let kinds = try kinds { _ = try session(1).use(.message, now: start) }
    #expect(kinds == [.buttonTapped, .performed])
    #expect(try workspace.state(.message) == .initial)
    let limits: [SettingKey: String] = [.messageLimit: "1", .conversationLimit: "1"]
    #expect(try session(2, limit: 2, limits).use(.message, now: start).result.canProceed)
    let blocked = try session(3, limit: 2, limits).use(.message, now: start)
    #expect(blocked.popup?.title == "Send Message")
    #expect(blocked.popup?.timeLeftText == "Time remaining: 2:00")
    #expect(try session(4, limit: 2, limits).use(.conversation, now: start).result.canProceed)
  }
}
