import Firestore
import Fixtures
import JobsTesting
import Model
import Store
import StoreTesting
import Sync
import SyncTesting
import Synchronization

@testable import Jobs
@testable import Workspace

/// A workspace whose job is loaded in shards, in one folder.
struct ShardStage: Sendable {
  let workspace: TestWorkspace
  let folder: TemporaryFolder

  static let jobs = [
    "orders": """
    kind: sync-collection
    collection: Orders
    page_size: 7
    columns: {total: total INTEGER}
    explode:
      items: {columns: {sku: sku TEXT, qty: qty INTEGER}}
    document: true
    deletes: drift
    max_delete: 50%
    """,
    "everyone": """
    kind: sync-users
    page_size: 7
    max_documents: all
    deletes: drift
    max_delete: 50%
    """,
  ]

  init(_ firestore: MemoryFirestore, jobs: [String: String] = jobs) throws {
    workspace = try TestWorkspace(jobs: jobs, firestore: firestore)
    folder = try TemporaryFolder()
  }

  /// Orders whose items and fields differ.
  static func orders(_ numbers: Range<Int>, change: Int = 0) -> [String: [String: Value]?] {
    let pairs = numbers.map { number -> (String, [String: Value]?) in
      let items = (0..<number % 4).map {
        Value.map(["sku": .string("s\($0)"), "qty": .integer(Int64(number + change))])
      }
      var fields: [String: Value] = [
        "total": .integer(Int64(number + change)), "items": .array(items),
      ]
      if number > 30 { fields["late"] = number.isMultiple(of: 2) ? .string("x") : .boolean(true) }
      return ("Orders/o\(1_000 + number)", fields)
    }
    return Dictionary(uniqueKeysWithValues: pairs)
  }

  @discardableResult
  func plan(
    _ job: String, shards: Int, at now: Instant = .morning, counts: Bool = true,
    isRecoverable: Bool = false, named name: String = "plan.json"
  ) async throws -> StoredShardPlan {
    let context = try workspace.context(at: ManualClock(start: now))
    let planner = try ShardPlanner(
      job: job, shards: shards, isRecoverable: isRecoverable, counts: counts, context)
    let plan = try await AdHocReads.perform(for: "shard plan", maxReads: nil, context) { reads in
      let plan = try await planner.plan(reads)
      // What went over the wire, as a real client counts it.
      workspace.services.bill(reads.meter.spent)
      return (plan, "Planned.")
    }
    let path = folder.path(of: name)
    try plan.write(to: try DraftFile(for: path))
    return try ShardPlan.read(path)
  }

  @discardableResult
  func run(
    _ number: Int, of plan: StoredShardPlan, at now: Instant = .morning,
    services: Services? = nil, in folder: String? = nil
  ) async throws -> ShardManifest {
    let files = plan.files(ofShard: number, in: folder ?? self.folder.path)
    if let manifest = try files.finished() { return manifest }
    let attempt = try files.attempt()
    return try await attempt.perform(try context(attempt.store, at: now, services))
  }

  func context(
    _ store: Store, at now: Instant = .morning, _ services: Services? = nil
  ) throws -> JobContext {
    let files = workspace.folder
    return JobContext(
      workspace: files, config: try files.config(), catalog: try files.jobs(), store: store,
      services: services ?? workspace.services.services(),
      clock: ManualClock(start: now).jobClock)
  }

  func runAll(_ plan: StoredShardPlan, at now: Instant = .morning) async throws {
    for number in 1...plan.plan.shards.count { try await run(number, of: plan, at: now) }
  }

  @discardableResult
  func gather(
    _ plan: StoredShardPlan, at now: Instant = .morning, in folder: String? = nil
  ) async throws -> JobReport {
    let shards = try plan.shards(in: [folder ?? self.folder.path])
    let context = try workspace.context(at: ManualClock(start: now))
    let gather = try ShardGather(plan, shards, context)
    let reports = try await workspace.scheduler(at: ManualClock(start: now)).run(gather.job) {
      gather
    }
    return reports[0]
  }
}

/// The rows of every table but the ledger of runs, and the schema.
enum DataDump {
  static func text(of store: Store) throws -> String {
    let path = store.path
    let names = try SQLiteFile.text(
      path,
      """
      SELECT name FROM sqlite_schema WHERE type = 'table'
      AND name NOT IN ('sync_runs', 'run_logs', 'grdb_migrations') ORDER BY name
      """)
    var lines = try SQLiteFile.text(
      path, "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY sql")
    for name in names {
      let columns = try SQLiteFile.text(path, "SELECT name FROM pragma_table_info('\(name)')")
      let cells = columns.map { "quote(\"\($0)\")" }.joined(separator: " || ',' || ")
      let rest =
        switch name {
        case "marks": "WHERE name NOT GLOB 'gather*' AND name <> 'origin'"
        case "sqlite_sequence": "WHERE name <> 'sync_runs'"
        default: ""
        }
      let rows = try SQLiteFile.text(path, "SELECT \(cells) FROM \"\(name)\" \(rest)")
      lines += rows.map { "\(name): \($0)" }
    }
    return lines.joined(separator: "\n")
  }
}

extension WorkspaceError {
  /// Whether it is a problem of shards of that category, with those words.
  static func isShards(
    _ error: any Error, _ category: Category, _ words: String
  ) -> Bool {
    guard case WorkspaceError.refused(category, let sentence) = error else { return false }
    return sentence.contains(words)
  }
}

/// A Firestore in memory of which one call fails.
final class FaultyDatabase: FirestorePort {
  private struct State {
    var callsLeft = 0
    var trouble = FaultyPort.Trouble.transport
  }

  private let memory: MemoryFirestore
  private let state = Mutex(State())

  init(_ memory: MemoryFirestore) { self.memory = memory }

  /// The call of this number from now on fails, counted from 1.
  func fail(atCall number: Int, as trouble: FaultyPort.Trouble) {
    state.withLock { $0 = State(callsLeft: number, trouble: trouble) }
  }

  func page(
    of query: StructuredQuery, under parent: String?, readTime: Timestamp?,
    scan: (inout [UInt8]) throws -> ScannedPage
  ) async throws {
    try state.withLock { state in
      state.callsLeft -= 1
      if state.callsLeft == 0 { throw state.trouble.error }
    }
    try await memory.page(of: query, under: parent, readTime: readTime, scan: scan)
  }

  func count(
    of query: StructuredQuery, under parent: String?, readTime: Timestamp?
  ) async throws -> Int {
    try await memory.count(of: query, under: parent, readTime: readTime)
  }

  func document(at path: String, readTime: Timestamp?) async throws -> Document? {
    try await memory.document(at: path, readTime: readTime)
  }

  func documents(at paths: [String]) async throws -> [String: Document] {
    try await memory.documents(at: paths)
  }

  func create(documentId: String, in collection: String, fields: [String: Value]) async throws {
    try await memory.create(documentId: documentId, in: collection, fields: fields)
  }

  func create(_ documents: [String: [String: Value]]) async throws -> [String: FirestoreError] {
    try await memory.create(documents)
  }
}
