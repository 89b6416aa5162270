import Emulator
import Firestore
import Model
import Store
import StoreTesting
import Testing

/// The built program with jobs of kind `sync-collection` that keep a whole copy true.
@Suite struct CollectionCopyTests {
  private static let table = SyncTable.collection(
    name: "Items", columns: [SyncTable.Column("n", .integer)], hasDocument: false)

  private let workspace: TemporaryWorkspace

  init() async throws {
    workspace = try await TemporaryWorkspace(users: 1)
    try put(1...40)
  }

  /// Items of three shops, each changed a minute after the one before.
  private func put(_ numbers: ClosedRange<Int>) throws {
    let root = ResourceName(project: "demo")
    try workspace.server.documents.seed(
      numbers.map { number in
        let minutes = Int64(number - 100) * 60_000_000
        return Document(
          name: try root.appending(path: Self.path(number)).description,
          fields: [
            "n": .integer(Int64(number)), "isOpen": .boolean(number > 1),
            "changed": .timestamp(
              Timestamp(microseconds: TemporaryWorkspace.morning.microseconds + minutes)),
          ])
      })
  }

  private static func path(_ number: Int) -> String { "Shops/s\(number % 3)/Items/i\(number)" }

  private func remove(_ numbers: Int...) throws {
    let root = ResourceName(project: "demo")
    _ = try workspace.server.documents.commit(
      numbers.map {
        StoredWrite(Write(.delete(name: try root.appending(path: Self.path($0)).description)))
      })
  }

  private func job(_ keys: String) throws {
    try workspace.write(
      "kind: sync-collection\ncollection_group: Items\npage_size: 5\ncolumns: {n: n INTEGER}\n"
        + "\(keys)\n", to: "jobs/items.yml")
  }

  private func run(hour: Int64 = 0, expecting status: Int32 = 0) async throws -> Run {
    let result = try await workspace.run(
      "run", "items", at: TemporaryWorkspace.morning + .seconds(hour * 3_600))
    #expect(result.status == status, "\(result.errors)")
    return try #require(try workspace.store().read { try $0.lastRuns() }["items"])
  }

  private func rows() throws -> Int {
    try workspace.store().read { try $0.mirrorCounts(of: Self.table) }.rows
  }

  private func tombstones() throws -> [String] {
    try workspace.store().read { try $0.tombstones(of: Self.table) }.keys.sorted()
  }

  @Test func `the second run of an incremental job reads only what changed`() async throws {
    try job("incremental: {field: changed, overlap: 30s}")
    #expect(try await run().counts.inserted == 40)
    try put(50...51)
    let later = try await run(hour: 1)
    #expect(later.counts.fetched == 3)
    #expect(later.counts.inserted == 2)
    #expect(try rows() == 42)
  }

  @Test
  func `rows of deleted documents go once the count has drifted, and leave tombstones`()
    async throws
  {
    try job("deletes: drift")
    #expect(try await run().counts.deleted == 0)
    try remove(7, 8)
    let later = try await run(hour: 1)
    #expect(later.counts.deleted == 2)
    #expect(try rows() == 38)
    #expect(try tombstones() == [Self.path(7), Self.path(8)])
  }

  @Test func `more than max_delete allows stays, and the run is partial`() async throws {
    try job("deletes: drift\nmax_delete: 1")
    _ = try await run()
    try remove(7, 8)
    let later = try await run(hour: 1, expecting: 3)
    #expect(later.counts.deleted == 0)
    #expect(later.warnings.contains { $0.contains("max_delete (1) allows 1: nothing was deleted") })
    #expect(try rows() == 40)
    #expect(try tombstones().isEmpty)
  }

  @Test func `a row whose document no longer passes the filter is gone`() async throws {
    try job("deletes: drift")
    _ = try await run()
    try job("deletes: drift\nwhere: [{field: isOpen, op: '==', value: true}]")
    #expect(try await run(hour: 1).counts.deleted == 1)
    #expect(try tombstones() == [Self.path(1)])
  }

  @Test
  func `a plan prices the load, the counts and the list, also before the table is there`()
    async throws
  {
    try job("incremental: {field: changed}\ndeletes: sweep")
    let result = try await workspace.run("plan", "items")
    #expect(result.status == 0, "\(result.errors)")
    // A load of 40 and the page that finds its end, three counts, and 40 names in one page.
    #expect(result.output.contains("84"), "\(result.output)")
  }

  @Test
  func `a group in four parts, killed and run again, has the rows of one in one go`() async throws {
    try job("partitions: 4")
    workspace.server.inject(.delay(.milliseconds(20)), times: nil)
    for kill in 1...3 {
      let running = try workspace.start(["run", "items"])
      try await Task.sleep(for: .milliseconds(60 * kill))
      running.kill()
      _ = try await running.wait()
    }
    workspace.server.clearFaults()
    _ = try await run(hour: 2)
    #expect(try rows() == 40)
    #expect(workspace.server.requests.contains { $0.path.hasSuffix(":partitionQuery") })
    try job("partitions: 1\ndeletes: sweep")
    let whole = try await run(hour: 3)
    #expect(whole.counts.unchanged == 40)
    #expect(whole.counts.deleted == 0)
  }
}
