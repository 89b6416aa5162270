import Emulator
import Firestore
import Fixtures
import Foundation
import Model
import Store
import StoreTesting
import Testing

/// Whose data a workspace holds: docs/jobs.md#whose-data.
@Suite struct WhoseDataTests {
  private func name(_ project: String, in workspace: TemporaryWorkspace) throws {
    let path = workspace.folder.appendingPathComponent("firetally.yml")
    let text = try String(contentsOf: path, encoding: .utf8)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.hasPrefix("  project:") ? "  project: \(project)" : String(line)
    }
    try workspace.write(lines.joined(separator: "\n"), to: "firetally.yml")
  }

  @Test
  func `a misspelled project is corrected by correcting it: the next run loads at once`()
    async throws
  {
    let workspace = try await TemporaryWorkspace()
    try name("demp", in: workspace)
    let wrong = try await workspace.run("run", "settings", "online-users")
    #expect(wrong.status == 3)
    #expect(wrong.errors.contains("the database of the project demp holds nothing else"))
    #expect(try await workspace.run("run", "online-users").status == 0, "it is fresh")
    try name("demo", in: workspace)
    let plan = try await workspace.run("plan", "online-users", "--json")
    #expect(plan.output.contains(#""trigger":"first-load""#))
    let right = try await workspace.run("run", "settings", "online-users", "--json")
    #expect(right.output.contains(#""trigger":"first-load""#))
    #expect(try workspace.userIds().count > 50)
    #expect(try await workspace.run("run", "online-users").status == 0)
    let run = try workspace.store().read { try $0.lastRuns() }["online-users"]
    #expect(run?.trigger == .fresh, "the load of the right project counts")
  }

  @Test func `what cannot be reached or refuses takes no workspace, either`() async throws {
    let workspace = try await TemporaryWorkspace()
    workspace.server.inject(.status(.permissionDenied), times: nil)
    #expect(try await workspace.run("run", "online-users", "--project", "demp").status == 77)
    workspace.server.clearFaults()
    #expect(try await workspace.run("run", "settings").status == 0)
  }

  @Test(arguments: ["online-users", "settings", "copy"])
  func `users, settings, rows of a table: each keeps another project out`(job: String) async throws
  {
    let workspace = try await TemporaryWorkspace()
    try workspace.write(
      "kind: sync-collection\ncollection: Users\ntable: \"Copied_Users\"\n", to: "jobs/copy.yml")
    let run = try await workspace.run("run", job)
    #expect(run.status == 0 || run.status == 3)
    for command in [
      ["run", "settings"], ["refresh"], ["plan", "settings", "online-users", "--force"],
    ] {
      let other = try await workspace.run(command + ["--project", "other"])
      #expect(other.status == 78, "\(command) \(other.errors)")
      #expect(other.errors.contains("other"))
    }
  }

  @Test func `a first refresh of the right project sets the refresh time, too`() async throws {
    let workspace = try await TemporaryWorkspace()
    _ = try await workspace.run("run", "online-users", "--project", "demp")
    let refreshed = try await workspace.run("refresh")
    #expect(refreshed.status == 3)
    let profile = try workspace.store().read { try $0.profile(named: "default") }
    #expect(profile?.usersRefreshedAt == TemporaryWorkspace.morning)
  }

  @Test func `init writes the project, and warns where a file names another`() async throws {
    let folder = try TemporaryFolder()
    let place = folder.url.appending(path: "my app's 100%").path
    let program = BuiltProgram()
    #expect(try await program.run("init", place, "--project", "chat-4711").status == 0)
    let text = try String(contentsOfFile: place + "/firetally.yml", encoding: .utf8)
    #expect(text.contains("\n  project: chat-4711\n"))
    let again = try await program.run("init", place, "--project", "other")
    #expect(again.status == 0)
    #expect(again.errors.contains("'other' was not written"))
    #expect(try await program.run("init", place, "--project", "chat-4711").errors.isEmpty)
  }

  /// What `init` writes, `firetally.yml` takes.
  @Test(arguments: [
    ("chat-4711", true), ("example.com:chat", true), ("Chat", false), ("my_app", false),
    ("a b", false), ("", false),
  ])
  func `init takes the projects that firetally.yml takes`(
    project: String, isTaken: Bool
  ) async throws {
    let folder = try TemporaryFolder()
    let place = folder.path(of: "w")
    let made = try await BuiltProgram().run("init", place, "--project", project)
    #expect(made.status == (isTaken ? 0 : 64))
    let shown = try await BuiltProgram().run("config", "show", "-C", place)
    #expect(shown.status == (isTaken ? 0 : 78))
    if isTaken { #expect(shown.output.contains(project)) }
  }

  @Test func `init writes the app, and warns where a file names another`() async throws {
    let folder = try TemporaryFolder()
    let place = folder.url.appending(path: "srv/chat").path
    let program = BuiltProgram()
    func made(_ options: String...) async throws -> BuiltProgram.Result {
      try await program.run(["init", place] + options)
    }
    for wrong in [
      ["--app", "Chat"], ["--bundle-id", "com.example.chat"], ["--app", "", "--bundle-id", "a.b"],
      ["--app", "a\nb", "--bundle-id", "a.b"], ["--app", "Chat", "--bundle-id", "a/b"],
      ["--app", "Chat", "--bundle-id", "chat"],
    ] {
      #expect(try await program.run(["init", place] + wrong).status == 64, "\(wrong)")
    }
    #expect(!FileManager.default.fileExists(atPath: place))
    let first = try await made("--app", "Chat", "--bundle-id", "com.example.chat")
    #expect(first.status == 0 && first.errors.isEmpty)
    let text = try String(contentsOfFile: place + "/firetally.yml", encoding: .utf8)
    #expect(text.contains("\napp:\n  name: Chat\n  bundle_id: com.example.chat\n"))
    let again = try await made("--app", "Chat", "--bundle-id", "com.example.other")
    #expect(again.errors.contains("'com.example.chat' as app.bundle_id"))
    #expect(again.errors.contains("'com.example.other' was not written"))
    #expect(!again.errors.contains("app.name"))
  }

  @Test func `init takes the environment's project, and the option wins over it`() async throws {
    let folder = try TemporaryFolder()
    func project(
      of place: String, _ options: [String], variable: String
    ) async throws -> String? {
      let program = BuiltProgram(environment: ["GOOGLE_CLOUD_PROJECT": variable])
      let made = try await program.run(["init", "\(folder.path)/\(place)"] + options)
      guard made.status == 0 else { return nil }
      let text = try String(
        contentsOfFile: "\(folder.path)/\(place)/firetally.yml", encoding: .utf8)
      return text.firstMatch(of: /\n  project: (.*)\n/).map { String($0.1) }
    }
    #expect(try await project(of: "a", [], variable: "shop-1") == "shop-1")
    #expect(try await project(of: "b", ["--project", "other"], variable: "shop-1") == "other")
    #expect(try await project(of: "c", [], variable: "") == "demo")
    #expect(try await project(of: "d", [], variable: "a b") == nil)
  }

  @Test func `a plain workspace runs all its jobs on any project`() async throws {
    let workspace = try await TemporaryWorkspace(users: 0)
    let folder = try TemporaryFolder()
    let program = BuiltProgram(environment: [
      "GOOGLE_CLOUD_PROJECT": "demo", "FIRESTORE_EMULATOR_HOST": workspace.server.address,
    ])
    let made = try await program.run("init", folder.path, "--plain")
    #expect(made.status == 0, "\(made.errors)")
    let empty = try await program.run("-C", folder.path, "run", "--all")
    #expect(empty.status == 0, "\(empty.errors)")
    let root = ResourceName(project: "demo")
    try workspace.server.documents.seed([
      Document(name: "\(root)/events/e", fields: ["n": .integer(1)]),
      Document(name: "\(root)/maintain/m", fields: ["n": .integer(1)]),
    ])
    let drafted = try await program.run("-C", folder.path, "inspect", "--write")
    #expect(drafted.output.contains("jobs/events.yml written: "))
    #expect(drafted.output.contains("jobs/maintain-2.yml written: "))
    #expect(drafted.output.contains("The name maintain is taken by another job."))
    let all = try await program.run("-C", folder.path, "run", "--all")
    #expect(all.status == 0, "\(all.errors)")
  }

  @Test
  func `cron.example names folder, program and user, and its lines run in cron's own shell`()
    async throws
  {
    let folder = try TemporaryFolder()
    let place = folder.url.appending(path: "my app's 100%").path
    let made = try await BuiltProgram().start(["init", place, "--project", "demo"]).wait()
    #expect(made.status == 0)
    let text = try String(contentsOfFile: place + "/cron.example", encoding: .utf8)
    let lines = text.split(separator: "\n").map(String.init)
    let variables = lines.compactMap { line -> (String, String)? in
      guard let match = line.wholeMatch(of: /([A-Z]+)=(?:"(.*)"|(.*))/) else { return nil }
      return (String(match.1), String(match.2 ?? match.3 ?? ""))
    }
    let values = Dictionary(variables) { $1 }
    #expect(values["WORKSPACE"] == place)
    #expect(values["MAILTO"] == NSUserName())
    #expect(text.contains("of \(NSUserName())"))
    #expect(!text.contains("/srv/firetally"))
    let entry = try #require(lines.first { $0.contains("run report") && !$0.hasPrefix("#") })
    let command = entry.split(separator: " ", maxSplits: 5).last.map(String.init) ?? ""
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    shell.arguments = ["-c", command]
    shell.environment = values
    try shell.run()
    shell.waitUntilExit()
    #expect(shell.terminationStatus == 0)
    #expect(FileManager.default.fileExists(atPath: place + "/output/index.html"))
    for line in lines where line.contains("crontab cron.example") {
      #expect(line.contains("replaces"))
    }
  }
}
