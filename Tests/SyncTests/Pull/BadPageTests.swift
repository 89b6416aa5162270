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

/// Pulls from a server whose pages are cut, twisted or endless: no such page is stored.
@Suite struct BadPageTests {
  private static let root = "projects/demo/databases/(default)/documents"
  private static let time = #""readTime":"2026-01-31T08:00:00Z""#

  /// A user seen so many seconds before the morning, as Firestore sends one.
  private static func element(_ id: String, seenAgo: Int, _ field: String = "") -> String {
    let seen = Instant.morning - .seconds(Int64(seenAgo))
    return
      #"{"document":{"name":"\#(root)/Users/\#(id)","fields":{"User_id":{"stringValue":"\#(id)"},"#
      + #""User_name":{"stringValue":"Anna"},"last_time_seen":{"timestampValue":"\#(seen)"}\#(field)},"#
      + #""updateTime":"2026-01-31T07:00:00Z"},\#(time)}"#
  }

  private static func page(_ elements: String...) -> String {
    "[\(elements.joined(separator: ","))]"
  }

  private let workspace: TemporaryStore
  private let before: [OnlineUser]

  /// Begins with two users in the database.
  init() async throws {
    workspace = try TemporaryStore()
    let server = try ScriptedServer(answers: [
      .json(
        Self.page(Self.element("old-user-1", seenAgo: 9), Self.element("old-user-2", seenAgo: 10)))
    ])
    _ = try await Self.pull(from: server, into: workspace, pageSize: 50)
    before = try workspace.users()
    try #require(before.count == 2)
  }

  private static func pull(
    from server: ScriptedServer, into workspace: TemporaryStore, pageSize: Int = 2
  ) async throws -> RunCounts {
    let client = FirestoreClient.speaking(to: server.host, attempts: 1)
    return try await Pull(port: client, store: workspace.store)
      .run(.users(pageSize: pageSize)).counts
  }

