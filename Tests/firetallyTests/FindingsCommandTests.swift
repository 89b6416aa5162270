import Emulator
import Firestore
import Foundation
import Model
import Testing

@testable import firetally

/// `firetally findings`; see `docs/findings.md#list`.
@Suite struct FindingsCommandTests {
  private static let id = "runs-job-settings"

  /// A workspace whose settings could not be read.
  private func failed() async throws -> TemporaryWorkspace {
    let workspace = try await TemporaryWorkspace()
    workspace.server.inject(.status(.permissionDenied), times: 1, matching: "AppSettings")
    #expect(try await workspace.run("run", "settings").status == 77)
    return workspace
  }

  private func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test func `it lists what is open, and ends with 1 only when that is asked for`() async throws {
    let workspace = try await failed()
    let listed = try await workspace.run("findings")
    #expect(listed.status == 0 && listed.errors.isEmpty)
    #expect(listed.output.contains("settings failed") && listed.output.contains("Id: \(Self.id)"))
    #expect(listed.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
    #expect(try await workspace.run("findings", "list").output == listed.output)
    #expect(try await workspace.run("findings", "--exit-code").status == 1)
    let json = try object(try await workspace.run("findings", "--json").output)
    #expect(json["message_type"] as? String == "findings" && json["schemaVersion"] as? Int == 1)
    let findings = try #require(json["findings"] as? [[String: Any]])
    #expect(findings.contains { $0["id"] as? String == Self.id })
  }

  @Test func `one that is acknowledged leaves status, summary and list, and comes back`()
    async throws
  {
    let workspace = try await failed()
    #expect(try await workspace.run("status").status == 1)
    let done = try await workspace.run(
      "findings", "ack", Self.id, "--until", "2026-02-02", "--json")
    #expect(done.status == 0)
    #expect(try object(done.output)["until"] as? String == "2026-02-02")
    let status = try await workspace.run("status")
    #expect(status.status == 0 && status.output.contains("Acknowledged: \(Self.id)"))
    #expect(!status.output.contains("error:"))
    let list = try await workspace.run("findings", "--exit-code")
    #expect(list.output.contains("1 acknowledged until 2 Feb 2026: \(Self.id)."))
    #expect(!list.output.contains("settings failed"))
    #expect(
      try await workspace.run("findings", "--all").output.contains(
        "Acknowledged until 2 Feb 2026."))
    #expect(
      try await workspace.run("report", "--summary").output.contains("settings failed") == false)
    let later = TemporaryWorkspace.morning + .seconds(2 * 86_400)
    #expect(try await workspace.run("status", at: later).status == 1)
    #expect(try await workspace.run("findings", "unack", Self.id).status == 0)
    #expect(try await workspace.run("status").status == 1)
  }

  @Test func `an unknown id names what is open or acknowledged, and a day must be right`()
    async throws
  {
    let workspace = try await failed()
    let wrong = try await workspace.run("findings", "ack", "runs-job-setting")
    #expect(wrong.status == 64)
    #expect(wrong.errors.contains("Did you mean '\(Self.id)'?"))
    #expect(wrong.errors.contains("There are: "))
    for (arguments, message) in [
      (["ack", Self.id, "--until", "2026-01-31"], "--until takes a day after today, 2026-01-31."),
      (["ack", Self.id, "--until", "tomorrow"], "tomorrow"),
      (["list", "--at", "2026-01-31"], "--at takes a day before today, 2026-01-31."),
      (["list", "--at", "2026-02-30"], "2026-02-30"),
      (["unack", Self.id], "No finding '\(Self.id)' is acknowledged. None is."),
    ] {
      let refused = try await workspace.run(["findings"] + arguments)
      #expect(refused.status == 64 && refused.errors.contains(message), "\(refused.errors)")
    }
    #expect(try await workspace.run("findings", "--at", "2026-01-30").status == 0)
  }

  @Test func `without a database it lists what jobs say, and makes none`() async throws {
    let workspace = try await TemporaryWorkspace()
    #expect(try await workspace.run("findings").status == 0)
    let data = workspace.folder.appendingPathComponent("data/firetally.sqlite").path
    #expect(!FileManager.default.fileExists(atPath: data))
  }
}
