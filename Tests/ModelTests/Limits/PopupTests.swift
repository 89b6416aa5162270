import Testing

@testable import Model

@Suite("The popup")
struct PopupTests {
  private let limit = FeatureLimit(limit: 2, cooldownSeconds: 120)

  private func popup(_ feature: Feature, usage: Int, remaining: Duration = .zero) -> Popup {
    Popup(
      feature: feature, limit: limit, usage: usage, remainingCooldown: remaining,
      appName: "ChatHub", price: "$2.99/week")
  }

  @Test(arguments: [
    (
      Feature.refresh, "Refresh Users",
      "Refresh the user list to see new online users. Upgrade to ChatHub Lite subscription to "
        + "unlock unlimited refreshes.",
      "You've used your 2 free refreshes. Subscribe to ChatHub Lite for unlimited access or wait "
        + "for the timer to reset."
    ),
    (
      .filter, "Apply Filters",
      "Apply advanced filters to find your perfect match. Upgrade to ChatHub Lite subscription "
        + "to unlock unlimited filter applications.",
      "You've used your 2 free filter applications. Subscribe to ChatHub Lite for unlimited "
        + "access or wait for the timer to reset."
    ),
    (
      .search, "Search Users",
      "Search the user list to find people by name. Upgrade to ChatHub Lite subscription to "
        + "unlock unlimited searches.",
      "You've used your 2 free searches. Subscribe to ChatHub Lite for unlimited access or wait "
        + "for the timer to reset."
    ),
  ])
  func `each feature has its title and its words`(
    feature: Feature, title: String, available: String, coolingDown: String
  ) {
    let open = popup(feature, usage: 0)
    #expect(open.title == title)
    #expect(open.action == title)
    #expect(open.description == available)
    #expect(popup(feature, usage: 2, remaining: .seconds(9)).description == coolingDown)
  }

  @Test(arguments: Feature.allCases)
  func `an app's own name takes the place of ChatHub`(feature: Feature) {
    let popup = Popup(
      feature: feature, limit: limit, usage: 0, remainingCooldown: .zero, appName: "Parlo",
      price: nil)
    #expect(popup.description.contains("Upgrade to Parlo Lite subscription"))
    #expect(!popup.description.contains("ChatHub"))
  }

  @Test func `while uses are left it shows how many and counts nothing down`() {
    let open = popup(.refresh, usage: 1)
    #expect(open.remainingText == "1 left")
    #expect(open.timeLeftText == nil)
    #expect(open.barFraction == 0)
    #expect(!open.isCoolingDown)
    #expect(open.subscribe == "Subscribe to Lite")
    #expect(open.price == "$2.99/week")
  }

  @Test func `a countdown is shown only at the limit: a raised limit hides it`() {
    #expect(popup(.refresh, usage: 1, remaining: .seconds(60)).remainingText == "1 left")
  }

  @Test(arguments: [(1, "1 left"), (2, nil), (3, nil)] as [(Int, String?)])
  func `at the limit it shows the whole wait and no action, also when no cooldown runs yet`(
    usage: Int, left: String?
  ) {
    let popup = popup(.refresh, usage: usage)
    #expect(popup.remainingText == left)
    #expect(popup.isCoolingDown == (left == nil))
    #expect(popup.timeLeftText == (left == nil ? "Time remaining: 2:00" : nil))
    #expect(popup.barFraction == (left == nil ? 1 : 0))
    #expect(popup.description.hasPrefix(left == nil ? "You've used your 2" : "Refresh the user"))
  }

  @Test(arguments: LimitAction.allCases)
  func `no popup of any decision says 0 left`(action: LimitAction) {
    for usage in 0...4 {
      var attempt = Attempt(state: LimitState(usage: usage))
      let popup = Popup(after: attempt.ask(action), appName: "ChatHub", price: nil)
      #expect(popup?.remainingText == (usage < 2 ? "\(2 - usage) left" : nil), "\(action) \(usage)")
    }
  }

  @Test(arguments: [
    (Duration.seconds(120), 1.0), (.seconds(90), 0.75), (.seconds(60), 0.5),
    (.milliseconds(1_200), 0.01), (.seconds(121), 1.0),
  ])
  func `the bar is what is left of the cooldown`(remaining: Duration, fraction: Double) {
    #expect(abs(popup(.refresh, usage: 2, remaining: remaining).barFraction - fraction) < 1e-12)
  }

  @Test func `a cooldown without length has no bar`() {
    let popup = Popup(
      feature: .refresh, limit: FeatureLimit(limit: 2, cooldownSeconds: 0), usage: 2,
      remainingCooldown: .seconds(5), appName: "ChatHub", price: nil)
    #expect(popup.barFraction == 0)
  }

  @Test(arguments: [
    (Duration.seconds(120), "2:00"), (.microseconds(119_000_001), "2:00"),
    (.seconds(119), "1:59"), (.seconds(60), "1:00"), (.microseconds(59_999_999), "1:00"),
    (.milliseconds(8_100), "0:09"), (.seconds(10), "0:10"), (.microseconds(1), "0:01"),
    (.seconds(3_661), "61:01"),
  ])
  func `time left is rounded up to a whole second`(remaining: Duration, text: String) {
    let popup = popup(.refresh, usage: 2, remaining: remaining)
    #expect(popup.timeLeftText == "Time remaining: \(text)")
    #expect(popup.remainingText == nil)
  }

  @Test func `there is none where the decision shows none`() {
    var subscriber = Attempt(tier: .lite)
    #expect(Popup(after: subscriber.ask(.check), appName: "ChatHub", price: nil) == nil)
    var unlimited = Attempt(limit: nil)
    #expect(Popup(after: unlimited.ask(.check), appName: "ChatHub", price: nil) == nil)
    var reset = Attempt.coolingDown(for: .seconds(120))
    #expect(Popup(after: reset.ask(.check), appName: "ChatHub", price: nil) == nil)
  }
}
