import Emulator
import Fixtures
import Foundation
import Model
import Store
import Testing
import Workspace

/// What is said about the filter while something else is at work is not lost.
@Suite struct FilterRaceTests {
  /// A stage with the saved filter "Germany", where a load of users is under way.
  private func loading(
    _ arguments: [String], after seconds: Int = 1
  ) async throws -> (stage: FilterStage, load: Running) {
    let stage = try await FilterStage()
    _ = try await stage.run("filter", "set", "--country", "Germany")
    let requests = stage.workspace.userRequests
    stage.workspace.server.inject(.delay(.seconds(10)), matching: ":runQuery")
    let load = try stage.workspace.start(
      arguments, at: TemporaryWorkspace.morning + .seconds(seconds))
    while stage.workspace.userRequests == requests { try await Task.sleep(for: .milliseconds(10)) }
    return (stage, load)
  }

  @Test
  func `a filter that is cleared while users are fetched stays cleared, and they stay stale`()
    async throws
  {
    let (stage, load) = try await loading(["refresh"])
    #expect(try await stage.run("filter", "clear").status == 0)
    #expect(try await load.wait().status == 0)
    #expect(try stage.profile().filter == .none)
    #expect(try stage.profile().usersRefreshedAt == nil)
  }

  @Test
  func `a filter that is set while users are fetched stays set, whatever the load went by`()
    async throws
  {
    for (arguments, seconds) in [(["refresh"], 1), (["run", "online-users"], 1_801)] {
      let (stage, load) = try await loading(arguments, after: seconds)
      #expect(try await stage.run("filter", "set", "--gender", "male").status == 0)
      #expect(try await load.wait().status == 0)
      #expect(try stage.profile().filter == UserFilter(gender: .male, country: "Germany"))
      let now = TemporaryWorkspace.morning + .seconds(seconds)
      #expect(try stage.profile().usersRefreshedAt == now)
    }
  }

  @Test
  func `without a word in the meantime a load that finds users stale forgets the filter`()
    async throws
  {
    let (stage, load) = try await loading(["run", "online-users"], after: 1_801)
    #expect(try await load.wait().status == 0)
    #expect(try stage.profile().filter == .none)
    #expect(
      try stage.profile().usersRefreshedAt == TemporaryWorkspace.morning + .seconds(1_801))
  }

  @Test func `two criteria that are set at the same time are both saved`() async throws {
    let stage = try await FilterStage()
    let store = try Store.open(
      path: stage.workspace.folder.appending(path: "data/firetally.sqlite").path)
    let other = try store.write { writer in
      let other = try stage.workspace.start(["filter", "set", "--gender", "male"])
      // Long enough for it to come to the database, which this transaction holds.
      Thread.sleep(forTimeInterval: 1.5)
      var profile = try writer.profile(named: "default") ?? Profile()
      profile.filter.country = "Germany"
      try writer.save(profile)
      return other
    }
    #expect(try await other.wait().status == 0)
    #expect(try stage.profile().filter == UserFilter(gender: .male, country: "Germany"))
  }

  @Test func `an apply that waited for the lock goes by the filter of then`() async throws {
    let stage = try await FilterStage()
    let lock = try await WorkspaceLock.acquire(
      Workspace(root: stage.workspace.folder.path),
      for: .thisProcess(command: "test", since: TemporaryWorkspace.morning), wait: .zero,
      sleep: { _ in })
    let apply = try stage.workspace.start(["filter", "apply", "--gender", "male"])
    try await Task.sleep(for: .milliseconds(1_500))
    #expect(try await stage.run("filter", "set", "--country", "Germany").status == 0)
    lock.release()
    #expect(try await apply.wait().status == 0)
    #expect(try stage.profile().filter == UserFilter(gender: .male, country: "Germany"))
    #expect(try stage.ids() == ["dan"])
  }
}
