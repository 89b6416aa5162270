import Emulator
import Firestore
import Foundation
import Model
import Store
import Testing

/// Loads that find nothing: docs/loads.md#empty-loads.
@Suite struct EmptyLoadRunTests {
  private func run(_ stage: FilterStage, after seconds: Double) async throws -> Run {
    let result = try await stage.run("run", "online-users", after: seconds)
    #expect(result.status == 0, "\(result.errors)")
    return try #require(try stage.lastRun())
  }

  @Test
  func `a filter that matches nobody is told, stays fresh for its time, and is then forgotten`()
    async throws
  {
    let stage = try await FilterStage()
    let applied = try await stage.run("filter", "apply", "--country", "Tuvalu", after: 10)
    #expect(applied.status == 3)
    #expect(applied.errors.contains("no user matches country = Tuvalu"))
    #expect(try stage.ids().isEmpty)
    #expect(try stage.usage() == 1)
    #expect(try stage.lastRun()?.outcome == .partial)
    let requests = stage.requestCount
    for second in [11.0, 1_810] {
      let fresh = try await run(stage, after: second)
      #expect(fresh.trigger == .fresh && fresh.outcome == .fresh)
    }
    #expect(stage.requestCount == requests)
    #expect(try stage.profile().filter.country == "Tuvalu")
    let stale = try await run(stage, after: 1_811)
    #expect(stale.trigger == .stale && stale.outcome == .ok)
    #expect(try stage.profile().filter == .none)
    #expect(try stage.ids().count == 7)
  }

  @Test func `a refresh by a filter without matches says so, and keeps the users`() async throws {
    let stage = try await FilterStage()
    _ = try await stage.run("filter", "set", "--country", "Tuvalu", "--min-age", "20")
    let result = try await stage.run("refresh", after: 1)
    #expect(result.status == 3)
    #expect(result.errors.contains("no user matches country = Tuvalu, age >= 20"))
    #expect(try stage.ids().count == 7)
  }

  @Test func `a table that somebody else emptied is loaded again, once`() async throws {
    let stage = try await FilterStage()
    let path = stage.workspace.folder.appending(path: "data/firetally.sqlite").path
    let store = try Store.open(path: path)
    _ = try store.write { writer in
      for id in FilterStage.users.map({ $0[0] }).dropLast() {
        try writer.deleteUser(id: id)
      }
    }
    #expect(try await run(stage, after: 1).trigger == .fresh)
    try store.close()
    let sqlite = Process()
    sqlite.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    sqlite.arguments = ["sqlite3", path, "DELETE FROM OnlineUsers"]
    try sqlite.run()
    sqlite.waitUntilExit()
    #expect(try await run(stage, after: 2).trigger == .firstLoad)
    #expect(try stage.ids().count == 7)
    #expect(try await run(stage, after: 3).trigger == .fresh)
  }

  @Test func `signing out is the same for every profile: the next load fetches`() async throws {
    let stage = try await FilterStage()
    _ = try await stage.run("profile", "create", "ana")
    #expect(try await stage.run("profile", "sign-out", "--profile", "ana").status == 0)
    #expect(try await run(stage, after: 1).trigger == .firstLoad)
  }

  @Test
  func `clearing the filter makes the next run a first load that keeps a filter set since`()
    async throws
  {
    let stage = try await FilterStage()
    _ = try await stage.run("filter", "clear")
    _ = try await stage.run("filter", "set", "--gender", "male")
    #expect(try await run(stage, after: 1).trigger == .firstLoad)
    #expect(try stage.profile().filter == UserFilter(gender: .male))
  }

  @Test
  func `a misspelled collection of users is told with the name that was meant`() async throws {
    let stage = try await FilterStage(isLoaded: false)
    try stage.workspace.write(
      "kind: sync-users\ncollection: Usres\n", to: "jobs/online-users.yml")
    for arguments in [["run", "online-users"], ["filter", "apply", "--gender", "male"]] {
      let result = try await stage.workspace.run(arguments)
      #expect(result.status == 3)
      #expect(result.errors.contains("the collection Usres is empty; similar names: Users."))
    }
    try stage.workspace.write(
      "kind: sync-users\ncollection: Usres\nallow_empty: true\n", to: "jobs/online-users.yml")
    _ = try await stage.run("filter", "clear")
    let allowed = try await stage.run("run", "online-users", "--force", "--json", after: 1)
    #expect(allowed.status == 0)
    let line = try #require(try FilterStage.objects(allowed.output).first)
    #expect((line["summary"] as? String)?.contains("the collection Usres is empty") == true)
    #expect(try stage.lastRun()?.outcome == .ok)
    #expect(try stage.lastRun()?.warnings == [])
  }

