import Emulator
import Firestore
import Foundation
import Testing

/// What scripts and crontabs rely on.
@Suite struct ScriptedUseTests {
  @Test(arguments: [["status", "-C", ""], ["run", "--all", "-C", ""], ["demo", "--into", ""]])
  func `an empty folder, as of an unset variable, is never the current one`(arguments: [String])
    async throws
  {
    let result = try await BuiltProgram().run(arguments)
    #expect(result.status == 64)
    #expect(result.errors.contains("needs a folder"))
    #expect(result.output.isEmpty)
  }

  @Test
  func `with --json the error of a job has a type, the exit status and a message`() async throws {
    let workspace = try await TemporaryWorkspace()
    workspace.server.inject(.status(.permissionDenied), times: nil, matching: "AppSettings")
    let result = try await workspace.run("run", "settings", "--json")
    let errors = try Self.objects(result.errors)
    #expect(errors.count == 1)
    #expect(errors.first?["message_type"] as? String == "error")
    #expect(errors.first?["code"] as? Int == Int(result.status))
    #expect((errors.first?["message"] as? String)?.hasPrefix("settings: ") == true)
  }

  @Test func `with --json warnings are JSON too`() async throws {
    let workspace = try await TemporaryWorkspace(users: 500)
    let result = try await workspace.run("run", "online-users", "--json")
    let warnings = try Self.objects(result.errors)
    #expect(warnings.first?["message_type"] as? String == "log")
    #expect(warnings.allSatisfy { $0["level"] as? String == "warning" })
  }

  private static func objects(_ lines: String) throws -> [[String: Any]] {
    try lines.split(separator: "\n").compactMap {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
    }
  }
}
