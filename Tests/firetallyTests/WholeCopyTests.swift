import Emulator
import Firestore
import Model
import Store
import StoreTesting
import Testing

/// The built program with jobs that keep a whole copy true.
@Suite struct WholeCopyTests {
  private let workspace: TemporaryWorkspace

  init() async throws {
    workspace = try await TemporaryWorkspace()
    try job("deletes: drift")
  }

  private func job(_ keys: String) throws {
    try workspace.write(
      "kind: sync-users\nmax_documents: all\npage_size: 1000\n\(keys)\n",
      to: "jobs/online-users.yml")
  }

  private func run(hour: Int64, expecting status: Int32? = nil) async throws -> Run {
    let result = try await workspace.run(
      "run", "online-users", at: TemporaryWorkspace.morning + .seconds(hour * 3_600))
    if let status { #expect(result.status == status, "\(result.errors)") }
    return try #require(try workspace.store().read { try $0.lastRuns() }["online-users"])
  }

  /// Removes documents whose users the table has; their ids.
  private func removeUsers(_ count: Int) throws -> [String] {
    let root = ResourceName(project: "demo")
    let stored = Set(try workspace.userIds())
    let documents = workspace.server.documents.documents(in: try root.appending(path: "Users"))
    let removed = documents.filter { document in
      guard case .string(let id)? = document.fields["User_id"] else { return false }
      return stored.contains(id)
    }.prefix(count)
    _ = try workspace.server.documents.commit(
      removed.map { StoredWrite(Write(.delete(name: $0.name))) })
    return removed.compactMap { document in
      if case .string(let id)? = document.fields["User_id"] { id } else { nil }
    }
  }

  @Test
  func `what is gone from the server goes from the table, once the count has drifted`() async throws
  {
    let first = try await run(hour: 0)
    #expect(first.counts.fetched == 60)
    let before = try workspace.userIds()
    #expect(try await run(hour: 1).counts.deleted == 0)
    let removed = try removeUsers(2)
    let run = try await run(hour: 2)
    #expect(run.counts.deleted == 2)
    #expect(try workspace.userIds() == before.filter { !removed.contains($0) })
    // A load of 58, the list of as many names, and two counts.
    #expect(run.counts.billedReads == 58 + 58 + 2)
    #expect(try await self.run(hour: 3).counts.billedReads == 58 + 1)
  }

  @Test
  func `a refresh that fails after its users are stored says that the use was counted`()
    async throws
  {
    workspace.server.inject(
      .status(.permissionDenied), times: nil, matching: ":runAggregationQuery")
    let result = try await workspace.run("refresh", "--json")
    #expect(result.status == 77)
    #expect(result.output.contains("The users were stored, and the use was counted."))
    #expect(try !workspace.userIds().isEmpty)
    let peek = try await workspace.run("limits", "peek", "refresh", "--json")
    #expect(peek.output.contains(#""currentUsage":1"#))
    workspace.server.inject(.status(.permissionDenied), times: nil, matching: ":runQuery")
    let second = try await workspace.run("refresh", "--json")
    #expect(second.output.contains("Nothing was counted."))
  }

  @Test func `more than max_delete allows stays, with status 3 and a reason`() async throws {
    try job("deletes: drift\nmax_delete: 1")
    _ = try await run(hour: 0)
    let before = try workspace.userIds()
    _ = try removeUsers(2)
    let run = try await run(hour: 1, expecting: 3)
    #expect(run.outcome == .partial)
    #expect(run.counts.deleted == 0)
    #expect(run.warnings.contains { $0.contains("max_delete (1) allows 1: nothing was deleted") })
    #expect(try workspace.userIds() == before)
  }

  @Test func `without the key nothing is ever deleted, and nothing is counted`() async throws {
    try job("")
    _ = try await run(hour: 0)
    let before = try workspace.userIds()
    _ = try removeUsers(2)
    let run = try await run(hour: 1)
    #expect(run.counts.deleted == 0)
    #expect(run.counts.billedReads == 58)
    #expect(try workspace.userIds() == before)
  }

  @Test func `an incremental job reads what changed, and says what it cannot see`() async throws {
    try job("incremental: {field: last_time_seen, overlap: 1m}")
    let first = try await run(hour: 0)
    #expect(first.counts.fetched == 60)
    let later = try await run(hour: 1)
    #expect(later.counts.fetched < 10)
    #expect(later.counts.inserted == 0)
    let root = ResourceName(project: "demo")
    let lacking = Document(
      name: try root.appending(path: "Users/late").description,
      fields: ["User_name": .string("Late")])
    try workspace.server.documents.seed([lacking])
    let warned = try await run(hour: 2)
    #expect(
      warned.warnings.contains { $0.hasPrefix("Documents without a time in last_time_seen") })
    #expect(try !workspace.userIds().contains("late"))
    let full = try await workspace.run(
      "run", "online-users", "--full",
      at: TemporaryWorkspace.morning + .seconds(2 * 3_600 + 60))
    // A document without the field that users are seen by is left out, which makes a run partial.
    #expect(full.status == 3, "\(full.errors)")
    let runs = try workspace.store().read { try $0.lastRuns() }
    #expect(runs["online-users"]?.counts.fetched == 61)
  }

  @Test
  func `a job that keeps a part cannot delete: its file is wrong, and the status is 65`()
    async throws
  {
    try workspace.write("kind: sync-users\ndeletes: drift\n", to: "jobs/online-users.yml")
    let result = try await workspace.run("run", "online-users")
    #expect(result.status == 65)
    #expect(result.errors.contains("deletes: needs 'max_documents: all'"))
  }
}
