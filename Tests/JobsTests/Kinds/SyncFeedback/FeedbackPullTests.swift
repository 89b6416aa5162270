import Firestore
import Fixtures
import Model
import StoreTesting
import SyncTesting
import Testing

@testable import Jobs
@testable import Store
@testable import Sync

/// The mirror of the app's own feedback.
@Suite struct FeedbackPullTests {
  private static let collection = "Feedback/com.app/Rating_Feedback"
  private static let morning = Instant.morning.unixSeconds

  private let firestore = MemoryFirestore()
  private let workspace: TemporaryStore

  init() throws {
    workspace = try TemporaryStore()
  }

  private static func fields(
    _ second: Int64, _ text: String = "Too slow for me", rating: Value = .double(2)
  ) -> [String: Value] {
    [
      "userId": .string("u\(second)"), "gender": .string("Female"), "country": .string("Peru"),
      "appVersion": .string("2.1"), "feedback": .string(text), "timestamp": .integer(second),
      "rating": rating,
    ]
  }

  /// Puts texts written so many seconds before the morning.
  private func put(ago seconds: [Int64]) {
    for second in seconds {
      let at = Self.morning - second
      firestore.put(["\(Self.collection)/\(at)": Self.fields(at)])
    }
  }

  private func request(_ bundleId: String = "com.app", startsOver: Bool = false)
    -> FeedbackPullRequest
  {
    FeedbackPullRequest(
      bundleId: bundleId, overlap: .seconds(60), startsOver: startsOver,
      options: PullOptions(job: "feedback", pageSize: 2, now: .morning))
  }

  @discardableResult
  private func pull(
    _ port: (any FirestorePort)? = nil, _ request: FeedbackPullRequest? = nil
  ) async throws -> FeedbackPullResult {
    try await FeedbackPull(
      port: port ?? firestore, store: workspace.store, reads: ReadBudgetMeter()
    ).run(request ?? self.request())
  }

  private func entries() throws -> [RatingsData.FeedbackEntry] {
    try workspace.store.read { try $0.feedbackEntries() }
  }

  private var pages: [StructuredQuery] {
    firestore.calls.compactMap { if case .page(let query, _) = $0 { query } else { nil } }
  }

