import Emulator
import Firestore
import Fixtures
import Foundation
import Model
import Testing

/// `firetally incidents`, and the messages of the built program: docs/incidents.md.
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
    for minute in [3, 33] {
      let result = try await workspace.run(
        ["run", "settings"], at: morning + .seconds(60 * minute))
      #expect(result.status == 77 && result.errors.isEmpty)
    }
    #expect(try String(contentsOfFile: heard, encoding: .utf8) == "began settings fails\n")
    func later(_ minute: Int, _ arguments: String...) async throws -> BuiltProgram.Result {
      try await workspace.run(arguments, at: morning + .seconds(60 * minute))
    }
    let list = try await later(34, "incidents", "--open")
    #expect(list.output.contains("\n\nOpen:\n  settings fails: "))
    let json = try await later(34, "incidents", "--json")
    #expect(json.output.contains(#""kind":"failure""#) && json.output.contains(#""runs":2"#))
    workspace.server.clearFaults()
    _ = try await later(35, "run", "settings")
    #expect(
      try String(contentsOfFile: heard, encoding: .utf8)
        == "began settings fails\nended settings works again\n")
    #expect(try await later(36, "incidents", "--open").output == "No incident is open.\n")
  }

  @Test func `an incident that is acknowledged leaves status and list of what needs you`()
    async throws
  {
    let workspace = try await TemporaryWorkspace()
    workspace.server.inject(.status(.permissionDenied), times: nil, matching: "AppSettings")
    _ = try await workspace.run("run", "settings")
    #expect(try await workspace.run("status").status == 1)
    let later = morning + .seconds(60)
    #expect(try await workspace.run(["incidents", "ack", "7"], at: later).status == 64)
    #expect(
      try await workspace.run(["incidents", "ack", "1", "--until", "2026-01-31"], at: later).status
        == 64)
    #expect(try await workspace.run(["incidents", "ack", "1"], at: later).status == 0)
    let status = try await workspace.run(["status"], at: later)
    #expect(status.status == 0 && status.output.contains("Acknowledged: runs-job-settings"))
    let list = try await workspace.run(["incidents", "--open"], at: later)
    #expect(list.output.contains(", acknowledged\n"))
    let json = try await workspace.run(["incidents", "--json"], at: later)
    #expect(json.output.contains(#""acknowledgedAt":"2026-01-31T08:01:00"#))
    #expect(try await workspace.run(["incidents", "unack", "1"], at: later).status == 0)
    #expect(try await workspace.run(["status"], at: later).status == 1)
  }

  @Test func `a line of the command of notify stands behind no job's name`() async throws {
    let workspace = try await TemporaryWorkspace()
    try notify("echo said >&2; exit 3", in: workspace)
    let result = try await workspace.run("hooks", "test")
    #expect(result.status == 1 && result.errors.contains(" info: said\n"), "\(result.errors)")
  }

  @Test func `a message that cannot be sent is printed once, with why`() async throws {
    let workspace = try await TemporaryWorkspace()
    try notify("exit 3", in: workspace)
    workspace.server.inject(.status(.permissionDenied), times: nil, matching: "AppSettings")
    let first = try await workspace.run(["run", "settings"], at: morning)
    #expect(first.errors.contains("The message to notify was not sent: it ended with status 3"))
    #expect(first.errors.contains(" error: settings: "))
    let again = try await workspace.run(["run", "settings", "--quiet"], at: morning)
    #expect(again.errors.isEmpty)
  }

  @Test func `with --verbose, too, it is printed that a message was not sent`() async throws {
    let workspace = try await TemporaryWorkspace()
    try notify("exit 3", in: workspace)
    workspace.server.inject(.status(.permissionDenied), times: nil, matching: "AppSettings")
    let result = try await workspace.run(["run", "settings", "--verbose"], at: morning)
    #expect(result.errors.contains("The message to notify was not sent: it ended with"))
    #expect(result.errors.components(separatedBy: " error: settings: ").count == 2)
  }

  @Test func `what --json did not print is not taken as told`() async throws {
    let workspace = try await TemporaryWorkspace()
    _ = try await workspace.run(["run", "settings"], at: morning + .seconds(86_400))
    let result = try await workspace.run(["run", "settings", "--json"], at: morning)
    #expect(result.errors.contains("dated"), "\(result.errors)")
    #expect(try await workspace.run(["run", "settings"], at: morning).errors.isEmpty)
  }

  @Test func `what --quiet did not print is told by the next run without it`() async throws {
    let workspace = try await TemporaryWorkspace()
    func run(_ minutes: Int, _ more: String...) async throws -> String {
      try await workspace.run(
        ["run", "online-users", "--force"] + more, at: morning + .seconds(60 * minutes)
      ).errors
    }
    #expect(try await run(0, "--quiet").isEmpty)
    #expect(try await run(16).contains("Partial: "))
    #expect(try await run(20).isEmpty)
  }

  @Test(
    arguments: [
      ("mail:ops@example.com\n", "notify: 'mail:ops@example.com'", 0),
      ("\n", "# notify: mail:you@example.com", 0), ("mail:\n", nil, 64),
    ] as [(String, String?, Int32)])
  func `on a terminal init asks whom to tell`(
    answer: String, line: String?, status: Int32
  ) async throws {
    let temporary = try TemporaryFolder()
    let terminal = try PseudoTerminal()
    let arguments = ["init", temporary.path + "/w", "--project", "shop-1", "--plain"]
    let process = try terminal.start(BuiltProgram(), arguments, typing: answer)
    #expect(try await terminal.read(process).contains("Who gets messages about problems?"))
    #expect(process.terminationStatus == status)
    let made = temporary.url.appendingPathComponent("w/firetally.yml").path
    #expect(FileManager.default.fileExists(atPath: made) == (line != nil))
    guard let line else { return }
    #expect(try String(contentsOfFile: made, encoding: .utf8).contains("\n\(line)\n"))
    let again = try terminal.start(BuiltProgram(), arguments, typing: answer)
    #expect(try await !terminal.read(again).contains("Whom to tell"))
  }

  @Test(arguments: ["", " ", "mail x\n# y", "mail:"])
  func `init takes no command of no or two lines`(notify: String) async throws {
    let temporary = try TemporaryFolder()
    let made = temporary.path + "/w"
    let result = try await BuiltProgram().run("init", made, "--notify", notify)
    #expect(result.status == 64 && result.errors.contains("in one line"))
    #expect(!FileManager.default.fileExists(atPath: made))
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
    // At a minute of its schedule.
    for (hours, isTold) in [(1, true), (2, false), (24, false), (25, true)] {
      let result = try await run(hours, minutes: 3)
      #expect(result.status == 78 && result.errors.isEmpty != isTold, "\(hours)")
    }
    #expect(try await run(25, minutes: 4).errors.contains("firetally.yml"))
    try workspace.write(good, to: "firetally.yml")
    #expect(
      try await run(25, minutes: 5).errors.contains("The configuration is right again, after "))
    #expect(try await run(25, minutes: 10).errors.isEmpty)
  }
}
