import Firestore
import Fixtures
import Jobs
import JobsTesting
import Model
import StoreTesting
import SyncTesting
import Synchronization
import Testing

@testable import CollectionMapping
@testable import Jobs
@testable import Store
@testable import Sync

/// Shards are merged as one pull would have stored them, wherever a merge dies.
@Suite struct GatherTests {
  private let folder: TemporaryFolder
  private let firestore = MemoryFirestore()

  init() throws {
    folder = try TemporaryFolder()
    firestore.put(Self.documents(0..<24))
  }

  private static func documents(
    _ numbers: Range<Int>, change: Int64 = 0
  ) -> [String: [String: Value]?] {
    let pairs = numbers.map { number -> (String, [String: Value]?) in
      let tags = (0..<number % 3).map { Value.string("t\($0)-\(change)") }
      return (
        "Orders/o\(100 + number)",
        ["total": .integer(Int64(number) + change), "tags": .array(tags)]
      )
    }
    return Dictionary(uniqueKeysWithValues: pairs)
  }

  private static func request(_ range: ShardRange? = nil) -> CollectionPullRequest {
    var options = PullOptions(job: "orders", pageSize: 5, now: .morning)
    options.range = range
    return CollectionPullRequest(
      source: CollectionSource(collectionId: "Orders"), tableName: "Orders",
      columns: [MappedColumn(name: "total", path: FieldPath(segments: ["total"]), kind: .integer)],
      hasDocument: true,
      exploded: [
        ExplodedField(
          tableName: "Orders_tags", path: ValuePath(FieldPath(segments: ["tags"])),
          columns: [
            MappedColumn(name: "tag", source: .field(ValuePath(steps: [])), kind: .text)
          ])
      ], options: options)
  }

  /// Reads three shards into files of their own.
  private func shards(_ name: String) async throws -> (shards: [ShardMerge.Shard], at: Instant) {
    let time = try #require(try await firestore.presentTime(of: Self.request().pull))
    let cuts = try await SplitPointSearch(port: firestore, reads: ReadBudgetMeter())
      .splitPoints(of: Self.request().pull.query, parts: 3)
    var shards: [ShardMerge.Shard] = []
    for (from, to) in zip([nil] + cuts, cuts + [nil]) {
      let path = folder.path(of: "\(name)-\(shards.count).sqlite")
      let store = try Store.open(path: path, buildsIndexes: false)
      let counter = ProgressCounter()
      var request = Self.request(ShardRange(from: from, to: to, readTime: time))
      request.options.onCommit = {
        counter.add($0)
        return []
      }
      _ = try await CollectionPull(port: firestore, store: store, documentsPerCommit: 4)
        .run(request)
      try store.seal()
      shards.append((path: path, progress: counter.progress))
    }
    return (shards, time)
  }

  private static func gather(
    _ shards: (shards: [ShardMerge.Shard], at: Instant), into store: Store
  ) async throws -> CollectionPullResult {
    try await ShardMerge(shards.shards, of: "plan", at: shards.at, into: store).run(request())
  }

  private static func rows(of store: TemporaryStore) throws -> [String] {
    try [
      "SELECT rowid || ' ' || document_path || ' ' || total || document || update_time || synced_at FROM Orders",
      "SELECT document_path || ' ' || idx || ' ' || tag FROM Orders_tags",
      "SELECT field || ' ' || kinds FROM sync_fields",
      "SELECT job || key || value FROM sync_cursors",
      "SELECT name || value FROM marks WHERE name NOT GLOB 'gather of *' AND name NOT GLOB 'schema*'",
    ].flatMap { try store.texts($0) }
  }

  @Test(arguments: [false, true])
  func `a gathering that dies at any statement ends as one that does not`(isLater: Bool)
    async throws
  {
    let (one, many) = (try TemporaryStore(), try TemporaryStore())
    if isLater {
      for target in [one, many] {
        _ = try await CollectionPull(
          port: firestore, store: target.store, documentsPerCommit: 100
        ).run(Self.request())
      }
      firestore.put(Self.documents(8..<16, change: 5).merging(Self.documents(24..<27)) { $1 })
    }
    let shards = try await shards("\(isLater)")
    let wanted = try await CollectionPull(
      port: firestore, store: one.store, documentsPerCommit: 100
    ).run(Self.request())
    let copies = KillCopies(of: many)
    let result = try await Self.gather(shards, into: many.store)
    copies.end(of: many)
    #expect(result.pull.counts == wanted.pull.counts)
    #expect(result.drift.warnings == wanted.drift.warnings)
    let rows = try Self.rows(of: one)
    #expect(try Self.rows(of: many) == rows)
    let databases = try copies.databases()
    // Before the first shard, after each, and after the end.
    #expect(databases.count >= 5)
    for copy in databases {
      let resumed = try await Self.gather(shards, into: copy.store)
      #expect(try Self.rows(of: copy) == rows)
      #expect(resumed.pull.counts == wanted.pull.counts)
    }
  }

