import Firestore
import Fixtures
import Jobs
import JobsTesting
import Model
import Store
import StoreTesting
import SyncTesting
import Testing

@testable import Sync

/// Pulls that ask only for what may have changed.
@Suite struct IncrementalPullTests {
  private static let userCount = 11
  private let firestore = MemoryFirestore()
  private let workspace: TemporaryStore

  init() throws {
    workspace = try TemporaryStore()
    firestore.put(
      Dictionary(
        uniqueKeysWithValues: (1...Self.userCount).map { number in
          ("Users/user-\(number)", Self.user(number, changedAgo: Int64(number) * 600))
        }))
  }

  /// User 1 changed last, ten minutes before the morning.
  private static func user(_ number: Int, changedAgo seconds: Int64) -> [String: Value] {
    let changed = Instant.morning - .seconds(seconds)
    return .user(
      "user-\(number)", seenAgo: 60,
      ["changed": .timestamp(Timestamp(microseconds: changed.microseconds))])
  }

  private func request(_ field: String = "changed") -> SyncUsersRequest {
    var request = SyncUsersRequest.users(pageSize: 2)
    request.isWhole = true
    request.options.watermark = Watermark(
      field: FieldPath(segments: [field]), overlap: .seconds(300))
    return request
  }

  private func pull(
    _ port: any FirestorePort, _ request: SyncUsersRequest? = nil
  ) async throws -> PullResult {
    try await Pull(port: port, store: workspace.store, documentsPerCommit: 4)
      .run(request ?? self.request())
  }

  private func change(_ number: Int, changedAgo seconds: Int64) {
    firestore.put(["Users/user-\(number)": Self.user(number, changedAgo: seconds)])
  }

  private var pages: [StructuredQuery] {
    firestore.calls.compactMap { if case .page(let query, _) = $0 { query } else { nil } }
  }

