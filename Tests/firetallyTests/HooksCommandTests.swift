import Emulator
import Firestore
import Fixtures
import Foundation
import Testing

/// `firetally hooks test`, and what hooks send over the wire.
@Suite struct HooksCommandTests {
  private func lines(_ text: String) -> [String] {
    text.split(separator: "\n").map(String.init)
  }

  @Test func `each hook is tried once, and all answers are shown`() async throws {
    let workspace = try await TemporaryWorkspace()
    let sink = try ScriptedServer { $0.target == "/bad" ? .response(500, "") : .response("ok") }
    try workspace.add(
      """
      hooks:
        on_failure: {ping: "\(sink.url)/all", body: slack}
        on_success: {command: "cat > read.txt; echo said", body: text}
      """)
    try workspace.write(
      "kind: settle\nhooks: {on_failure: {ping: '\(sink.url)/bad'}}\n", to: "jobs/settle.yml")
    let result = try await workspace.run("hooks", "test")
    #expect(result.status == 1)
    #expect(
      lines(result.output) == [
        "ok    on_failure of events and 6 more got status 200 from 127.0.0.1.",
        "FAIL  on_failure of settle got status 500 from 127.0.0.1.",
        "ok    on_success of events and 7 more ended with status 0.",
      ])
    #expect(result.errors.contains("events: said"))
    let requests = sink.requests
    #expect(requests.map(\.method) == ["POST", "GET"])
    #expect(requests[0].text.hasPrefix(#"{"text":"This is a test of the hooks; no such run took"#))
    let read = workspace.folder.appendingPathComponent("read.txt")
    #expect(try String(contentsOf: read, encoding: .utf8).contains("ChatHub: events ended: ok."))
    #expect(
      !FileManager.default.fileExists(atPath: workspace.folder.path + "/data/firetally.sqlite"))
  }

  @Test func `one event of one job, as JSON`() async throws {
    let workspace = try await TemporaryWorkspace()
    try workspace.write(
      "kind: settle\nhooks: {on_start: {command: exit 3}, on_failure: {command: 'true'}}\n",
      to: "jobs/settle.yml")
    let result = try await workspace.run(
      "hooks", "test", "settle", "--event", "on_failure", "--json")
    #expect(result.status == 0)
    #expect(
      lines(result.output) == [
        #"{"answer":"ended with status 0","event":"on_failure","jobs":["settle"],"#
          + #""message_type":"hook_test","succeeded":true}"#
      ])
    #expect(try await workspace.run("hooks", "test", "settle").status == 1)
  }

  @Test
  func `without hooks nothing runs, and a wrong job, file or event is refused`() async throws {
    let workspace = try await TemporaryWorkspace()
    let result = try await workspace.run("hooks", "test")
    #expect(result.status == 0 && result.output.contains("the workspace has none"))
    #expect(try await workspace.run("hooks", "test", "setings").status == 64)
    #expect(try await workspace.run("hooks", "test", "--event", "on_sucess").status == 64)
    try workspace.write("kind: settle\nx: 1\n", to: "jobs/settle.yml")
    #expect(try await workspace.run("hooks", "test", "settle").status == 65)
  }

  @Test func `a check hears of the start and of the failure, with the reason`() async throws {
    let workspace = try await TemporaryWorkspace()
    let sink = try ScriptedServer { _ in .response("OK") }
    let hook = "{ping: \"\(sink.url)/key/{job}\", healthchecks: true}"
    try workspace.add("hooks: {on_start: \(hook), on_failure: \(hook), on_success: \(hook)}")
    workspace.server.inject(.status(.permissionDenied), times: 1, matching: "AppSettings")
    #expect(try await workspace.run("run", "settings").status == 77)
    #expect(try await workspace.run("run", "settings").status == 0)
    let requests = sink.requests
    #expect(
      requests.map(\.target) == [
        "/key/settings/start", "/key/settings/fail", "/key/settings/start", "/key/settings",
      ])
    #expect(requests.allSatisfy { $0.method == "POST" })
    #expect(requests[1].text.contains("ChatHub: settings failed.\nRun 1, exit code 77, "))
    #expect(requests[1].text.contains("\nError: "))
    #expect(requests[3].text.hasPrefix("ChatHub: settings works again, after 1 run that failed."))
  }

  @Test func `a plain ping is a GET request without a body, as ever`() async throws {
    let workspace = try await TemporaryWorkspace()
    let sink = try ScriptedServer { _ in .response("OK") }
    try workspace.write(
      "kind: sync-settings\nhooks: {on_success: {ping: '\(sink.url)/a'}}\n",
      to: "jobs/settings.yml")
    #expect(try await workspace.run("run", "settings").status == 0)
    #expect(sink.requests.map(\.method) == ["GET"])
    #expect(sink.requests.map(\.target) == ["/a"] && sink.requests[0].body.isEmpty)
  }
}
