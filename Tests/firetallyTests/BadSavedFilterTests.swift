import Foundation
import Model
import Store
import Testing

/// A saved filter that no command could have saved: docs/filters.md#filters.
@Suite struct BadSavedFilterTests {
  private static let faults: [(UserFilter, String)] = [
    (UserFilter(country: "Atlantis"), "country = Atlantis. Please select a valid country"),
    (UserFilter(language: "Alien"), "language = Alien. Please select a valid language"),
    (UserFilter(minAge: 17), "age >= 17. Min age should be an integer from 18 to 99."),
    (
      UserFilter(minAge: 40, maxAge: 39),
      "age >= 40, age <= 39. Max age should be greater than min."
    ),
  ]

  /// A stage whose database somebody has edited.
  private func stage(_ filter: UserFilter) async throws -> FilterStage {
    let stage = try await FilterStage()
    let store = try Store.open(
      path: stage.workspace.folder.appending(path: "data/firetally.sqlite").path)
    try store.write { writer in
      var profile = try writer.profile(named: "default") ?? Profile()
      profile.filter = filter
      try writer.save(profile)
    }
    try store.close()
    return stage
  }

  private static let commands = [
    ["filter", "show"], ["filter", "apply"], ["filter", "apply", "--gender", "male"],
    ["filter", "preview"], ["filter", "set", "--gender", "male"], ["users", "list"],
    ["users", "list", "--filtered"], ["users", "count", "--filtered"], ["refresh"], ["plan"],
    ["plan", "--filtered"],
    ["limits", "check", "filter"], ["limits", "use", "filter"],
  ]

  @Test(arguments: faults)
  func `every command that goes by it refuses it alike, and changes nothing`(
    filter: UserFilter, reason: String
  ) async throws {
    let stage = try await stage(filter)
    let (ids, events) = (try stage.ids(), try stage.eventNames())
    let profile = try stage.profile()
    let requests = stage.workspace.userRequests
    for command in Self.commands {
      let result = try await stage.workspace.run(command)
      #expect(result.status == 65, "\(command): \(result.output) \(result.errors)")
      #expect(result.errors.contains("The saved filter is not valid: \(reason)"), "\(command)")
      #expect(result.errors.contains("firetally filter clear"), "\(command)")
    }
    #expect(try stage.ids() == ids)
    #expect(try stage.profile() == profile)
    #expect(stage.workspace.userRequests == requests)
    #expect(try stage.usage(.filter) == 0 && stage.usage(.refresh) == 0)
    let filterEvents = try stage.eventNames().filter { $0.contains("filter") }
    #expect(filterEvents == events.filter { $0.contains("filter") })
  }

  @Test
  func `a run that would go by it fails with 65, requests nothing; one that clears it goes on`()
    async throws
  {
    let stage = try await stage(UserFilter(country: "Atlantis"))
    _ = try await stage.run("users", "clear")
    let requests = stage.workspace.userRequests
    let failed = try await stage.run("run", "online-users", after: 1)
    #expect(failed.status == 65)
    #expect(failed.errors.contains("The saved filter is not valid: country = Atlantis."))
    #expect(stage.workspace.userRequests == requests)
    #expect(try await stage.run("filter", "clear", after: 2).status == 0)
    #expect(try await stage.run("run", "online-users", after: 3).status == 0)
    let stale = try await self.stage(UserFilter(country: "Atlantis"))
    #expect(try await stale.run("run", "online-users", after: 1_801).status == 0)
    #expect(try stale.profile().filter == .none)
  }

  @Test
  func `set mends it, criteria of one's own are refused as ever, and clear drops it`() async throws
  {
    let stage = try await stage(UserFilter(country: "Atlantis"))
    let both = try await stage.run("filter", "set", "--min-age", "17")
    #expect(both.status == 64)
    #expect(both.errors.contains("valid country") && both.errors.contains("Min age"))
    #expect(try await stage.run("filter", "set", "--country", "germany").status == 0)
    #expect(try stage.profile().filter == UserFilter(country: "Germany"))
    #expect(try await stage.run("filter", "show").status == 0)
  }

  @Test
  func `a country that only the data had stays valid when nobody has it any more`() async throws {
    let stage = try await FilterStage()
    #expect(try await stage.run("filter", "set", "--country", "Kosovo").status == 0)
    #expect(try await stage.run("filter", "apply", "--gender", "male", after: 1).status == 3)
    #expect(try stage.ids().isEmpty)
    #expect(try await stage.run("users", "count", "--filtered", after: 2).output == "0\n")
    #expect(try await stage.run("filter", "set", "--gender", "both", after: 3).status == 0)
    #expect(try await stage.run("filter", "apply", after: 4).status == 0)
    #expect(try stage.ids() == ["gus"])
  }

  @Test func `a name in another case goes by the list's spelling`() async throws {
    let stage = try await stage(UserFilter(country: "GERMANY"))
    #expect(try await stage.run("users", "list", "--filtered").status == 0)
    #expect(try await stage.run("refresh", after: 1).status == 0)
    #expect(try stage.profile().filter == UserFilter(country: "Germany"))
  }
}