  @Test
  func `the first load reads everything by name, a later one what changed, oldest change first`()
    async throws
  {
    #expect(try await pull(firestore).counts == RunCounts(fetched: 11, inserted: 11))
    #expect(pages.allSatisfy { $0.filter == nil && $0.orderBy == [.init(field: .documentName)] })
    firestore.forgetCalls()
    change(7, changedAgo: 500)
    change(12, changedAgo: 400)
    let later = try await pull(firestore)
    #expect(
      later.counts == RunCounts(fetched: 3, inserted: 1, updated: 1, unchanged: 1))
    let field = FieldPath(segments: ["changed"])
    let since = Instant.morning - .seconds(900)
    #expect(
      pages.first?.filter
        == .field(
          field, .greaterThanOrEqual,
          .timestamp(Timestamp(microseconds: since.microseconds))))
    #expect(
      pages.allSatisfy { $0.orderBy == [.init(field: field), .init(field: .documentName)] })
    #expect(try workspace.userIds().count == 12)
  }

  @Test(arguments: [(600, true), (899, true), (900, true), (901, false), (5_000, false)])
  func `a change that became visible late is found within the overlap, exactly`(
    changedAgo: Int64, isFound: Bool
  ) async throws {
    _ = try await pull(firestore)
    change(12, changedAgo: changedAgo)
    #expect(try await pull(firestore).counts.inserted == (isFound ? 1 : 0))
  }

  @Test
  func `a load that starts over reads all by name; later ones go on from the watermark`()
    async throws
  {
    _ = try await pull(firestore)
    change(9, changedAgo: 86_400 * 30)
    firestore.put(["Users/user-12": Self.user(12, changedAgo: 86_400)])
    #expect(try await pull(firestore).counts.inserted == 0)
    firestore.forgetCalls()
    var full = request()
    full.options.watermark = Watermark(
      field: FieldPath(segments: ["changed"]), overlap: .seconds(300), startsOver: true)
    #expect(
      try await pull(firestore, full).counts
        == RunCounts(fetched: 12, inserted: 1, updated: 1, unchanged: 10))
    #expect(pages.allSatisfy { $0.filter == nil && $0.orderBy == [.init(field: .documentName)] })
    #expect(try await pull(firestore).counts == RunCounts(fetched: 1, unchanged: 1))
  }

  @Test func `a change that claims to be in the future hides none that follow`() async throws {
    change(12, changedAgo: -86_400 * 365)
    _ = try await pull(firestore)
    change(13, changedAgo: -1)
    change(14, changedAgo: 0)
    change(15, changedAgo: 299)
    #expect(try await pull(firestore).counts.inserted == 3)
  }

  @Test func `another field, and a table that lost its rows, begin with everything`() async throws {
    _ = try await pull(firestore)
    #expect(try await pull(firestore).counts.fetched == 1)
    #expect(try await pull(firestore, request("last_time_seen")).counts.fetched == 11)
    _ = try workspace.store.write { try $0.deleteAllUsers() }
    #expect(try await pull(firestore).counts == RunCounts(fetched: 11, inserted: 11))
  }

  @Test
  func `documents without a timestamp in the field are counted, of whatever type it is`()
    async throws
  {
    firestore.put([
      "Users/without": .user("without", seenAgo: 1),
      "Users/number": .user(
        "number", seenAgo: 1, ["changed": .integer(Instant.morning.unixSeconds)]),
      "Users/text": .user("text", seenAgo: 1, ["changed": .string("2026-01-31T08:00:00Z")]),
      "Users/null": .user("null", seenAgo: 1, ["changed": .null]),
    ])
    #expect(try await pull(firestore).counts.fetched == 15)
    let count = try await Pull(
      port: firestore, store: workspace.store, reads: ReadBudgetMeter()
    ).unseenCount(
      by: Watermark(field: FieldPath(segments: ["changed"]), overlap: .seconds(300)),
      of: SyncUsersQuery.everyone(in: "Users"), under: nil, readTime: nil)
    #expect(count == 4)
    #expect(try await pull(firestore).counts.fetched == 1)
  }

  @Test(arguments: 1...6)
  func `a first load that failed at any step ends, run again, where an undisturbed one ends`(
    step: Int
  ) async throws {
    await #expect(throws: FirestoreError.self) {
      try await pull(FaultyPort(firestore, failingCall: step))
    }
    let stored = try workspace.users().count
    let again = try await pull(firestore)
    #expect(again.counts.fetched == 11 - stored)
    #expect(try workspace.users().count == 11)
    // The watermark knows the highest change, on whichever side of the crash it was read.
    change(12, changedAgo: 899)
    change(13, changedAgo: 901)
    #expect(try await pull(firestore).counts.inserted == 1)
  }

  @Test(arguments: 2...5)
  func `a first load that outlives its snapshot ends; the next finds what changed meanwhile`(
    step: Int
  ) async throws {
    // Of those that were read first and last, in the order of names.
    let changed = [1, 9].map { ("Users/user-\($0)", Self.user($0, changedAgo: 0)) }
    let port = FaultyPort(
      firestore, failingCall: step, trouble: .tooOld,
      afterCall: { [firestore] call in
        guard call == step - 1 else { return }
        firestore.put(Dictionary(uniqueKeysWithValues: changed))
      })
    #expect(try await pull(port).counts.fetched == 11)
    #expect(try await pull(firestore).counts.fetched == 2)
    #expect(try workspace.users().count == 11)
    let newest = try workspace.texts(
      "SELECT user_id FROM OnlineUsers ORDER BY update_time DESC LIMIT 2")
    #expect(newest.sorted() == ["user-1", "user-9"])
  }

  @Test(arguments: 1...6)
  func `a later load that failed at any step loses no change, and stores none twice`(step: Int)
    async throws
  {
    _ = try await pull(firestore)
    for number in 12...20 { change(number, changedAgo: 600 - Int64(number)) }
    await #expect(throws: FirestoreError.self) {
      try await pull(FaultyPort(firestore, failingCall: step))
    }
    let stored = try workspace.users().count - 11
    let again = try await pull(firestore)
    #expect(again.counts.inserted == 9 - stored)
    #expect(try workspace.users().count == 20)
    firestore.forgetCalls()
    #expect(try await pull(firestore).counts == RunCounts(fetched: 10, unchanged: 10))
  }

  @Test
  func `what a dead load had stored is not asked for again, but for the overlap`() async throws {
    _ = try await pull(firestore)
    for number in 12...20 { change(number, changedAgo: 500 - Int64(number - 12) * 400) }
    await #expect(throws: FirestoreError.self) {
      try await pull(FaultyPort(firestore, failingCall: 5))
    }
    var request = request()
    request.options.now = request.options.now + .seconds(3_000)
    let again = try await pull(firestore, request)
    #expect(again.resumedAfter == nil)
    #expect(again.counts.fetched < 10)
    #expect(try workspace.users().count == 20)
  }
}
