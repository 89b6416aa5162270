import Firestore
import Fixtures
import JobsTesting
import Model
import Store
import StoreTesting
import SyncTesting
import Testing

@testable import Jobs
@testable import Sync
@testable import Workspace

/// Users whose last-seen times are timestamps in some documents and numbers in others:
/// docs/loads.md#two-types.
@Suite struct MixedTimesTests {
  private static let now = Instant.morning.unixSeconds
  private static let months: Int64 = 240 * 86_400

  private enum Form: CaseIterable {
    case timestamp, integer, double

    func value(_ seconds: Int64) -> Value {
      switch self {
      case .timestamp: .timestamp(Timestamp(microseconds: seconds * 1_000_000))
      case .integer: .integer(seconds)
      case .double: .double(Double(seconds) + 0.5)
      }
    }
  }

  /// `count` users, one a second before `ago` seconds ago.
  private static func users(
    _ name: String, _ count: Int, ago: Int64, as form: Form
  ) -> [String: [String: Value]] {
    Dictionary(
      uniqueKeysWithValues: (0..<count).map { number in
        let fields: [String: Value] = [
          "User_name": .string("\(name) \(number)"),
          "last_time_seen": form.value(now - ago - Int64(number)),
        ]
        return ("Users/\(name)-\(number + 1_000)", fields)
      })
  }

  private struct Outcome {
    var report: JobReport
    /// The reads that the server bills.
    var reads: Int
    var count: OnlineCount?
    var names: [String]
  }

  private func run(
    _ documents: [String: [String: Value]], _ options: String = "",
    on backend: Backend = .embedded
  ) async throws -> Outcome {
    let workspace = try TestWorkspace(jobs: ["users": "kind: sync-users\n\(options)"])
    let (report, reads) = try await backend.run("mixed\(UInt32.random(in: 0...(.max)))") { client in
      for start in stride(from: 0, to: documents.count, by: 400) {
        let part = documents.keys.sorted()[start..<min(start + 400, documents.count)]
        try await client.put(documents.filter { part.contains($0.key) })
      }
      let before = client.traffic
      let services = ScriptedServices(client).services()
      let first = try await workspace.run(.all, services: services).first
      return (first, (client.traffic - before).billedReadCount)
    }
    let count = try workspace.store.read { try $0.newestOnlineCount(until: .morning) }
    let names = try SQLiteFile.text(
      workspace.folder.databasePath,
      "SELECT user_id FROM OnlineUsers ORDER BY user_last_time_seen DESC")
    return Outcome(report: try #require(report), reads: reads, count: count, names: names)
  }

  @Test(arguments: Backend.present)
  func `the newest are stored, whatever type their times have, and the run says so`(
    backend: Backend
  ) async throws {
    for (old, new) in [
      (Form.timestamp, Form.integer), (.integer, .timestamp), (.timestamp, .double),
    ] {
      let documents = Self.users("old", 260, ago: Self.months, as: old)
        .merging(Self.users("new", 50, ago: 10, as: new)) { $1 }
      let outcome = try await run(documents, on: backend)
      let (report, names) = (outcome.report, outcome.names)
      #expect(report.run.outcome == .ok)
      #expect(outcome.count == OnlineCount(at: .morning, online: 50, isSample: true))
      #expect(names.count == 250)
      #expect(names.prefix(50).allSatisfy { $0.hasPrefix("new-") })
      // The newest of the old ones, without a hole.
      #expect(names.dropFirst(50).last == "old-1199")
      #expect((250...251).contains(outcome.reads))
      #expect(
        report.run.warnings.contains {
          $0.hasPrefix("last_time_seen has timestamps in some documents and numbers in others:")
        })
    }
  }

  @Test func `more online users of the other type than a load may read are at least so many`()
    async throws
  {
    let documents = Self.users("old", 260, ago: Self.months, as: .timestamp)
      .merging(Self.users("new", 300, ago: 0, as: .integer)) { $1 }
    let count = try await run(documents).count
    #expect(count == OnlineCount(at: .morning, online: 200, isSample: true, isMinimum: true))
  }

  @Test func `one page for all is no excuse: half of it is left for the other type`() async throws {
    let documents = Self.users("old", 260, ago: Self.months, as: .timestamp)
      .merging(Self.users("new", 50, ago: 10, as: .integer)) { $1 }
    let outcome = try await run(documents, "page_size: 1000\n")
    #expect(outcome.count?.online == 50 && outcome.names.count == 250)
  }

