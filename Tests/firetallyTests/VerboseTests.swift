import Emulator
import Foundation
import Testing

@testable import firetally

@Suite struct VerboseTests {
  @Test func `-v names credentials and pages, -vv requests, and neither a token`() async throws {
    let workspace = try await TemporaryWorkspace(users: 60)
    let plain = try await workspace.run("run", "online-users", "--force")
    #expect(!plain.errors.contains("debug") && !plain.errors.contains("trace"))
    let steps = try await workspace.run("run", "online-users", "--force", "-v")
    #expect(steps.errors.contains("debug: Credentials: none, because FIRESTORE_EMULATOR_HOST"))
    #expect(steps.errors.contains("debug: online-users: Page 1: 50 documents."))
    // Page 2 asks whether the field has numbers, too: docs/loads.md#two-types.
    #expect(steps.errors.contains("debug: online-users: Page 2: 0 documents."))
    #expect(steps.errors.contains("debug: online-users: Page 3: 10 documents."))
    #expect(!steps.errors.contains("documents:runQuery"))
    let requests = try await workspace.run("run", "online-users", "--force", "-vv")
    #expect(requests.errors.contains("trace: POST http://\(workspace.server.address)/v1/"))
    #expect(requests.errors.contains("documents:runQuery: 200 in "))
    #expect(requests.errors.contains("Page 1: 50 documents."))
    #expect(!requests.errors.contains("owner") && !requests.errors.contains("Bearer"))
    let twice = try await workspace.run(
      "run", "online-users", "--force", "--verbose", "--verbose", "--log-format", "json")
    #expect(twice.errors.contains(#""level":"trace""#))
  }

  @Test func `-v and the log of the run tell the use of a feature as the app does`() async throws {
    let workspace = try await TemporaryWorkspace(users: 1)
    let refreshed = try await workspace.run("refresh", "-v")
    #expect(refreshed.errors.contains("debug: online-users: Usage: 1/2\n"))
    #expect(try await workspace.run("runs", "show", "1").output.contains("Usage: 1/2"))
    #expect(try await !workspace.run("refresh").errors.contains("Usage:"))
    let blocked = try await workspace.run("refresh", "-v")
    #expect(blocked.status == 75 && !blocked.errors.contains("Usage:"))
    #expect(try await !workspace.run("runs", "show", "3").output.contains("Usage:"))
    #expect(
      try await workspace.run("search", "a", "-v").errors.contains("debug: search: Usage: 1/2\n"))
    #expect(
      try await workspace.run("limits", "use", "filter", "-v").errors.contains(
        "debug: filter: Usage: 1/2\n"))
    #expect(
      try await !workspace.run("limits", "use", "message", "-v").errors.contains("Usage:"))
    _ = try await workspace.run("tier", "set", "lite")
    #expect(try await workspace.run("search", "a", "-v").errors.contains("Usage: 1/2\n"))
  }

  @Test func `a ping leaves its host in the log, and not its address`() async throws {
    let workspace = try await TemporaryWorkspace(users: 1)
    try workspace.write(
      """
      kind: settle
      hooks: {on_success: {ping: "http://\(workspace.server.address)/secret-uuid"}}
      """, to: "jobs/settle.yml")
    let result = try await workspace.run("run", "settle", "-vv")
    #expect(result.errors.contains("trace: GET http://\(workspace.server.address): "))
    #expect(!result.errors.contains("secret-uuid"), "\(result.errors)")
  }

  @Test func `quiet and verbose exclude each other, however often`() async throws {
    let workspace = try await TemporaryWorkspace(users: 1)
    for flags in [["-q", "-v"], ["-q", "-vv"]] {
      #expect(try await workspace.run(["status"] + flags).status == 64)
    }
    #expect(try await workspace.run(["-vv", "jobs"]).status == 0)
  }
}

@Suite struct ColourTests {
  @Test(
    arguments: [
      (true, [:], true), (false, [:], false), (true, ["NO_COLOR": "1"], false),
      (true, ["NO_COLOR": ""], true), (false, ["CLICOLOR_FORCE": "1"], true),
      (false, ["CLICOLOR_FORCE": "0"], false), (false, ["CLICOLOR_FORCE": ""], false),
      (true, ["CLICOLOR_FORCE": "0"], true), (true, ["CLICOLOR": "0"], false),
      (true, ["CLICOLOR": "1"], true), (true, ["CLICOLOR": "0", "CLICOLOR_FORCE": "1"], true),
      (false, ["NO_COLOR": "1", "CLICOLOR_FORCE": "1"], false),
      (true, ["TERM": "dumb"], false), (true, ["TERM": "xterm"], true), (true, ["TERM": ""], true),
      (true, ["TERM": "dumb", "CLICOLOR_FORCE": "1"], true),
    ] as [(Bool, [String: String], Bool)])
  func `variables decide about colours, and NO_COLOR has the last word`(
    isTerminal: Bool, environment: [String: String], hasColour: Bool
  ) {
    #expect(Output.hasColour(onTerminal: isTerminal, environment: environment) == hasColour)
  }

  @Test func `status colours the state of each job, and nothing without colours`() async throws {
    let workspace = try await TemporaryWorkspace(users: 1)
    _ = try await workspace.run("run", "settings")
    var program = workspace.program
    program.environment["CLICOLOR_FORCE"] = "1"
    let arguments = ["status", "-C", workspace.folder.path, "--now", "2026-01-31T08:00:00Z"]
    let coloured = try await program.run(arguments).output
    #expect(coloured.contains("\u{1B}[32m") && coloured.contains("\u{1B}[0m"))
    let plain = try await program.run(arguments + ["--no-color"]).output
    #expect(!plain.contains("\u{1B}"))
    let stripped = coloured.replacing(/\u{1B}\[[0-9]+m/, with: "")
    #expect(stripped == plain)
  }
}