  /// The error of a pull that gets these pages; the last one repeats.
  private func failure(_ pages: [ScriptedAnswer]) async throws -> String {
    let server = try ScriptedServer(answers: pages)
    let error = await #expect(throws: (any Error).self) {
      try await Self.pull(from: server, into: workspace)
    }
    return "\(error.map { "\($0)" } ?? "")"
  }

  private static let first = page(element("user-1", seenAgo: 20), element("user-2", seenAgo: 30))
  private static let second = page(element("user-3", seenAgo: 40))

  /// The ids in the database after the first `soundPages` of two sound pages.
  private static func ids(after pageCount: Int) -> [String] {
    ["old-user-1", "old-user-2"] + (pageCount == 0 ? [] : ["user-1", "user-2"])
  }

  @Test func `a pull that fails leaves to the run what it has fetched and stored`() async throws {
    let server = try ScriptedServer(answers: [.json(Self.first), .json("[]")])
    let client = FirestoreClient.speaking(to: server.host, attempts: 1)
    let reads = ReadBudgetMeter()
    await #expect(throws: (any Error).self) {
      try await Pull(port: client, store: workspace.store, reads: reads).run(.users(pageSize: 2))
    }
    #expect(reads.counts == RunCounts(fetched: 2, inserted: 2))
  }

  @Test(arguments: [0, 1])
  func `a page that is cut at any byte fails the pull; what came before it stays`(soundPages: Int)
    async throws
  {
    let whole = soundPages == 0 ? Self.first : Self.second
    let sound = soundPages == 0 ? [] : [ScriptedAnswer.json(Self.first)]
    let cuts = (0..<whole.utf8.count).map { length in
      ScriptedAnswer.response(body: Array(whole.utf8.prefix(length)))
    }
    let server = try ScriptedServer(answers: sound + cuts + [.json(whole), .json(Self.second)])
    for length in 0..<cuts.count {
      await #expect(throws: FirestoreError.self, "cut after \(length) bytes") {
        try await Self.pull(from: server, into: workspace)
      }
      if length % 50 == 0 { #expect(try workspace.userIds() == Self.ids(after: soundPages)) }
    }
    #expect(try workspace.userIds() == Self.ids(after: soundPages))
    #expect(try workspace.users().filter { $0.userId.hasPrefix("old") } == before)
    #expect(server.requests.count == sound.count + cuts.count)
    let counts = try await Self.pull(from: server, into: workspace)
    #expect(counts == RunCounts(fetched: 3 - 2 * soundPages, inserted: 3 - 2 * soundPages))
  }

  static let broken: [(String, String)] = [
    ("an array without an element", "[]"), ("progress alone", #"[{"skippedResults":0}]"#),
    ("no array", "{}"), ("a web page", "<html></html>"),
    ("a nesting of 100,000", "[{\"later\":" + String(repeating: "[", count: 100_000)),
    (
      "half of a surrogate pair",
      page(element("user-3", seenAgo: 40, #","x":{"stringValue":"\ud800"}"#))
    ),
    ("a number that is none", page(element("user-3", seenAgo: 40, #","x":{"doubleValue":NaN}"#))),
    ("a document without a name", #"[{"document":{}}]"#),
    ("a time that is none", #"[{"document":{"name":"n","updateTime":"soon"}}]"#),
    ("an error in mid-stream", "[\(element("user-3", seenAgo: 40)),{\"error\":{\"code\":13}}]"),
    ("two answers in one", page(element("user-3", seenAgo: 40)) + "[]"),
  ]

  @Test(arguments: broken, [0, 1])
  func `a page that is broken fails the pull; what came before stays, and nothing else comes`(
    row: (String, String), soundPages: Int
  ) async throws {
    let sound = soundPages == 0 ? [] : [ScriptedAnswer.json(Self.first)]
    _ = try await failure(sound + [.json(row.1)])
    #expect(try workspace.userIds() == Self.ids(after: soundPages), "\(row.0)")
    #expect(try workspace.users().filter { $0.userId.hasPrefix("old") } == before)
  }

  @Test
  func `white space without end fails the pull, and leaves every row as it was`() async throws {
    let head = Array("HTTP/1.1 200 OK\r\n\r\n[".utf8)
    let spaces = [UInt8](repeating: 0x20, count: 1 << 20)
    let text = try await failure([ScriptedAnswer([.send(head), .sendForEver(spaces)])])
    #expect(text.contains("more than the 67108864 bytes allowed"))
    #expect(try workspace.users() == before)
  }

  static let skipped: [(String, String)] = [
    ("User_id", #"{"integerValue":"9223372036854775808"}"#),
    ("User_id", #"{"doubleValue":"NaN"}"#),
    ("User_id", #"{"stringValue":["x"]}"#), ("User_id", "{}"), ("User_id", "7"),
    ("last_time_seen", #"{"timestampValue":"2026-13-01T00:00:00Z"}"#),
    ("last_time_seen", #"{"stringValue":"2026-01-31T08:00:00Z"}"#),
    ("User_name", #"{"bytesValue":"AA=="}"#),
  ]

  @Test(arguments: skipped)
  func `a field of another type that a user cannot do without skips its document, and no other`(
    row: (String, String)
  ) async throws {
    let bad = Self.element("user-3", seenAgo: 40, #","\#(row.0)":\#(row.1)"#)
    let server = try ScriptedServer(answers: [
      .json(
        Self.page(bad, Self.element("user-4", seenAgo: 50), Self.element("user-5", seenAgo: 60)))
    ])
    let counts = try await Self.pull(from: server, into: workspace, pageSize: 50)
    #expect(counts == RunCounts(fetched: 3, inserted: 2, skipped: ["bad-field:\(row.0)": 1]))
    #expect(try workspace.userIds() == ["old-user-1", "old-user-2", "user-4", "user-5"])
  }

  @Test func `a document that comes on two pages is one row`() async throws {
    let server = try ScriptedServer(answers: [
      .json(Self.first),
      .json(Self.page(Self.element("user-1", seenAgo: 40), Self.element("user-3", seenAgo: 50))),
      .json(Self.page(Self.element("user-2", seenAgo: 60))),
    ])
    let counts = try await Self.pull(from: server, into: workspace)
    #expect(counts.fetched == 5)
    #expect(counts.inserted == 3)
    #expect(try workspace.userIds() == ["old-user-1", "old-user-2", "user-1", "user-2", "user-3"])
  }

  @Test(arguments: 1...4)
  func `pages that come again for ever fail the pull before they have come four times`(period: Int)
    async throws
  {
    let pages = (0..<period).map { number in
      ScriptedAnswer.json(
        Self.page(
          Self.element("user-\(number)a", seenAgo: 20 + number),
          Self.element("user-\(number)b", seenAgo: 20 + number)))
    }
    let server = try ScriptedServer(answers: (0..<40).map { pages[$0 % period] })
    let error = await #expect(throws: PageError.self) {
      try await Self.pull(from: server, into: workspace)
    }
    #expect("\(error.map { "\($0)" } ?? "")".contains("would never end"))
    #expect(server.requests.count <= 4 * period)
    #expect(try workspace.users().filter { $0.userId.hasPrefix("old") } == before)
    #expect(try workspace.users().count <= before.count + 2 * period)
  }

  @Test
  func `more documents than were asked for fail the pull, and leave every row as it was`()
    async throws
  {
    let page = Self.page(
      Self.element("user-1", seenAgo: 20), Self.element("user-2", seenAgo: 30),
      Self.element("user-3", seenAgo: 40))
    #expect(try await failure([.json(page)]).contains("3 documents instead of at most 2"))
    #expect(try workspace.users() == before)
  }
}
