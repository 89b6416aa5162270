import Foundation
import Model
import Store
import Testing

@Suite struct RatingCommandTests {
  private func status(_ workspace: TemporaryWorkspace) async throws -> String {
    try await workspace.run("rating", "status").output
  }

  @Test
  func `a prompt comes above the threshold of both counters, and later starts the count anew`()
    async throws
  {
    let workspace = try await TemporaryWorkspace(users: 1)
    _ = try await workspace.run("rating", "record", "--sent", "11", "--received", "10")
    #expect(try await status(workspace).contains("No prompt would come. 10 messages received"))
    _ = try await workspace.run("rating", "record", "--received", "1")
    #expect(try await status(workspace).contains("A prompt would come."))
    let later = try await workspace.run("rating", "later", "--json")
    #expect(later.output.contains(#""isDue":false"#) && later.output.contains(#""sent":0"#))
    var names: [String] = []
    try workspace.store().read { try $0.forEachEvent { names.append($0.name) } }
    #expect(names == ["rating_prompt_due", "rating_prompt_later"])
  }

  @Test func `what-if compares thresholds with what happened, and needs a scenario`() async throws {
    let workspace = try await TemporaryWorkspace(users: 1)
    for second in 0..<2 {
      let at = TemporaryWorkspace.morning + .seconds(second * 10)
      _ = try await workspace.run(["rating", "record", "--sent", "12", "--received", "12"], at: at)
      for command in ["prompt", "later"] {
        #expect(try await workspace.run(["rating", command], at: at + .seconds(1)).status == 0)
      }
    }
    let later = TemporaryWorkspace.morning + .seconds(60)
    let lines = try await CommandTests.objects(
      workspace.run(
        "rating", "what-if", "--set", "rating.threshold=12", "--set", "rating.maxPrompts=0",
        "--json", at: later))
    #expect(
      lines.map { $0["scenario"] as? String } == [
        "what happened", "in force", "rating.threshold=12", "rating.maxPrompts=0",
      ])
    #expect(lines.map { $0["asked"] as? Int } == [2, 2, 1, 0])
    #expect(lines[1]["errorPercent"] as? Double == 0)
    let text = try await workspace.run(
      "rating", "what-if", "--set", "rating.threshold=0", at: later)
    #expect(text.output.contains("off by 0.0% of the askings"))
    for wrong in [[], ["--set", "refresh.limit=2"], ["--set", "rating.threshold=-1"]] {
      #expect(try await workspace.run(["rating", "what-if"] + wrong).status == 64)
    }
  }

  @Test
  func `shown, later, stars and what followed are events, and the report's funnel has them`()
    async throws
  {
    let workspace = try await TemporaryWorkspace(users: 1)
    let arguments = [
      ["prompt"], ["later"], ["prompt"], ["submit", "2", "--feedback", "Much too slow for me"],
      ["prompt"], ["submit", "5"], ["prompt", "--json"],
    ]
    for (second, arguments) in arguments.enumerated() {
      let at = TemporaryWorkspace.morning + .seconds(second)
      #expect(try await workspace.run(["rating"] + arguments, at: at).status == 0)
    }
    let events = try await CommandTests.objects(
      workspace.run("events", "list", "--json", "--limit", "100"))
    let names = events.compactMap { $0["name"] as? String }.filter { $0.hasPrefix("rating_") }
    #expect(
      names.reversed()
        == [
          "shown", "later", "shown", "stars", "feedback", "shown", "stars", "store", "shown",
        ].map { "rating_prompt_\($0)" })
    let later = TemporaryWorkspace.morning + .seconds(3_600)
    #expect(try await workspace.run("report", "ratings", at: later).status == 0)
    let text = try String(
      contentsOf: workspace.folder.appending(path: "output/ratings.txt"), encoding: .utf8)
    #expect(text.contains("From the question to the rating"))
    #expect(!text.contains("Asked so far"))
    let json = try #require(
      try JSONSerialization.jsonObject(
        with: Data(
          contentsOf: workspace.folder.appending(path: "output/ratings.json"))) as? [String: Any])
    #expect("\(json)".contains("rating-funnel-thresholds"))
  }

  @Test func `low ratings use up the tries, a high one ends the asking for good`() async throws {
    let workspace = try await TemporaryWorkspace(users: 1)
    for _ in 1...2 {
      let result = try await workspace.run(
        "rating", "submit", "2", "--feedback", "Much too slow on my phone")
      #expect(result.status == 0)
    }
    _ = try await workspace.run("rating", "record", "--sent", "50", "--received", "50")
    #expect(try await status(workspace).contains("Low ratings so far: 2 of at most 2."))
    _ = try await workspace.run("rating", "submit", "5")
    #expect(try await status(workspace).contains("never asked again"))
    _ = try await workspace.run("rating", "record", "--sent", "50", "--received", "50")
    #expect(try await status(workspace).contains("never asked again"))
    var keys: [String] = []
    try workspace.store().read { reader in
      try reader.forEachEvent { event in
        guard event.name == "app_events" else { return }
        keys += event.parameters.keys.filter { $0.hasPrefix("rating_") }
      }
    }
    #expect(
      keys == [
        "rating_ChatHub_2", "rating_ChatHub_2", "rating_ChatHub_5", "rating_ChatHub_5_after_2",
      ])
  }

  @Test
  func `the dialog has every text, face and button, in colours on a terminal alone`() async throws {
    let workspace = try await TemporaryWorkspace(users: 1)
    let plain = try await workspace.run("rating", "prompt")
    #expect(plain.status == 0 && !plain.output.contains("\u{1B}"))
    #expect(plain.output.contains("[ Maybe Later ]  [ Submit ]"))
    let terminal = try PseudoTerminal()
    let process = try terminal.start(
      workspace.program, ["rating", "prompt", "-C", workspace.folder.path])
    let drawn = try await terminal.read(process)
    let lines = drawn.split(whereSeparator: \.isNewline).filter { $0.contains("★") }
    let codes = ["[31m", "[31m", "[38;5;208m", "[32m", "[32m"]
    for (stars, (line, code)) in zip(StarRating.allCases, zip(lines, codes)) {
      #expect(plain.output.contains("\(stars.text) \(stars.emoji)"))
      #expect(line.contains("\u{1B}\(code)") && line.contains(stars.text))
    }
    let json = try await CommandTests.objects(workspace.run("rating", "prompt", "--json"))
    #expect((json.first?["choices"] as? [[String: Any]])?.count == 5)
  }

  private static let refusals: [[String]] = [
    ["submit", "0"], ["submit", "6"], ["submit", "x"], ["submit", "3"],
    ["submit", "1", "--feedback", "too short"], ["submit", "1", "--feedback", "          "],
    ["submit", "1", "--feedback", "\u{1B}[2Jclears the screen"],
    ["submit", "1", "--feedback", String(repeating: "x", count: 501)],
    ["record"], ["record", "--sent=-1"], ["record", "--sent", "9223372036854775808"],
    ["record", "--received", "many"],
  ]

  @Test func `bad ratings and counts end with 64 and change nothing`() async throws {
    let workspace = try await TemporaryWorkspace(users: 1)
    for arguments in Self.refusals {
      #expect(try await workspace.run(["rating"] + arguments).status == 64)
    }
    let store = try workspace.store()
    #expect(try store.read { try $0.profiles() } == [])
    #expect(try store.read { try $0.outboxItems(limit: 1) } == [])
    #expect(try store.read { try $0.eventsCount() } == 0)
  }

  @Test
  func `a high rating with feedback is refused with 65 and the rule, and changes nothing`()
    async throws
  {
    let workspace = try await TemporaryWorkspace(users: 1)
    let result = try await workspace.run("rating", "submit", "5", "--feedback", "I love this app")
    #expect(result.status == 65)
    #expect(result.errors.contains("A rating of 4 or 5 stars takes no feedback"))
    #expect(try workspace.store().read { try $0.profiles() } == [])
    #expect(try workspace.store().read { try $0.eventsCount() } == 0)
  }

  @Test func `a high rating without a link to the App Store says so in a pipe, too`() async throws {
    let workspace = try await TemporaryWorkspace(users: 1)
    let plain = try await workspace.run("rating", "submit", "5")
    #expect((plain.status, plain.output) == (0, ""))
    #expect(plain.errors.contains("No link to the App Store is set"))
    #expect(plain.errors.contains("app.app_store_url"))
    let json = try await workspace.run("rating", "submit", "4", "--json")
    #expect(json.output.contains("No link to the App Store is set"))
    #expect(json.errors.isEmpty)
    try workspace.write(
      """
      app: {name: Chat, bundle_id: com.peppty.ChatApp, app_store_url: "https://apps.apple.com/x"}
      firestore: {project: demo}
      """, to: "firetally.yml")
    let linked = try await workspace.run("rating", "submit", "5")
    #expect((linked.output, linked.errors) == ("https://apps.apple.com/x\n", ""))
  }

  @Test
  func `feedback counts characters as people see them: ten families are enough, nine are not`()
    async throws
  {
    let workspace = try await TemporaryWorkspace(users: 1)
    let nine = String(repeating: "👨‍👩‍👧‍👦", count: 9)
    let refused = try await workspace.run("rating", "submit", "1", "--feedback", nine)
    #expect(refused.status == 64 && refused.errors.contains("has 9 characters"))
    #expect(
      try await workspace.run("rating", "submit", "1", "--feedback", nine + "e\u{301}").status == 0)
  }
}
