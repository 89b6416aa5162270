import Fixtures
import Foundation
import Testing

/// `firetally config`, variables in the files, and the variable that names the workspace.
@Suite struct ConfigCommandTests {
  private func run(
    _ arguments: [String], _ environment: [String: String] = [:]
  ) async throws -> BuiltProgram.Result {
    try await BuiltProgram(environment: environment).run(arguments)
  }

  /// A workspace that asks nobody.
  private func workspace(_ more: String = "") throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("app: {name: Chat, bundle_id: com.a.b}\n\(more)\n", to: "firetally.yml")
    try folder.write("kind: settle\n", to: "jobs/settle.yml")
    return folder
  }

  @Test func `config show lists keys, values and where they come from`() async throws {
    let folder = try workspace("firestore: {project: '${P}', database: other}")
    let result = try await run(
      ["config", "show", "-C", folder.path], ["P": "mine", "GOOGLE_CLOUD_PROJECT": "theirs"])
    #expect(result.status == 0)
    let rows = result.output.split(separator: "\n").map {
      $0.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
    }
    #expect(rows[0] == ["KEY", "VALUE", "FROM"])
    #expect(rows.contains(["app.name", "Chat", "firetally.yml:1"]))
    #expect(
      rows.contains(["firestore.project", "theirs", "environment,", "GOOGLE_CLOUD_PROJECT"]))
    #expect(rows.contains(["time_zone", "UTC", "default"]))
    #expect(rows.contains(["firestore.credentials", "-", "not", "set"]))
  }

  @Test func `config show --json has one object for each key, of a job too`() async throws {
    let folder = try workspace("hooks: {on_failure: {command: 'tell ${WHOM}'}}")
    let result = try await run(
      ["config", "show", "settle", "--json", "-C", folder.path], ["WHOM": "me"])
    let lines = result.output.split(separator: "\n").map(String.init)
    #expect(
      lines.contains(
        #"{"file":"firetally.yml","job":"settle","key":"hooks.on_failure.command","line":2,"#
          + #""message_type":"config_value","source":"file","value":"tell ***","variables":["WHOM"]}"#
      ))
    #expect(
      lines.contains(
        #"{"file":null,"job":"settle","key":"timeout","line":null,"message_type":"config_value","#
          + #""source":"default","value":null,"variables":[]}"#))
    #expect(
      try await run(["config", "show", "setle", "-C", folder.path], ["WHOM": "me"]).status == 64)
  }

  @Test
  func `a variable that is not set ends with 65, in a job file for that job alone`() async throws {
    let folder = try workspace("firestore: {project: '${NO_SUCH_PROJECT}'}")
    let result = try await run(["status", "-C", folder.path])
    #expect(result.status == 65)
    #expect(
      result.errors.contains(
        "firetally.yml:2:22: firestore.project: the environment variable NO_SUCH_PROJECT is not set"
      ))
    #expect(
      try await run(["jobs", "-C", folder.path], ["NO_SUCH_PROJECT": "p"]).status == 0)
    try folder.write("kind: settle\ndescription: ${NO_TEXT}\n", to: "jobs/settle.yml")
    let job = try await run(["run", "settle", "-C", folder.path], ["NO_SUCH_PROJECT": "p"])
    #expect(job.status == 65 && job.errors.contains("jobs/settle.yml:2:14: description:"))
    try folder.write("app: {name: 5, bundle_id: com.a.b}\n", to: "firetally.yml")
    #expect(try await run(["status", "-C", folder.path]).status == 78)
  }

  @Test func `config schema prints what init writes, and --write writes it again`() async throws {
    let folder = try TemporaryFolder()
    #expect(try await run(["init", folder.path]).status == 0)
    for (word, path) in [("workspace", "schema/firetally.json"), ("job", "schema/job.json")] {
      let printed = try await run(["config", "schema", word])
      #expect(printed.status == 0)
      #expect(try folder.text(of: path) == printed.output)
      try folder.write("{}", to: path)
    }
    #expect(try await run(["config", "schema", "--write", "-C", folder.path]).status == 0)
    #expect(try folder.text(of: "schema/job.json").contains("draft/2020-12"))
    #expect(try await run(["config", "schema", "job", "--write"]).status == 64)
    #expect(try await run(["config", "schema", "jobs"]).status == 64)
    #expect(try await run(["config", "schema", "--write", "-C", "/nonexistent"]).status == 78)
  }

  @Test func `FIRETALLY_WORKSPACE names the workspace, and -C wins over it`() async throws {
    let (one, two) = (try workspace("time_zone: UTC"), try workspace("time_zone: Asia/Tokyo"))
    func zone(_ arguments: [String], _ variable: String?) async throws -> String? {
      let environment = variable.map { ["FIRETALLY_WORKSPACE": $0] } ?? [:]
      let result = try await run(["config", "show", "--json"] + arguments, environment)
      return ["UTC", "Asia/Tokyo"].first { result.output.contains(#""value":"\#($0)""#) }
    }
    #expect(try await zone([], one.path) == "UTC")
    #expect(try await zone([], two.path) == "Asia/Tokyo")
    #expect(try await zone(["-C", two.path], one.path) == "Asia/Tokyo")
    #expect(try await zone(["-C", one.path], "") == "UTC")
    #expect(try await run(["status"], ["FIRETALLY_WORKSPACE": "/nonexistent"]).status == 78)
    let made = try TemporaryFolder()
    #expect(try await run(["init"], ["FIRETALLY_WORKSPACE": made.path + "/w"]).status == 0)
    #expect(FileManager.default.fileExists(atPath: made.path + "/w/firetally.yml"))
  }
}