  @Test
  func `the first load reads everything by name, a later one by time from the overlap on`()
    async throws
  {
    put(ago: [1_000, 900, 100, 50, 10])
    #expect(try await pull().pull.counts == RunCounts(fetched: 5, inserted: 5))
    #expect(pages.allSatisfy { $0.orderBy == [.init(field: .documentName)] })
    firestore.forgetCalls()
    put(ago: [5, 3])
    let second = try await pull()
    #expect(second.lateCount == 0)
    // 70 seconds before the morning is the newest known second less the overlap.
    #expect(second.pull.counts == RunCounts(fetched: 4, inserted: 2, unchanged: 2))
    #expect(
      pages.first?.filter
        == .composite(
          .or,
          [
            .field(FeedbackMapping.timeField, .greaterThanOrEqual, .integer(Self.morning - 70)),
            .field(
              FeedbackMapping.timeField, .greaterThanOrEqual,
              .timestamp(Timestamp(microseconds: -62_135_596_800_000_000))),
          ]))
    #expect(
      pages.first?.orderBy == [
        .init(field: FeedbackMapping.timeField), .init(field: .documentName),
      ]
    )
    #expect(
      try entries().map(\.feedback.timestamp)
        == [3, 5, 10, 50, 100, 900, 1_000].map { Self.morning - $0 })
    #expect(try entries().allSatisfy { $0.origin == .foreign && $0.state == nil })
    #expect(
      try entries().first?.feedback
        == Feedback(
          userId: "u\(Self.morning - 3)", gender: "Female", country: "Peru", appVersion: "2.1",
          text: "Too slow for me", timestamp: Self.morning - 3, stars: 2))
  }

  @Test
  func `what nothing has changed is read again only within the overlap, and written never`()
    async throws
  {
    put(ago: [1_000, 10])
    try await pull()
    let again = try await pull()
    #expect(again.pull.counts == RunCounts(fetched: 1, unchanged: 1))
    #expect(try entries().count == 2)
  }

  @Test func `a text that came later than it says makes the run read everything`() async throws {
    put(ago: [1_000, 10])
    try await pull()
    put(ago: [900_000])
    let run = try await pull()
    #expect(run.lateCount == 1)
    #expect(run.pull.counts.inserted == 1)
    #expect(try entries().count == 3)
    #expect(try await pull().lateCount == 0)
  }

  @Test func `a text from the future does not hide those that follow`() async throws {
    put(ago: [-1_000_000])
    try await pull()
    put(ago: [-2])
    #expect(try await pull().lateCount == 0)
    put(ago: [30])
    #expect(try await pull().lateCount == 0)
    #expect(try entries().count == 3)
  }

  @Test(arguments: [(100_000_000, 0), (301, 0), (300, 1)] as [(Int64, Int)])
  func `a text of the future leaves the position where the others have it`(
    ahead: Int64, lateCount: Int
  ) async throws {
    put(ago: [1_000, -ahead])
    try await pull()
    put(ago: [900])
    #expect(try await pull().lateCount == lateCount)
    #expect(try entries().count == 3)
  }

  private static let unreadable: [(String, [String: Value], reason: String)] = [
    ("a", fields(1, rating: .string("2")), "bad-field:rating"),
    ("b", fields(1, rating: .double(5.01)), "bad-field:rating"),
    ("c", fields(1, rating: .double(0.99)), "bad-field:rating"),
    ("d", fields(1, rating: .double(.nan)), "bad-field:rating"),
    ("e", fields(1, " \n"), "bad-field:feedback"),
    ("f", fields(1).merging(["feedback": .integer(7)]) { $1 }, "bad-field:feedback"),
    ("g", fields(1).merging(["timestamp": .string("today")]) { $1 }, "bad-field:timestamp"),
    ("h", fields(1).merging(["timestamp": .integer(-1)]) { $1 }, "bad-field:timestamp"),
    (
      "k", fields(1).merging(["timestamp": .integer(1_764_230_400_000)]) { $1 },
      "bad-field:timestamp (looks like milliseconds)"
    ),
    (
      "l", fields(1).merging(["timestamp": .double(1_764_230_400_000_000)]) { $1 },
      "bad-field:timestamp (looks like microseconds)"
    ),
    ("i", [:], "bad-field:feedback"),
  ]

  @Test
  func `documents that cannot be kept are counted once, and never make all be read again`()
    async throws
  {
    put(ago: [10])
    for (id, fields, _) in Self.unreadable { firestore.put(["\(Self.collection)/\(id)": fields]) }
    let run = try await pull()
    var reasons: [String: Int] = [:]
    for (_, _, reason) in Self.unreadable { reasons[reason, default: 0] += 1 }
    #expect(run.pull.counts.skipped == reasons)
    #expect(run.pull.counts.inserted == 1)
    let again = try await pull()
    #expect(again.lateCount == 0)
    // Numbers that stand for later times than any are met by each run; nothing else is.
    #expect(again.pull.counts.skipped == reasons.filter { $0.key.contains("looks like") })
  }

  @Test
  func `stars are whole, texts may be missing, and the id names the second where no field does`()
    async throws
  {
    var lacking = Self.fields(Self.morning - 20, rating: .integer(5))
    for name in ["userId", "timestamp"] { lacking[name] = nil }
    lacking["gender"] = .null
    lacking["country"] = .integer(49)
    firestore.put(["\(Self.collection)/\(Self.morning - 20)": lacking])
    firestore.put(["\(Self.collection)/x": Self.fields(Self.morning - 5, rating: .double(2.5))])
    let run = try await pull()
    #expect(run.pull.counts.skipped.isEmpty)
    #expect(run.pull.notes == ["country": 1])
    #expect(try entries().map(\.feedback.stars) == [3, 5])
    #expect(
      try entries().last?.feedback
        == Feedback(
          userId: "", gender: "", country: "", appVersion: "2.1", text: "Too slow for me",
          timestamp: Self.morning - 20, stars: 5))
    // It has no time that a later query finds, and is no reason to read everything again.
    #expect(try await pull().lateCount == 0)
  }

  @Test func `another bundle id begins anew, without the other app's texts`() async throws {
    put(ago: [10, 5])
    try await pull()
    firestore.put(["Feedback/com.other/Rating_Feedback/7": Self.fields(7, "Another app's")])
    let other = try await pull(nil, request("com.other"))
    #expect(other.pull.counts.inserted == 1)
    #expect(try entries().map(\.feedback.text) == ["Another app's"])
  }

  @Test func `whichever call fails, the next run ends as if none had`() async throws {
    for call in 1...12 {
      let fresh = try FeedbackPullTests()
      fresh.put(ago: [1_000, 900, 100, 50, 10])
      try await fresh.pull()
      fresh.put(ago: [5, 900_000])
      do {
        try await fresh.pull(FaultyPort(fresh.firestore, failingCall: call))
      } catch is FirestoreError {}
      try await fresh.pull()
      #expect(try fresh.entries().count == 7, "call \(call)")
      #expect(try await fresh.pull().lateCount == 0)
    }
  }

  @Test(arguments: ["timestamp", "double", "integer, then timestamp"])
  func `whatever type the times have, a later run reads only what is new`(types: String)
    async throws
  {
    func put(_ seconds: [Int64], _ isLate: Bool) {
      for second in seconds.map({ Self.morning - $0 }) {
        var fields = Self.fields(second)
        let timestamp = Value.timestamp(Timestamp(microseconds: second * 1_000_000))
        fields["timestamp"] =
          switch types {
          case "timestamp": timestamp
          case "double": .double(Double(second) + 0.25)
          default: isLate ? timestamp : .integer(second)
          }
        firestore.put(["\(Self.collection)/\(second)": fields])
      }
    }
    put((1...20).map { $0 * 1_000 }, false)
    #expect(try await pull().pull.counts.inserted == 20)
    put([500, 400], true)
    let second = try await pull()
    #expect(second.lateCount == 0)
    #expect(second.pull.counts.inserted == 2 && second.pull.counts.fetched <= 3)
    put([10], true)
    let third = try await pull()
    #expect(third.pull.counts.inserted == 1 && third.pull.counts.fetched <= 3)
    let mixes = third.pull.remarks(orderedBy: FeedbackMapping.timeField)
    #expect(mixes.isEmpty == (types != "integer, then timestamp"), "\(mixes)")
  }
}
