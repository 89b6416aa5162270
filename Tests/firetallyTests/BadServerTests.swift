import Fixtures
import Foundation
import Model
import Store
import StoreTesting
import Testing

/// The shipped job, run as cron runs it, against a server that answers nonsense.
@Suite struct BadServerTests {
  private let workspace: TemporaryWorkspace
  private let before: [String]

  /// Begins with the users of a sound server in the database.
  init() async throws {
    workspace = try await TemporaryWorkspace(users: 20)
    _ = try await workspace.run("run", "online-users")
    before = try workspace.userIds()
    try #require(!before.isEmpty)
    try workspace.write(
      "kind: sync-users\ncollection: Users\npage_size: 2\nmax_documents: all\n",
      to: "jobs/online-users.yml")
  }

  /// Runs the job 50 minutes later, when its users are stale.
  private func run(_ answers: [ScriptedAnswer]) async throws -> (BuiltProgram.Result, Int) {
    let server = try ScriptedServer(answers: answers)
    let later = TemporaryWorkspace.morning + .seconds(3_000)
    let program = BuiltProgram(environment: ["FIRESTORE_EMULATOR_HOST": server.host])
    let result = try await program.run(
      "run", "online-users", "-C", workspace.folder.path, "--now", later.description)
    return (result, server.requests.count)
  }

  private static func element(_ id: String, _ field: String = "") -> String {
    let name = "projects/demo/databases/(default)/documents/Users/\(id)"
    return #"{"document":{"name":"\#(name)","fields":{"User_id":{"stringValue":"\#(id)"},"#
      + #""User_name":{"stringValue":"Anna"},"last_time_seen":"#
      + #"{"timestampValue":"2026-01-31T08:30:00Z"}\#(field)}},"readTime":"2026-01-31T09:00:00Z"}"#
  }

  private static func page(_ elements: String...) -> ScriptedAnswer {
    .json("[\(elements.joined(separator: ","))]")
  }

  @Test
  func `pages that take turns for ever end with 69 and one line, and spoil no row`() async throws {
    let pages = (1...3).map { Self.page(Self.element("user-\($0)a"), Self.element("user-\($0)b")) }
    let (result, requestCount) = try await run((0..<60).map { pages[$0 % 3] })
    #expect(result.status == 69)
    #expect(result.errors.contains("the load would never end"))
    #expect(result.errors.split(separator: "\n").count == 1)
    #expect(requestCount <= 12)
    #expect(try Set(workspace.userIds()).isSuperset(of: before))
    #expect(try workspace.userIds().count <= before.count + 6)
  }

  @Test(arguments: ["x", "a\\n", "\u{1F338}"])
  func `a name of a megabyte is quoted with 2,000 characters, on terminal and in the ledger`(
    unit: String
  ) async throws {
    let id = String(repeating: unit, count: 1 << 18)
    let name = "projects/demo/databases/(default)/documents/Others/\(id)"
    let (result, _) = try await run([
      .json(#"[{"document":{"name":"\#(name)","fields":{}}}]"#)
    ])
    #expect(result.status == 69)
    #expect(result.errors.count < 2_500)
    #expect(result.errors.contains("the server answered with `projects/demo/"))
    #expect(result.errors.contains("but nobody asked for it (HTTP 200). Check the address"))
    let error = try workspace.store().read { try $0.lastRuns() }["online-users"]?.error
    #expect((error ?? "").unicodeScalars.count < 2_500)
    #expect(error?.contains("but nobody asked for it") == true)
  }

  @Test
  func `white space without end ends with 69 once pages have one document, and spoils no row`()
    async throws
  {
    let head = Array("HTTP/1.1 200 OK\r\n\r\n[".utf8)
    let spaces = [UInt8](repeating: 0x20, count: 1 << 20)
    let (result, requestCount) = try await run([
      ScriptedAnswer([.send(head), .sendForEver(spaces)])
    ])
    #expect(result.status == 69)
    #expect(result.errors.contains("more than the 67108864 bytes allowed"))
    // A page of 2 documents and one of 1: docs/loads.md#page-size.
    #expect(requestCount == 2)
    #expect(try workspace.userIds() == before)
  }

  @Test
  func `an unreadable field that a user can do without is left empty, counted, status 0`()
    async throws
  {
    let (result, _) = try await run([
      Self.page(
        Self.element("user-1", #","User_age":{"integerValue":"9223372036854775808"}"#),
        Self.element("user-2", #","User_image":{"doubleValue":"NaN"}"#)),
      Self.page(Self.element("user-3")),
    ])
    #expect(result.status == 0, "\(result.errors)")
    let run = try #require(try workspace.store().read { try $0.lastRuns() }["online-users"])
    #expect(run.outcome == .ok)
    #expect(run.counts.inserted == 3)
    #expect(run.counts.skipped.isEmpty)
    #expect(run.warnings == ["Unreadable and left empty: User_age 1, User_image 1."])
    let users = try workspace.store().read { try $0.users(limit: 10).users }
    #expect(users.first { $0.userId == "user-1" }?.text(.age) == "")
  }

  @Test func `documents of wrong types are skipped and counted, with status 3`() async throws {
    let (result, _) = try await run([
      Self.page(
        Self.element("user-1", #","User_name":{"integerValue":"9223372036854775808"}"#),
        Self.element("user-2", #","User_name":{"doubleValue":"NaN"}"#)),
      Self.page(Self.element("user-3")),
    ])
    #expect(result.status == 3)
    let run = try #require(try workspace.store().read { try $0.lastRuns() }["online-users"])
    #expect(run.counts.fetched == 3)
    #expect(run.counts.inserted == 1)
    #expect(run.counts.skipped == ["bad-field:User_name": 2])
    #expect(try workspace.userIds() == (before + ["user-3"]).sorted())
  }
}
