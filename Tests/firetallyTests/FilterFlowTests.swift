import Foundation
import Model
import Testing

/// The app's "Step-by-Step Filter Limit Flow", step by step.
@Suite("Filter limit flow") struct FilterFlowTests {
  private func decision(
    _ stage: FilterStage, after seconds: Double = 0
  ) async throws -> [String: Any] {
    let result = try await stage.run("limits", "check", "filter", "--json", after: seconds)
    return try #require(try FilterStage.objects(result.output).first)
  }

  private func apply(_ stage: FilterStage, after seconds: Double = 0) async throws -> Int32 {
    try await stage.run("filter", "apply", "--gender", "male", after: seconds).status
  }

  /// A stage whose two uses are spent and whose cooldown began at second 10.
  private func coolingDown() async throws -> FilterStage {
    let stage = try await FilterStage()
    #expect(try await apply(stage) == 0)
    #expect(try await apply(stage, after: 1) == 0)
    #expect(try await apply(stage, after: 10) == 75)
    return stage
  }

  @Test func `steps 1 and 2: applying filters is a tap that asks the limit`() async throws {
    let stage = try await FilterStage()
    #expect(try await apply(stage) == 0)
    #expect(
      try stage.eventNames() == [
        "ios_filter_button_tapped", "ios_filter_popup_shown", "ios_filter_pricing_displayed",
        "ios_filter_performed",
      ])
  }

  @Test
  func `step 3: a cooldown that is over resets the count, and the filter goes through`()
    async throws
  {
    let stage = try await coolingDown()
    #expect(try await apply(stage, after: 128.999) == 75)
    #expect(try await apply(stage, after: 129) == 0)
    #expect(try stage.usage() == 1)
    let names = try stage.eventNames()
    #expect(
      names.suffix(4).dropLast(1) == [
        "ios_filter_limit_reset", "ios_filter_cooldown_completed", "ios_filter_button_tapped",
      ])
  }

  @Test func `step 4: a subscriber bypasses the limit, without a popup`() async throws {
    let stage = try await coolingDown()
    _ = try await stage.run("profile", "set", "--tier", "lite")
    #expect(try await apply(stage, after: 11) == 0)
    let decision = try await decision(stage, after: 12)
    #expect(decision["showPopup"] as? Bool == false)
    #expect(decision["userType"] as? String == "lite_subscriber")
  }

  @Test func `step 5: a new user bypasses the limit until the free period is over`() async throws {
    let stage = try await coolingDown()
    _ = try await stage.run("profile", "set", "--first-account-at", "2026-01-31T06:00:20Z")
    #expect(try await apply(stage, after: 19.999) == 0)
    #expect(try await apply(stage, after: 20) == 75)
  }

  @Test func `step 6: the count is held against the limit of the settings`() async throws {
    let stage = try await FilterStage()
    try stage.workspace.write(
      "app: {name: ChatHub, bundle_id: com.peppty.ChatApp}\nfirestore: {project: demo}\n"
        + "settings: {filter.limit: 3}\n", to: "firetally.yml")
    for use in 0..<3 {
      let decision = try await decision(stage, after: Double(use))
      #expect(decision["currentUsage"] as? Int == use)
      #expect(decision["limit"] as? Int == 3)
      #expect(decision["isLimitReached"] as? Bool == false)
      #expect(try await apply(stage, after: Double(use)) == 0)
    }
    #expect(try await decision(stage, after: 3)["isLimitReached"] as? Bool == true)
    #expect(try await apply(stage, after: 3) == 75)
  }

  @Test
  func `step 7: an allowance that was just reset acts at once, without a popup`() async throws {
    let stage = try await coolingDown()
    #expect(try await decision(stage, after: 129)["showPopup"] as? Bool == false)
    #expect(try await decision(stage, after: 129)["showPopup"] as? Bool == true)
  }

  @Test
  func `step 8: a free user always sees the popup, with uses left and without`() async throws {
    let stage = try await FilterStage()
    for use in 0..<3 {
      #expect(try await decision(stage, after: Double(use))["showPopup"] as? Bool == true)
      _ = try await apply(stage, after: Double(use))
    }
  }

  @Test
  func `step 9: the popup has its title, description, buttons and what is left`() async throws {
    let stage = try await FilterStage()
    let popup = try await stage.run("limits", "check", "filter")
    for text in [
      "Apply Filters\n", "Apply advanced filters to find your perfect match.",
      "[ Apply Filters ]  2 left", "[ ★ Subscribe to Lite ]",
    ] {
      #expect(popup.output.contains(text), "\(text)")
    }
  }

  @Test(arguments: [(10.0, "2:00"), (10.5, "2:00"), (11, "1:59"), (128, "0:02")])
  func `step 10: the countdown goes by the seconds, rounded up`(second: Double, time: String)
    async throws
  {
    let stage = try await coolingDown()
    let blocked = try await stage.run("filter", "apply", after: second)
    #expect(blocked.errors.contains("Time remaining: \(time)"))
  }

  @Test func `step 11: looking at the popup costs nothing; only applying does`() async throws {
    let stage = try await FilterStage()
    for second in 0..<5 { _ = try await decision(stage, after: Double(second)) }
    #expect(try stage.usage() == 0)
    #expect(try await apply(stage, after: 5) == 0)
    #expect(try stage.usage() == 1)
  }

  @Test func `step 12A: an allowed filter is saved, fetched with, counted and told`() async throws {
    let stage = try await FilterStage()
    #expect(try await apply(stage, after: 5) == 0)
    #expect(try stage.ids() == ["dan", "eli"])
    #expect(try stage.usage() == 1)
    let profile = try stage.profile()
    #expect(profile.filter == UserFilter(gender: .male))
    #expect(profile.usersRefreshedAt == TemporaryWorkspace.morning + .seconds(5))
    let run = try #require(try stage.lastRun())
    #expect(run.trigger == .filter)
    #expect(run.outcome == .ok)
    #expect(run.counts.deleted == 5)
    #expect(try stage.eventNames().last == "ios_filter_performed")
  }

  @Test
  func `step 12B: a blocked filter fetches nothing, saves nothing and is told`() async throws {
    let stage = try await FilterStage()
    _ = try await apply(stage)
    _ = try await apply(stage, after: 1)
    let before = try stage.state()
    let requests = stage.requestCount
    let result = try await stage.run("filter", "apply", "--gender", "female", after: 2)
    #expect(result.status == 75)
    #expect(result.errors.contains("You've used your 2 free filter applications."))
    #expect(try stage.state() == before)
    #expect(stage.requestCount == requests)
    #expect(try stage.lastRun()?.outcome == .blocked)
    #expect(try stage.lastRun()?.trigger == .filter)
    #expect(try stage.eventNames().last == "ios_filter_blocked_limit_reached")
    _ = try await apply(stage, after: 3)
    #expect(try stage.eventNames().last == "ios_filter_blocked_cooldown")
  }

  @Test
  func `steps 13 and 14: the whole count is reset when the countdown ends, and only then`()
    async throws
  {
    let stage = try await coolingDown()
    for second in [11.0, 60, 128.9] { #expect(try await apply(stage, after: second) == 75) }
    #expect(try stage.usage() == 2)
    let popup = try await stage.run("limits", "check", "filter", after: 130)
    #expect(popup.status == 0)
    #expect(try stage.usage() == 0)
    for second in [131.0, 132] { #expect(try await apply(stage, after: second) == 0) }
    #expect(try await apply(stage, after: 133) == 75)
  }

  @Test
  func `step 15: filters of every kind count towards one limit, refresh and search do not`()
    async throws
  {
    let stage = try await FilterStage()
    #expect(try await stage.run("filter", "apply", "--country", "Germany").status == 0)
    #expect(try await stage.run("refresh").status == 0)
    #expect(try await stage.run("search", "name").status == 0)
    #expect(try await stage.run("filter", "apply", "--min-age", "20").status == 0)
    #expect(try await stage.run("filter", "apply", "--gender", "male").status == 75)
    #expect(try stage.usage(.refresh) == 1)
    #expect(try stage.usage(.search) == 1)
  }

  @Test func `step 16: every event says the filter it is about`() async throws {
    let stage = try await FilterStage()
    _ = try await stage.run(
      "filter", "apply", "--gender", "female", "--country", "united states", "--min-age", "25")
    let events = try stage.events()
    #expect(events.count == 4)
    for event in events {
      #expect(event.parameters["ios_filter_gender"] == .string("Female"))
      #expect(event.parameters["ios_filter_country"] == .string("United States"))
      #expect(event.parameters["ios_filter_language"] == .string(""))
      #expect(event.parameters["ios_filter_count"] == .integer(3))
      #expect(
        event.parameters["ios_filter_criteria"]
          == .string("gender Female, country United States, age 25+"))
    }
  }
}
