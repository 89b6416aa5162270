import Firestore
import Model
import SyncTesting
import Testing

@testable import Sync

@Suite struct ReadBudgetMeterTests {
  private struct Failure: Error {}

  /// The reads granted to requests for `counts`, of which each costs `cost`; all by default.
  private func grants(
    _ meter: ReadBudgetMeter, _ counts: [Int], cost: (Int) -> Int = { $0 }
  ) async throws -> [Int?] {
    var grants: [Int?] = []
    for count in counts {
      grants.append(try await meter.spend(upTo: count) { ($0, cost($0)) })
    }
    return grants
  }

  @Test
  func `a request is granted what is left, and not asked at all when nothing is`() async throws {
    let meter = ReadBudgetMeter(10)
    #expect(try await grants(meter, [6, 6, 1]) == [6, 4, nil])
    #expect(meter.spent == 10)
  }

  @Test func `what an answer did not cost can be spent again`() async throws {
    let meter = ReadBudgetMeter(10)
    #expect(try await grants(meter, [10, 10], cost: { $0 - 3 }) == [10, 3])
    #expect(meter.spent == 7)
  }

  @Test func `a request that failed has cost nothing`() async throws {
    let meter = ReadBudgetMeter(10)
    await #expect(throws: Failure.self) {
      try await meter.spend(upTo: 10) { _ -> (answer: Int, reads: Int) in throw Failure() }
    }
    #expect(meter.spent == 0)
  }

  @Test func `without a limit everything is granted, and counted all the same`() async throws {
    let meter = ReadBudgetMeter()
    #expect(try await grants(meter, [1_000_000, 1]) == [1_000_000, 1])
    #expect(meter.spent == 1_000_001)
  }

  @Test func `what cannot be spared is counted, and nothing is left after it`() async throws {
    let meter = ReadBudgetMeter(10)
    meter.add(11)
    #expect(meter.spent == 11)
    #expect(try await grants(meter, [1]) == [nil])
  }

  @Test func `one that waits is not content with less while more may be given back`() async throws {
    let meter = ReadBudgetMeter(10)
    let waiting = try await meter.spend(upTo: 7) {
      _ -> (answer: Task<Int?, any Error>, reads: Int) in
      let waiting = Task { try await meter.spend(upTo: 10, waits: true) { ($0, $0) } }
      try await Task.sleep(for: .milliseconds(20))
      return (waiting, 1)
    }
    #expect(try await waiting?.value == 9)
  }

  @Test func `one that waits is granted what those under way give back`() async throws {
    let meter = ReadBudgetMeter(10)
    let waiting = try await meter.spend(upTo: 10) {
      _ -> (answer: Task<Int?, any Error>, reads: Int) in
      let refused = try await grants(meter, [1])
      #expect(refused == [nil])
      let waiting = Task { try await meter.spend(upTo: 5, waits: true) { ($0, $0) } }
      // Whether it waits already or not, it gets what is given back.
      await Task.yield()
      return (waiting, 7)
    }
    let granted = try await waiting?.value
    #expect(granted == 3)
    let refused = try await meter.spend(upTo: 1, waits: true) { ($0, $0) }
    #expect(refused == nil)
  }

  /// The reads that are left, the most and the least of a request, those granted, and whether a
  /// scan was refused.
  static let least: [(Int, Int, Int, Int?, Bool)] = [
    (10, 10, 10, 10, false), (10, 11, 11, nil, true), (10, 9, 9, 9, false),
    (10, 20, 10, 10, false), (10, 20, 11, nil, true), (1, 2, 2, nil, true), (1, 2, 1, 1, false),
    (0, 2, 2, nil, false), (0, 1, 1, nil, false),
  ]

  @Test(arguments: least)
  func `a request is not sent when less than its least is left`(
    left: Int, most: Int, least: Int, granted: Int?, isRefused: Bool
  ) async throws {
    let meter = ReadBudgetMeter(left)
    let got = try await meter.spend(upTo: most, atLeast: least) { ($0, $0) }
    #expect(got == granted && meter.spent == granted ?? 0)
    #expect(meter.refusedScan == isRefused)
  }

  @Test(arguments: [(3, 3), (4, nil)] as [(Int, Int?)])
  func `a scan is not refused for good while a request in flight may give reads back`(
    least: Int, granted: Int?
  ) async throws {
    let meter = ReadBudgetMeter(10)
    let inner = try await meter.spend(upTo: 7) { _ -> (answer: Int?, reads: Int) in
      (try await meter.spend(upTo: 5, atLeast: least) { ($0, $0) }, 7)
    }
    #expect(inner == .some(granted))
    #expect(!meter.refusedScan)
  }

  @Test func `many at a time are never granted more than there is`() async throws {
    let meter = ReadBudgetMeter(1_000)
    let granted = try await withThrowingTaskGroup(of: Int?.self) { group in
      for _ in 0..<100 { group.addTask { try await meter.spend(upTo: 37) { ($0, $0) } } }
      return try await group.reduce(0) { $0 + ($1 ?? 0) }
    }
    #expect(granted == 1_000)
  }

  @Test func `the unit of the reads is that of the last request that a client counted`()
    async throws
  {
    let meter = ReadBudgetMeter(edition: .enterprise)
    // A fake counts nothing.
    _ = try await grants(meter, [1])
    #expect(meter.edition == .enterprise)
    try await withServer { _, client in
      let users = StructuredQuery(from: [.init(collectionId: "Users")])
      for edition in [FirestoreEdition.standard, .enterprise] {
        client.learn(edition)
        _ = try await client.count(of: users, under: nil, readTime: nil, within: meter)
        #expect(meter.edition == edition)
      }
    }
  }

  /// Reads that are left, where the count stops, and what it answers of 2,000 documents.
  static let counts: [(Int?, Int?, Int?)] = [
    (0, nil, nil), (2, nil, nil), (3, nil, 2_000), (nil, nil, 2_000),
    (1, 2_000, nil), (2, 2_000, 2_000), (2, 2_001, nil), (nil, 2_000, 2_000),
    (1, 1_000, 1_000), (nil, 1_999, 1_999), (nil, 2_001, 2_000),
  ]

  @Test(arguments: counts)
  func `a count that may have been cut by the budget is none`(left: Int?, most: Int?, answer: Int?)
    async throws
  {
    let port = NamesPort((0..<2_000).map { "Users/\($0)" })
    let meter = ReadBudgetMeter(left)
    let users = StructuredQuery(from: [.init(collectionId: "Users")])
    let count = try await port.count(
      of: users, under: nil, readTime: nil, within: meter, upTo: most)
    #expect(count == answer)
    #expect(meter.spent == [left ?? 2, 2, ((most ?? 2_000) + 999) / 1_000].min())
  }

  /// The same of an Enterprise database, and the units that are spent.
  static let unitCounts: [(Int?, Int?, Int?, Int)] = [
    (15, nil, nil, 15), (16, nil, 2_000, 16), (nil, nil, 2_000, 16), (1, 127, 127, 1),
    (1, 128, 128, 1), (1, 129, nil, 1), (2, 129, 129, 2), (0, 1, nil, 0),
  ]

  @Test(arguments: unitCounts)
  func `a unit counts 128 documents`(left: Int?, most: Int?, answer: Int?, spent: Int) async throws
  {
    let port = NamesPort((0..<2_000).map { "Users/\($0)" }, edition: .enterprise)
    let meter = ReadBudgetMeter(left)
    let users = StructuredQuery(from: [.init(collectionId: "Users")])
    let count = try await port.count(
      of: users, under: nil, readTime: nil, within: meter, upTo: most)
    #expect(count == answer && meter.spent == spent)
  }
}
