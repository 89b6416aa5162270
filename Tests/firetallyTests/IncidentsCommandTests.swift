import Emulator
import Firestore
import Foundation
import Model
import Testing

/// `firetally incidents`, and whom the built program tells: docs/incidents.md.
@Suite struct IncidentsCommandTests {
  private let morning = TemporaryWorkspace.morning

  private func notify(_ command: String, in workspace: TemporaryWorkspace) throws {
    let file = workspace.folder.appendingPathComponent("firetally.yml")
    let text = try String(contentsOf: file, encoding: .utf8)
    try workspace.write("\(text)\nnotify: '\(command)'\n", to: "firetally.yml")
  }

  @Test func `a failure is told to notify when it begins and when it ends`() async throws {
    let workspace = try await TemporaryWorkspace()
    let heard = workspace.folder.appendingPathComponent("heard").path
    try notify(#"echo "$FIRETALLY_MOMENT $FIRETALLY_HEADLINE" >> heard"#, in: workspace)
    #expect(try await workspace.run("incidents").output == "No incident is recorded.\n")
    workspace.server.inject(.status(.permissionDenied), times: nil, matching: "AppSettings")
    for minute in [0, 1] {
      let result = try await workspace.run(
        ["run", "settings"], at: morning + .seconds(60 * minute))
      #expect(result.status == 77 && result.errors.isEmpty)
    }
    #expect(try String(contentsOfFile: heard, encoding: .utf8) == "began settings fails\n")
    let list = try await workspace.run(["incidents", "--open"], at: morning + .seconds(120))
    #expect(list.output.contains("settings fails") && list.output.contains("Open:"))
    let json = try await workspace.run(["incidents", "--json"], at: morning + .seconds(120))
    #expect(json.output.contains(#""kind":"failure""#) && json.output.contains(#""runs":2"#))
    workspace.server.clearFaults()
    _ = try await workspace.run(["run", "settings"], at: morning + .seconds(180))
    #expect(
      try String(contentsOfFile: heard, encoding: .utf8)
        == "began settings fails\nended settings works again\n")
    #expect(try await workspace.run("incidents", "--open").output == "No incident is open.\n")
  }

  @Test func `a message that cannot be sent is printed once, with why`() async throws {
    let workspace = try await TemporaryWorkspace()
    try notify("exit 3", in: workspace)
    workspace.server.inject(.status(.permissionDenied), times: nil, matching: "AppSettings")
    let first = try await workspace.run(["run", "settings"], at: morning)
    #expect(first.errors.contains("The message to notify was not sent: it ended with the status 3"))
    #expect(first.errors.contains(" error: settings: "))
    #expect(try await workspace.run(["run", "settings"], at: morning).errors.isEmpty)
  }

  @Test func `a firetally.yml that is wrong is told once a day, and that it is right again`()
    async throws
  {
    let workspace = try await TemporaryWorkspace()
    _ = try await workspace.run(["run", "settings"], at: morning)
    let good = try String(
      contentsOf: workspace.folder.appendingPathComponent("firetally.yml"), encoding: .utf8)
    try workspace.write("app: [\n", to: "firetally.yml")
    func run(_ hours: Int, minutes: Int = 0) async throws -> BuiltProgram.Result {
      try await workspace.run(
        ["run", "settings"], at: morning + .seconds(3_600 * hours + 60 * minutes))
    }
    for (hours, isTold) in [(1, true), (2, false), (24, false), (25, true)] {
      let result = try await run(hours)
      #expect(result.status == 78 && result.errors.isEmpty != isTold, "\(hours)")
    }
    try workspace.write(good, to: "firetally.yml")
    #expect(
      try await run(25, minutes: 5).errors.contains("The configuration is right again, after "))
    #expect(try await run(25, minutes: 10).errors.isEmpty)
  }
}
