import Emulator
import Foundation
import Model
import Store
import Testing

@Suite struct SearchTests {
  private func stage(_ names: [String]) async throws -> FilterStage {
    let stage = try await FilterStage(isLoaded: false)
    try stage.workspace.server.documents.seed(
      try names.enumerated().map { index, name in
        try stage.document("named-\(index)", name: name, secondsAgo: index)
      })
    _ = try await stage.run("profile", "set", "--tier", "lite")
    _ = try await stage.run("run", "online-users")
    return stage
  }

  private func names(_ result: BuiltProgram.Result) throws -> [String] {
    try FilterStage.objects(result.output).compactMap { $0["name"] as? String }
  }

  static let searches: [(String, [String])] = [
    ("élodie", ["Élodie", "ÉLODIE K."]), ("ÉLO", ["Élodie", "ÉLODIE K."]), ("elodie", []),
    ("100%", ["100% me"]), ("%", ["100% me"]), ("_", ["under_score"]), ("r_s", ["under_score"]),
    ("O'B", ["O'Brien"]), ("'", ["O'Brien"]), (" o'brien ", ["O'Brien"]), ("さく", ["さくら"]),
    ("МАША", ["Маша"]), ("zz", []), ("\u{1}", []),
  ]

  @Test(arguments: searches)
  func `a part of a name is found in any case and script, and nothing is a wildcard`(
    text: String, expected: [String]
  ) async throws {
    let stage = try await stage([
      "Élodie", "ÉLODIE K.", "100% me", "under_score", "O'Brien", "さくら", "Маша",
    ])
    let result = try await stage.run("search", text, "--json")
    #expect(result.status == 0)
    #expect(try names(result) == expected)
  }

  @Test
  func `pages have ten, the last seen first, and go on behind the one before; 250 at most`()
    async throws
  {
    let all = (0..<25).map { "Zoe \($0)" }
    let stage = try await stage(all)
    let first = try await stage.run("search", "zoe", "--json")
    #expect(try names(first) == Array(all.prefix(10)))
    let page = try stage.workspace.store().read {
      try $0.users(matching: .init(nameContaining: "zoe"), limit: 10)
    }
    let next = try #require(page.next)
    let second = try await stage.run(
      "search", "zoe", "--json", "--after", "\(next.lastSeenAtSeconds):\(next.id)")
    #expect(try names(second) == Array(all[10..<20]))
    #expect(try names(try await stage.run("search", "zoe", "--json", "--limit", "250")) == all)
    for limit in ["0", "251", "-1", "x"] {
      #expect(try await stage.run("search", "zoe", "--limit", limit).status == 64)
    }
  }

  @Test(arguments: ["", " ", "\t\n"])
  func `an empty text is a usage error and costs nothing`(text: String) async throws {
    let stage = try await FilterStage()
    #expect(try await stage.run("search", text).status == 64)
    #expect(try await stage.run("search").status == 64)
    #expect(try stage.usage(.search) == 0)
    #expect(try stage.eventNames() == [])
  }

  @Test func `of three processes that want the last search one gets it`() async throws {
    let stage = try await FilterStage()
    _ = try await stage.run("search", "ann")
    let racers = try (0..<3).map { _ in try stage.workspace.start(["search", "ann"]) }
    var statuses: [Int32] = []
    for racer in racers { statuses.append(try await racer.wait().status) }
    #expect(statuses.sorted() == [0, 75, 75])
  }

  @Test
  func `a free user searches twice, then gets the popup and no names until the countdown ends`()
    async throws
  {
    let stage = try await FilterStage()
    let requests = stage.requestCount
    for second in [0.0, 1] {
      let result = try await stage.run("search", "name of ann", after: second)
      #expect(result.status == 0)
      #expect(result.output.contains("Name of ann"))
    }
    let blocked = try await stage.run("search", "name", after: 2)
    #expect(blocked.status == 75)
    #expect(blocked.output.isEmpty)
    #expect(blocked.errors.contains("Search Users"))
    #expect(blocked.errors.contains("You've used your 2 free searches."))
    #expect(try await stage.run("search", "name", after: 120.999).status == 75)
    #expect(try await stage.run("search", "name", after: 121).status == 0)
    #expect(stage.requestCount == requests)
    #expect(
      try stage.eventNames().prefix(4) == [
        "ios_search_button_tapped", "ios_search_popup_shown", "ios_search_pricing_displayed",
        "ios_search_performed",
      ])
    #expect(try stage.usage(.filter) == 0)
  }
}
