import Foundation
import Model
import Testing

/// The app's own testing matrix of its filters: "Testing Guidelines and Verification".
@Suite("Filter testing matrix") struct FilterMatrixTests {
  static let criteria: [(String, [String], [String])] = [
    ("Gender: Female only", ["--gender", "female"], ["ann", "bea", "cat", "fay"]),
    ("Country: United States", ["--country", "United States"], ["ann", "bea", "eli", "fay"]),
    ("Language: English", ["--language", "English"], ["ann", "dan", "eli", "fay"]),
    ("Age: 25-35", ["--min-age", "25", "--max-age", "35"], ["ann", "bea", "dan"]),
    ("Nearby Only enabled", ["--nearby"], ["ann", "cat", "dan"]),
    (
      "Combined filters",
      [
        "--gender", "female", "--country", "United States", "--language", "English", "--min-age",
        "25", "--max-age", "35", "--nearby",
      ], ["ann"]
    ),
    ("Gender: both", ["--gender", "both"], ["ann", "bea", "cat", "dan", "eli", "fay", "gus"]),
    ("Min age alone", ["--min-age", "35"], ["bea", "eli"]),
    ("Max age alone", ["--max-age", "25"], ["ann", "cat"]),
  ]

  @Test(arguments: criteria)
  func `each filter fetches those who match, and lists the same locally`(
    scenario: String, flags: [String], expected: [String]
  ) async throws {
    let stage = try await FilterStage()
    _ = try await stage.run("profile", "set", "--city", "Berlin")
    let listed = try await stage.workspace.run(
      ["users", "list", "--json", "--limit", "250"] + flags
    )
    let ids = try FilterStage.objects(listed.output).compactMap { $0["userId"] as? String }
    #expect(ids.sorted() == expected, "\(scenario)")
    let counted = try await stage.workspace.run(["users", "count"] + flags)
    #expect(counted.output == "\(expected.count)\n", "\(scenario)")
    let applied = try await stage.workspace.run(["filter", "apply"] + flags)
    #expect(applied.status == 0, "\(scenario): \(applied.errors)")
    #expect(try stage.ids() == expected, "\(scenario)")
  }

  @Test
  func `21.2.1 Free user: 2 left, then 1 left, then only the countdown of 2:00`() async throws {
    let stage = try await FilterStage()
    for (second, left) in [(0.0, "2 left"), (1, "1 left")] {
      let popup = try await stage.run("limits", "check", "filter", after: second)
      #expect(popup.status == 0)
      #expect(popup.output.contains("[ Apply Filters ]  \(left)"))
      #expect(!popup.output.contains("Time remaining"))
      let apply = try await stage.run("filter", "apply", "--gender", "male", after: second)
      #expect(apply.status == 0)
      #expect(try stage.ids() == ["dan", "eli"])
    }
    let third = try await stage.run("filter", "apply", "--gender", "female", after: 2)
    #expect(third.status == 75)
    #expect(third.errors.contains("Time remaining: 2:00"))
    #expect(third.errors.contains("★ Subscribe to Lite"))
    #expect(!third.errors.contains("[ Apply Filters ]"))
    #expect(try stage.ids() == ["dan", "eli"])
  }

  @Test(arguments: ["lite", "plus", "pro"])
  func `21.2.2 Lite subscriber: no popup, as often as wanted`(tier: String) async throws {
    let stage = try await FilterStage()
    _ = try await stage.run("profile", "set", "--tier", tier)
    try await expectUnlimited(stage, bypass: "ios_filter_lite_subscriber_bypass")
  }

  @Test func `21.2.3 New user within the free period: no popup, as often as wanted`() async throws {
    let stage = try await FilterStage()
    _ = try await stage.run("profile", "set", "--first-account-at", "2026-01-31T07:00:00Z")
    try await expectUnlimited(stage, bypass: "ios_filter_new_user_bypass")
  }

  private func expectUnlimited(_ stage: FilterStage, bypass: String) async throws {
    for second in 0..<4 {
      let apply = try await stage.run("filter", "apply", "--gender", "male", after: Double(second))
      #expect(apply.status == 0)
    }
    #expect(try stage.usage() == 0)
    let names = try stage.eventNames()
    #expect(names.filter { $0 == bypass }.count == 4)
    #expect(names.filter { $0 == "ios_filter_performed" }.count == 4)
    #expect(!names.contains("ios_filter_popup_shown"))
  }

  static let refusals: [(String, [String], String)] = [
    (
      "Invalid country", ["--country", "Fakeland"],
      "Please select a valid country from the list"
    ),
    (
      "Invalid language", ["--language", "Alien"],
      "Please select a valid language from the list"
    ),
    (
      "Invalid age range", ["--min-age", "30", "--max-age", "25"],
      "Max age should be greater than min"
    ),
    ("Too young", ["--min-age", "17"], "Min age should be an integer from 18 to 99"),
    ("Too old", ["--max-age", "100"], "Max age should be an integer from 18 to 99"),
    ("Nearby without a city", ["--nearby"], "firetally profile locate"),
  ]

  @Test(arguments: refusals)
  func `21.3.1 Input validation: the same refusal in every command, and nothing changes`(
    scenario: String, flags: [String], message: String
  ) async throws {
    let stage = try await FilterStage()
    let before = try stage.state()
    let requests = stage.requestCount
    for command in [
      ["filter", "set"], ["filter", "apply"], ["users", "list"], ["users", "count"],
    ] {
      let result = try await stage.workspace.run(command + flags)
      #expect(result.status == 64, "\(command) \(scenario)")
      #expect(result.errors.contains(message), "\(command) \(scenario): \(result.errors)")
      #expect(result.output.isEmpty)
    }
    #expect(try stage.state() == before)
    #expect(try stage.eventNames() == [])
    #expect(stage.requestCount == requests)
  }

  @Test
  func `21.3.2 Autocomplete: Uni shows United States and United Kingdom, Eng shows English`()
    async throws
  {
    let stage = try await FilterStage()
    let countries = try await stage.run("filter", "suggest", "country", "Uni")
    let lines = countries.output.split(separator: "\n").map(String.init)
    #expect(lines.prefix(3) == ["United Arab Emirates", "United Kingdom", "United States"])
    #expect(lines.count == 5)
    let languages = try await stage.run("filter", "suggest", "language", "Eng")
    #expect(
      languages.output.split(separator: "\n") == [
        "English", "Jamaican Creole English", "Bengali", "Nheengatu", "English, Middle (1100-1500)",
      ])
    let json = try await stage.run("filter", "suggest", "country", "kos", "--json")
    let names = try FilterStage.objects(json.output)
    #expect(names.map { $0["name"] as? String } == ["Kosovo"])
    #expect(names.first?["message_type"] as? String == "suggestion")
    #expect(try await stage.run("filter", "suggest", "country", "zzz").output.isEmpty)
    #expect(try await stage.run("filter", "suggest", "country", " ").status == 64)
    #expect(try await stage.run("filter", "suggest", "planet", "M").status == 64)
  }

  @Test
  func `21.4.1 Location: the city of the profile decides, and users of others are filtered out`()
    async throws
  {
    let stage = try await FilterStage()
    _ = try await stage.run("profile", "set", "--city", "Boston")
    #expect(try await stage.run("filter", "apply", "--nearby").status == 0)
    #expect(try stage.ids() == ["bea", "eli"])
    _ = try await stage.run("profile", "set", "--city", "Berlin")
    #expect(try await stage.run("filter", "apply", after: 1).status == 0)
    #expect(try stage.ids() == ["ann", "cat", "dan"])
  }
}