  @Test(arguments: ["person-1", "person-2"])
  func `a document is left out and remembered when only its child rows name an erased person`(
    tag: String
  ) async throws {
    firestore.put(["Orders/o900": ["total": .integer(1), "tags": .array([.string(tag)])]])
    let (one, many) = (try TemporaryStore(), try TemporaryStore())
    let key = String(repeating: "0f", count: 16)
    var id = "person-1"
    let hash = try #require(KeyedHash(hexadecimal: key))
    let hashed = id.withUTF8 { hash.of(UnsafeRawBufferPointer($0)) }
    for target in [one, many] {
      try target.store.write { writer in
        try writer.setErasureKey(key)
        try writer.noteErased(hash: Int64(bitPattern: hashed), at: .morning)
      }
    }
    var request = Self.request()
    request.hasDocument = false
    request.options.remembersSkipped = true
    let (shards, time) = try await shards(tag)
    _ = try await CollectionPull(port: firestore, store: one.store).run(request)
    let result = try await ShardMerge(shards, of: "plan", at: time, into: many.store).run(request)
    let sql = """
      SELECT document_path FROM Orders UNION ALL SELECT 'skipped ' || key FROM skipped_documents
      """
    let rows = try many.texts(sql)
    #expect(try one.texts(sql) == rows)
    #expect(rows.contains("skipped Orders/o900") == (tag == id))
    #expect(result.pull.counts.skipped == (tag == id ? ["erased": 1] : [:]))
  }

  @Test(arguments: [true, false], [true, false])
  func `rows tell all when those of every shard do`(first: Bool, second: Bool) {
    let sum = [first, second].reduce(into: PullResult()) { sum, value in
      var progress = PullResult()
      progress.canSkipUnchanged = value
      sum.add(progress)
    }
    #expect(sum.canSkipUnchanged == (first && second))
  }

  @Test func `a gathering that goes on does not know what became of the rows before`() async throws
  {
    let users = MemoryFirestore(.users(4))
    func request(_ collection: String = "Users") -> SyncUsersRequest {
      var request = SyncUsersRequest.users()
      request.collection = collection
      return request
    }
    let path = folder.path(of: "users.sqlite")
    let shard = try Store.open(path: path, buildsIndexes: false)
    let counter = ProgressCounter()
    var shardRequest = request()
    shardRequest.isWhole = true
    let time = try #require(try await users.presentTime(of: shardRequest.pull))
    shardRequest.options.range = ShardRange(from: nil, to: nil, readTime: time)
    shardRequest.options.onCommit = {
      counter.add($0)
      return []
    }
    _ = try await Pull(port: users, store: shard).run(shardRequest)
    try shard.seal()
    let shards: [ShardMerge.Shard] = [(path: path, progress: counter.progress)]

    struct Killed: Error {}
    for isKilled in [false, true] {
      let target = try TemporaryStore()
      let gather = ShardMerge(shards, of: "plan", at: time, into: target.store)
      if isKilled {
        await #expect(throws: Killed.self) {
          _ = try await gather.run(request().pull, finish: [.then { _, _ in throw Killed() }])
        }
        users.put(["Members/user-1": .user("user-1", seenAgo: 5, ["User_age": .boolean(true)])])
        _ = try await Pull(port: users, store: target.store).run(request("Members"))
      }
      let result = try await gather.run(request().pull)
      #expect(result.counts.fetched == 4)
      let stored = try request().pull.unchanged?.storedTimes(in: target.store)
      #expect((stored == nil) == isKilled)
    }
  }

  @Test func `a user of several documents is stored as by one pull, and ids have no gaps`() throws {
    let (one, many) = (try TemporaryStore(), try TemporaryStore())
    // More than the rows that one statement inserts, with the same ids again in between.
    let ids = (0..<40).map { "u\(100 + $0)" } + ["u105", "u139"] + (40..<90).map { "u\(100 + $0)" }
    func rows(_ ids: ArraySlice<String>, from number: Int) -> TableRows {
      var rows = TableRows(width: UserColumn.allCases.count)
      for (index, id) in ids.enumerated() {
        for column in UserColumn.allCases {
          switch column {
          case .userId: rows.append(text: id)
          case .updateTime: rows.append(Int64(number + index))
          default: rows.append(text: "")
          }
        }
      }
      return rows
    }
    for (start, end) in [(0, 50), (50, ids.count)] {
      _ = try one.store.write {
        try $0.upsert(rows(ids[start..<end], from: start), into: .onlineUsers, at: .morning)
      }
    }
    for (index, bounds) in [(0, 30), (30, 41), (41, ids.count)].enumerated() {
      let path = folder.path(of: "users-\(index).sqlite")
      let shard = try Store.open(path: path, buildsIndexes: false)
      _ = try shard.write {
        try $0.upsert(
          rows(ids[bounds.0..<bounds.1], from: bounds.0), into: .onlineUsers, at: .morning)
      }
      try shard.seal()
      try many.store.write(beside: path) { writer in
        var counts = RunCounts()
        try writer.gather(.onlineUsers, .id(0), remembersSkipped: false, counts: &counts)
      }
    }
    let sql = "SELECT id || ' ' || user_id || ' ' || update_time FROM OnlineUsers"
    let wanted = try one.texts(sql)
    #expect(try many.texts(sql) == wanted)
    #expect(wanted.count == 90 && wanted.last == "90 u189 91")
    #expect(try many.texts("SELECT seq FROM sqlite_sequence") == ["90"])
  }
}

/// Adds up what a pull reports about its transactions.
private final class ProgressCounter: Sendable {
  private let sum = Mutex(PullResult())

  var progress: PullResult { sum.withLock(\.self) }

  func add(_ progress: PullResult) { sum.withLock { $0.add(progress) } }
}