  @Test
  func `documents without the order's field, or all skipped, are not an empty collection`()
    async throws
  {
    let stage = try await FilterStage()
    try stage.workspace.write(
      "kind: sync-users\nfields: {last_time_seen: seen_at}\n", to: "jobs/online-users.yml")
    let lacking = try await stage.run("run", "online-users", "--force")
    #expect(lacking.status == 3)
    #expect(lacking.errors.contains("no document of the collection Users has the field seen_at"))
    let only = try await FilterStage(isLoaded: false)
    try only.workspace.server.documents.seed([
      try only.document("own", name: "Own", secondsAgo: 5, [:])
    ])
    try only.workspace.write(
      "kind: sync-users\nmax_documents: 1\n", to: "jobs/online-users.yml")
    _ = try await only.run("profile", "set", "--user-id", "own")
    let skipped = try await only.run("run", "online-users")
    #expect(skipped.status == 3)
    #expect(skipped.errors.contains("no document of the collection Users is a user"))
  }

  @Test
  func `a collection that is empty, or passes nothing, is told; allow_empty says it may be`()
    async throws
  {
    let stage = try await FilterStage(isLoaded: false)
    func sync(_ text: String) async throws -> BuiltProgram.Result {
      try stage.workspace.write("kind: sync-collection\n\(text)\n", to: "jobs/copy.yml")
      return try await stage.run("run", "copy", "--verbose")
    }
    let empty = try await sync("collection: Usrs\ntable: a")
    #expect(empty.status == 3)
    #expect(empty.errors.contains("the collection Usrs is empty; similar names: Users."))
    let group = try await sync("collection_group: Usrs\ntable: b")
    #expect(group.status == 3)
    #expect(group.errors.contains("the collection group Usrs is empty; similar names: Users."))
    let unmet = try await sync(
      "collection: Users\ntable: c\nwhere: [{field: User_name, op: \"==\", value: Nobody}]")
    #expect(unmet.status == 3)
    #expect(unmet.errors.contains("no document of the collection Users passes 'where'"))
    let unordered = try await sync("collection: Users\ntable: d\norder_by: nothing")
    #expect(unordered.errors.contains("no document of the collection Users has the field nothing"))
    let allowed = try await sync("collection: Usrs\ntable: a\nallow_empty: true")
    #expect(allowed.status == 0)
    #expect(try await sync("collection: Users\ntable: e").status == 0)
  }

  @Test func `an incremental load without changes is no empty one`() async throws {
    let stage = try await FilterStage(isLoaded: false)
    try stage.workspace.write(
      "kind: sync-collection\ncollection: Users\nincremental: {field: last_time_seen, overlap: 1s}\n",
      to: "jobs/copy.yml")
    #expect(try await stage.run("run", "copy").status == 0)
    let again = try await stage.run("run", "copy", after: 60)
    #expect(again.status == 0, "\(again.errors)")
  }

  @Test
  func `a settings document that does not exist is told with the names that do`() async throws {
    let workspace = try await TemporaryWorkspace(users: 1)
    func sync(_ text: String) async throws -> BuiltProgram.Result {
      try workspace.write("kind: sync-settings\n\(text)\n", to: "jobs/settings.yml")
      return try await workspace.run("run", "settings")
    }
    let misspelled = try await sync("document: AppSettings/com.pepty.ChatApp")
    #expect(misspelled.status == 3)
    #expect(misspelled.errors.contains("; similar names: com.peppty.ChatApp."))
    let collection = try await sync("document: AppSetings/com.peppty.ChatApp")
    #expect(
      collection.errors.contains("the collection AppSetings is empty; similar names: AppSettings."))
    let requests = workspace.server.requests.count
    let allowed = try await sync("document: AppSetings/com.peppty.ChatApp\nallow_empty: true")
    #expect(allowed.status == 0 && allowed.errors.contains("Left nothing out, after 2 partial"))
    #expect(workspace.server.requests.count == requests + 1)
  }

  @Test
  func `names that the server refuses to list are left out, and nothing fails for it`() async throws
  {
    let stage = try await FilterStage(isLoaded: false)
    try stage.workspace.write(
      "kind: sync-users\ncollection: Usres\n", to: "jobs/online-users.yml")
    stage.workspace.server.inject(
      .status(.permissionDenied), times: nil, matching: ":listCollectionIds")
    let result = try await stage.run("run", "online-users")
    #expect(result.status == 3)
    #expect(result.errors.contains("the collection Usres is empty.\n"))
  }
}
