import Emulator
import Firestore
import Foundation
import Model
import Store
import Testing

@Suite struct FilterCommandTests {
  @Test
  func `set changes what is given on top of what is saved, and requests nothing`() async throws {
    let stage = try await FilterStage()
    let requests = stage.requestCount
    let steps: [([String], UserFilter)] = [
      (["--gender", "FEMALE", "--country", "germany"], .init(gender: .female, country: "Germany")),
      (["--min-age", "20"], .init(gender: .female, country: "Germany", minAge: 20)),
      (["--gender", "both", "--max-age", "99"], .init(country: "Germany", minAge: 20, maxAge: 99)),
      (["--country", "", "--min-age", ""], .init(maxAge: 99)),
      (["--language", "kosovan", "--max-age", ""], .init(maxAge: 99)),
      (["--language", "ALBANIAN"], .init(language: "Albanian", maxAge: 99)),
      (["--country", "KOSOVO"], .init(country: "Kosovo", language: "Albanian", maxAge: 99)),
      (["--no-nearby"], .init(country: "Kosovo", language: "Albanian", maxAge: 99)),
    ]
    let before = try stage.state()
    for (flags, expected) in steps {
      _ = try await stage.workspace.run(["filter", "set"] + flags)
      #expect(try stage.profile().filter == expected, "\(flags)")
    }
    let nothing = try await stage.run("filter", "set")
    #expect(nothing.status == 64)
    #expect(nothing.errors.contains("at least one criterion"))
    #expect(try stage.state().users == before.users)
    #expect(try stage.profile().usersRefreshedAt == before.profile.usersRefreshedAt)
    #expect(try stage.eventNames() == [])
    #expect(stage.requestCount == requests)
  }

  @Test(arguments: [
    ["--gender", "robot"], ["--min-age", "abc"], ["--min-age", "25.5"], ["--max-age", "1e9"],
    ["--min-age", "99999999999999999999"], ["--country"], ["--nearby", "yes"], ["--age", "20"],
    ["--country", "a", "extra"], ["--country", "Ger\u{1B}[31mmany"],
    ["--language", String(repeating: "x", count: 100_000)],
  ])
  func `a flag of the wrong type or without its value is a usage error`(flags: [String])
    async throws
  {
    let stage = try await FilterStage()
    for command in [["filter", "set"], ["filter", "apply"], ["users", "list"]] {
      let result = try await stage.workspace.run(command + flags)
      #expect(result.status == 64, "\(command) \(flags.map { $0.prefix(20) })")
      #expect(!result.errors.contains("\u{1B}"))
    }
    #expect(try stage.profile().filter == .none)
  }

  @Test func `show says every criterion, and any for those that are none`() async throws {
    let stage = try await FilterStage()
    let empty = try await stage.run("filter", "show")
    #expect(empty.output.split(separator: "\n").filter { $0.hasSuffix("  any") }.count == 6)
    _ = try await stage.run("filter", "set", "--gender", "male", "--max-age", "40")
    let shown = try await stage.run("filter", "show")
    #expect(shown.output.contains("gender     Male\n"))
    #expect(shown.output.contains("max age    40\n"))
    let json = try await stage.run("filter", "show", "--json")
    let line = try #require(try FilterStage.objects(json.output).first)
    #expect(line["message_type"] as? String == "filter")
    #expect(line["gender"] as? String == "Male")
    #expect(line["maxAge"] as? Int == 40)
    #expect(line["isNearbyOnly"] as? Bool == false)
  }

  @Test
  func `clear forgets the filter and the refresh time, touches no user, requests nothing`()
    async throws
  {
    let stage = try await FilterStage()
    _ = try await stage.run("filter", "apply", "--gender", "male")
    let requests = stage.workspace.userRequests
    #expect(try await stage.run("filter", "clear", after: 1).status == 0)
    #expect(try stage.profile().filter == .none)
    #expect(try stage.profile().usersRefreshedAt == nil)
    #expect(try stage.ids() == ["dan", "eli"])
    #expect(stage.workspace.userRequests == requests)
    #expect(try stage.usage() == 1)
    _ = try await stage.run("run", "online-users", after: 2)
    #expect(try stage.ids().count == FilterStage.users.count)
    #expect(try stage.lastRun()?.trigger == .firstLoad)
  }