  @Test func `types that are no times come last`() async throws {
    var documents = Self.users("new", 30, ago: 10, as: .integer)
      .merging(Self.users("seen", 30, ago: 5, as: .timestamp)) { $1 }
    for number in 0..<260 {
      documents["Users/text-\(number + 100)"] = [
        "User_name": .string("t"), "last_time_seen": .string("yesterday"),
      ]
      documents["Users/null-\(number + 100)"] = [
        "User_name": .string("n"), "last_time_seen": .null,
      ]
    }
    let outcome = try await run(documents)
    #expect(outcome.count?.online == 60 && outcome.names.count >= 60)
    #expect(outcome.report.run.outcome == .partial)
    #expect(outcome.report.run.counts.skipped["bad-field:last_time_seen"] ?? 0 > 0)
  }

  @Test func `timestamps alone cost one read more, and a short first page none`() async throws {
    let many = try await run(Self.users("u", 300, ago: 10, as: .timestamp))
    #expect(many.reads == 251 && many.names.count == 250)
    let few = try await run(Self.users("u", 49, ago: 10, as: .timestamp))
    #expect(few.reads == 49)
    let numbers = try await run(Self.users("u", 300, ago: 10, as: .integer))
    #expect(numbers.reads == 250 && numbers.names.count == 250)
  }

  @Test func `of any mixture the newest are read, but for a page at the end`() async throws {
    let seed = UInt64.random(in: 0...(.max))
    var random = SeededGenerator(seed: seed)
    for _ in 0..<4 {
      var documents: [String: [String: Value]] = [:]
      for (place, form) in Form.allCases.enumerated() {
        let count = Int.random(in: 0...90, using: &random)
        let ago = Int64.random(in: 0...60, using: &random)
        documents.merge(Self.users("f\(place)", count, ago: ago, as: form)) { $1 }
      }
      let total = documents.count
      let names = try await run(documents, "page_size: 10\nmax_documents: 100\n").names
      #expect(names.count == min(100, total), "seed \(seed)")
      let seen = try documents.mapValues { fields in
        try #require(Timestamp(timestampOrSeconds: fields["last_time_seen"] ?? .null)).microseconds
      }
      let newest = seen.sorted { $0.value > $1.value }.prefix(names.count - 10).map(\.key)
      let missed = newest.filter { !names.contains(String($0.dropFirst("Users/".count))) }
      #expect(missed.count <= 10, "seed \(seed): \(missed)")
    }
  }

  @Test func `a load that was interrupted goes on in each type`() throws {
    var cursor = PullCursor()
    cursor.bands = [
      TypeBand(.others, last: .init(value: .string("x"), name: "p/a"), isDone: true),
      TypeBand(
        .timestamps, last: .init(value: .timestamp(Timestamp(microseconds: 7)), name: "p/b")),
      TypeBand(.numbers),
    ]
    cursor.documentCount = 3
    cursor.highest = TypedTimes(.unixSeconds, Timestamp(microseconds: 9))
    #expect(PullCursor(text: cursor.text) == cursor)
  }

  @Test(arguments: Backend.present)
  func `an incremental load sees new users of both types`(backend: Backend) async throws {
    let options = "max_documents: all\nincremental: {field: last_time_seen, overlap: 1s}\n"
    let workspace = try TestWorkspace(jobs: ["users": "kind: sync-users\n\(options)"])
    try await backend.run("mixedchanges\(UInt32.random(in: 0...(.max)))") { client in
      let services = ScriptedServices(client).services()
      try await client.put(
        Self.users("old", 20, ago: 1_000, as: .timestamp)
          .merging(Self.users("num", 20, ago: 5_000, as: .integer)) { $1 })
      _ = try await workspace.run(.all, services: services)
      try await client.put(
        Self.users("late", 1, ago: 4_000, as: .double)
          .merging(Self.users("new", 1, ago: 10, as: .timestamp)) { $1 })
      let later = Instant.morning + .seconds(3_600)
      let report = try #require(try await workspace.run(.all, at: later, services: services).first)
      #expect(report.run.counts.inserted == 2)
      // Those within the overlap of each type come again, and no other.
      #expect((2...6).contains(report.run.counts.fetched))
      #expect(!report.run.warnings.contains { $0.contains("incremental loads miss their changes") })
    }
  }
}
