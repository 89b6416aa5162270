import Emulator
import Firestore
import Fixtures
import Foundation
import Model
import Testing

/// `firetally doctor`; see `docs/doctor.md`.
@Suite struct DoctorCommandTests {
  private static func objects(_ output: String) throws -> [[String: Any]] {
    try output.split(separator: "\n").compactMap {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
    }
  }

  private func level(_ check: String, _ objects: [[String: Any]]) -> [String] {
    objects.filter { $0["check"] as? String == check }.compactMap { $0["level"] as? String }
  }

  @Test
  func `a new workspace has warnings and no failure, and one read a job is made`() async throws {
    let workspace = try await TemporaryWorkspace()
    let result = try await workspace.run("doctor")
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(result.errors.isEmpty)
    let lines = result.output.split(separator: "\n").map(String.init)
    #expect(lines.first == "ok    configuration  firetally.yml is right.")
    #expect(
      lines.contains(
        "warn  database       There is no database yet. `firetally run --all` makes it."))
    #expect(
      lines.contains { $0.hasPrefix("ok    firestore      projects/demo/databases/(default)") })
    #expect(lines.last?.hasSuffix(" 0 failures, 1 billed read.") == true)
    #expect(workspace.userRequests == 1)
    #expect(!lines.contains { $0.hasPrefix("FAIL") })
    // Nothing was made, not even a database.
    #expect(
      !FileManager.default.fileExists(
        atPath: workspace.folder.appendingPathComponent("data/firetally.sqlite").path))
  }

  @Test func `drafts of inspect do not fail, and each is tried`() async throws {
    let workspace = try await TemporaryWorkspace(users: 20)
    let message = try ResourceName(project: "demo").appending(path: "Chats/c1/Messages/m1")
    try workspace.server.documents.seed([
      Document(name: message.description, fields: ["text": .string("hello")])
    ])
    #expect(try await workspace.run("inspect", "--write").status == 0)
    let jobs = workspace.folder.appending(path: "jobs")
    let drafts = try FileManager.default.contentsOfDirectory(atPath: jobs.path).filter {
      try String(contentsOf: jobs.appending(path: $0), encoding: .utf8).contains("\nunder: ")
    }
    #expect(!drafts.isEmpty)
    let result = try await workspace.run("doctor", "--json")
    let objects = try Self.objects(result.output)
    #expect(!level("firestore", objects).contains("fail"), "\(result.output)")
    let subjects = objects.filter { $0["check"] as? String == "firestore" }
      .compactMap { $0["subject"] as? String }
    for draft in drafts { #expect(subjects.contains(String(draft.dropLast(4)))) }
  }

  @Test func `every line as JSON has every member, and the last one counts`() async throws {
    let workspace = try await TemporaryWorkspace()
    _ = try await workspace.run("run", "settings", "online-users")
    let result = try await workspace.run("doctor", "--json")
    #expect(result.status == 0, "\(result.output)")
    let objects = try Self.objects(result.output)
    let findings = objects.dropLast()
    #expect(findings.allSatisfy { $0["message_type"] as? String == "doctor_finding" })
    #expect(
      findings.allSatisfy {
        Set($0.keys) == ["message_type", "check", "subject", "level", "message", "advice"]
      })
    #expect(level("database", objects) == ["ok"])
    let summary = try #require(objects.last)
    #expect(summary["message_type"] as? String == "doctor")
    #expect(summary["isWell"] as? Bool == true && summary["failures"] as? Int == 0)
    #expect(summary["billedReads"] as? Int == 1 && summary["isOffline"] as? Bool == false)
    let counts = ["ok", "warnings", "failures"].compactMap { summary[$0] as? Int }
    #expect(counts.reduce(0, +) == findings.count)
  }

  @Test func `offline no request is made`() async throws {
    let workspace = try await TemporaryWorkspace()
    let result = try await workspace.run("doctor", "--offline", "--json")
    #expect(result.status == 0)
    #expect(workspace.server.requests.isEmpty)
    let objects = try Self.objects(result.output)
    #expect(level("firestore", objects).isEmpty && level("clock", objects).isEmpty)
    #expect(level("credentials", objects) == ["ok"])
    #expect(objects.last?["billedReads"] as? Int == 0)
  }

  @Test
  func `a wrong configuration, a wrong job file and a broken database each fail their line`()
    async throws
  {
    let workspace = try await TemporaryWorkspace(users: 0)
    try workspace.write("kind: nosuch\n", to: "jobs/report.yml")
    try workspace.write(
      "this is no database, but a text of some length", to: "data/firetally.sqlite")
    let files = try await workspace.run("doctor", "--json")
    #expect(files.status == 1)
    let objects = try Self.objects(files.output)
    #expect(level("jobs", objects) == ["fail", "ok"])
    #expect(level("database", objects) == ["fail"])
    #expect(level("firestore", objects).first == "ok")
    #expect(level("recent-runs", objects).isEmpty)
    #expect(level("not-checked", objects) == ["warn"])
    try workspace.write("app: 7\n", to: "firetally.yml")
    let config = try await workspace.run("doctor")
    #expect(config.status == 1)
    #expect(config.output.hasPrefix("FAIL  configuration  firetally.yml:1"))
    #expect(
      config.output.contains("warn  not-checked    Not checked, since firetally.yml is wrong:"))
  }

  @Test func `a server that refuses or is not there fails the line of Firestore`() async throws {
    let workspace = try await TemporaryWorkspace()
    workspace.server.inject(.status(.permissionDenied), times: nil, matching: ":runQuery")
    let refused = try await workspace.run("doctor", "--json")
    #expect(refused.status == 1)
    // The server says what it is, and refuses what it is asked for.
    #expect(level("firestore", try Self.objects(refused.output)) == ["ok", "fail"])
    let socket = try LoopbackSocket()
    let program = BuiltProgram(environment: ["FIRESTORE_EMULATOR_HOST": "127.0.0.1:\(socket.port)"])
    let gone = try await program.run("doctor", "--json", "-C", workspace.folder.path)
    #expect(gone.status == 1)
    let objects = try Self.objects(gone.output)
    #expect(level("firestore", objects) == ["fail"] && level("clock", objects) == ["warn"])
    try await workspace.server.stop()
  }

  @Test func `another project's data fails the line of Firestore`() async throws {
    let workspace = try await TemporaryWorkspace()
    _ = try await workspace.run("run", "settings")
    let result = try await workspace.run("doctor", "--project", "other", "--json")
    #expect(result.status == 1)
    let objects = try Self.objects(result.output)
    #expect(level("firestore", objects) == ["fail"])
  }

  @Test func `outside of a workspace there is nothing to examine`() async throws {
    let folder = try TemporaryFolder()
    let result = try await BuiltProgram().run("doctor", "-C", folder.path)
    #expect(result.status == 78 && result.output.isEmpty)
  }
}