  @Test
  func `apply goes by the saved filter with the flags on top, also for an empty copy`() async throws
  {
    let stage = try await FilterStage(isLoaded: false)
    _ = try await stage.run("filter", "set", "--country", "United States", "--gender", "male")
    let result = try await stage.run("filter", "apply", "--gender", "female", "--json")
    #expect(result.status == 0)
    #expect(try stage.ids() == ["ann", "bea", "fay"])
    #expect(try stage.profile().filter == UserFilter(gender: .female, country: "United States"))
    let line = try #require(try FilterStage.objects(result.output).first)
    #expect(line["message_type"] as? String == "run")
    let silent = try await stage.run("filter", "apply", after: 1)
    #expect(silent.output.isEmpty && silent.errors.isEmpty)
  }

  static let faults: [(Fault, Int32)] = [
    (.status(.permissionDenied), 77), (.status(.unavailable), 69), (.drop, 69),
    (.truncatedArray, 69), (.garbage(), 69),
  ]

  @Test(arguments: faults)
  func `a fetch that fails leaves users, filter, refresh time and usage as they were`(
    fault: Fault, status: Int32
  ) async throws {
    let stage = try await FilterStage()
    try stage.workspace.write("kind: sync-users\npage_size: 2\n", to: "jobs/online-users.yml")
    _ = try await stage.run("filter", "apply", "--country", "United States")
    let before = try stage.state()
    stage.workspace.server.inject(fault, times: nil, after: 1, matching: ":runQuery")
    let failed = try await stage.run("filter", "apply", "--country", "Germany", after: 1)
    #expect(failed.status == status, "\(failed.errors)")
    #expect(try stage.state() == before)
    #expect(try stage.lastRun()?.outcome == .failed)
    #expect(try stage.lastRun()?.trigger == .filter)
    stage.workspace.server.clearFaults()
    #expect(try await stage.run("filter", "apply", "--country", "Germany", after: 2).status == 0)
    #expect(try stage.ids() == ["cat", "dan"])
  }

  @Test
  func `a filter that is killed leaves all as it was, gives its use back and can be repeated`()
    async throws
  {
    let stage = try await FilterStage()
    try stage.workspace.write("kind: sync-users\npage_size: 1\n", to: "jobs/online-users.yml")
    let before = try stage.state()
    stage.workspace.server.inject(.delay(.seconds(30)), after: 2, matching: ":runQuery")
    let requests = stage.workspace.userRequests
    let running = try stage.workspace.start(["filter", "apply", "--gender", "female"])
    while stage.workspace.userRequests < requests + 3 {
      try await Task.sleep(for: .milliseconds(20))
    }
    running.kill()
    _ = try await running.wait()
    stage.workspace.server.clearFaults()
    #expect(try stage.state().users == before.users)
    #expect(try stage.profile() == before.profile)
    #expect(try await stage.run("filter", "apply", "--gender", "male", after: 1).status == 0)
    #expect(try stage.usage() == 1)
    #expect(try stage.ids() == ["dan", "eli"])
  }

  @Test
  func `of two processes that want the last filter one gets it, and the other the popup`()
    async throws
  {
    let stage = try await FilterStage()
    _ = try await stage.run("filter", "apply", "--gender", "male")
    let racers = try ["Germany", "United States"].map { country in
      try stage.workspace.start(["filter", "apply", "--gender", "both", "--country", country])
    }
    var statuses: [Int32] = []
    for racer in racers { statuses.append(try await racer.wait().status) }
    #expect(statuses.sorted() == [0, 75])
    #expect(try stage.usage() == 2)
    let ids = try stage.ids()
    #expect(ids == ["cat", "dan"] || ids == ["ann", "bea", "eli", "fay"])
    #expect(try stage.eventNames().filter { $0 == "ios_filter_performed" }.count == 2)
    #expect(try stage.eventNames().filter { $0 == "ios_filter_button_tapped" }.count == 3)
  }

  @Test
  func `a saved filter that wants nearby users without a city stops the load, and says why`()
    async throws
  {
    let stage = try await FilterStage()
    _ = try await stage.run("profile", "set", "--city", "Berlin")
    _ = try await stage.run("filter", "set", "--nearby")
    _ = try await stage.run("profile", "set", "--city", "")
    let requests = stage.workspace.userRequests
    let result = try await stage.run("refresh")
    #expect(result.status == 78)
    #expect(result.errors.contains("firetally profile locate"))
    #expect(stage.workspace.userRequests == requests)
    #expect(try stage.usage(.refresh) == 0)
    #expect(try await stage.run("filter", "clear").status == 0)
    #expect(try await stage.run("refresh").status == 0)
  }
}
