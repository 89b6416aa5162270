import Emulator
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

/// Users whose documents did not change are counted without being read, where the rows tell all.
@Suite struct UnchangedUsersTests {
  private static let root = "projects/demo/databases/(default)/documents"
  private static let age = #","User_age":{"stringValue":"30"}"#
  /// An age that cannot be read: the row stays, and the run says so.
  private static let badAge = #","User_age":{"booleanValue":true}"#
  /// What no scan that reads the fields accepts.
  private static let unreadable = #","User_age":{"stringValue":}"#

  private let workspace: TemporaryStore

  init() throws {
    workspace = try TemporaryStore()
  }

  /// A user document as Firestore sends one.
  private static func element(
    _ id: String, _ field: String = age, userId: String? = nil, collection: String = "Users",
    updated: String = "07:00:00"
  ) -> String {
    #"{"document":{"name":"\#(root)/\#(collection)/\#(id)","fields":{"#
      + #""User_id":{"stringValue":"\#(userId ?? id)"},"User_name":{"stringValue":"Anna"},"#
      + #""last_time_seen":{"timestampValue":"2026-01-31T06:00:00Z"}\#(field)},"#
      + #""createTime":"2026-01-01T00:00:00Z","updateTime":"2026-01-31T\#(updated)Z"},"#
      + #""readTime":"2026-01-31T08:00:00Z"}"#
  }

  /// Pulls from a server that answers with these documents.
  private func pull(
    _ elements: [String], _ request: SyncUsersRequest = .users()
  ) async throws -> PullResult {
    let server = try ScriptedServer(answers: [.json("[\(elements.joined(separator: ","))]")])
    let client = FirestoreClient.speaking(to: server.host, attempts: 1)
    defer { server.stop() }
    return try await Pull(port: client, store: workspace.store).run(request)
  }

  private static let users = ["anna", "berta", "carla"]

  /// Pulls the users, of whose documents all but the last cannot be read.
  ///
  /// - Returns: what the pull found; nil when it read a document.
  private func pullUnreadable(_ request: SyncUsersRequest = .users()) async throws -> RunCounts? {
    let elements = Self.users.map { Self.element($0, $0 == "carla" ? Self.age : Self.unreadable) }
    do {
      return try await pull(elements, request).counts
    } catch is FirestoreError {
      return nil
    }
  }

  private func expectUnread(_ request: SyncUsersRequest = .users()) async throws {
    #expect(try await pullUnreadable(request) == RunCounts(fetched: 3, unchanged: 3))
  }

  private func expectRead(_ request: SyncUsersRequest = .users()) async throws {
    #expect(try await pullUnreadable(request) == nil)
  }

  @Test func `documents with the stored time are not read, and their rows stay`() async throws {
    _ = try await pull(Self.users.map { Self.element($0) })
    let before = (try workspace.users(), try workspace.rowIds())
    try await expectUnread()
    try await expectUnread()
    #expect(try workspace.users() == before.0)
    #expect(try workspace.rowIds() == before.1)
  }

  @Test func `a changed document and a new one are read among unread ones`() async throws {
    _ = try await pull(Self.users.map { Self.element($0) })
    let counts = try await pull([
      Self.element("anna", Self.unreadable),
      Self.element("berta", #","User_age":{"stringValue":"31"}"#, updated: "07:00:00.000001"),
      Self.element("bertha"), Self.element("carla", Self.unreadable), Self.element("doris"),
    ]).counts
    #expect(counts == RunCounts(fetched: 5, inserted: 2, updated: 1, unchanged: 2))
    #expect(try workspace.userIds() == ["anna", "berta", "bertha", "carla", "doris"])
    #expect(try workspace.users().first { $0.userId == "berta" }?.text(.age) == "31")
  }

  @Test
  func `a page that cannot be read while documents are passed over is then read whole`()
    async throws
  {
    _ = try await pull(Self.users.map { Self.element($0) })
    // A member of the document that ends like an element.
    let odd = Self.element("anna").replacing(
      #""createTime""#,
      with: #""meta":[[{"a":{"b":{},"updateTime":"2026-01-31T07:00:00Z"}}]],"createTime""#)
    let elements = [odd] + ["berta", "carla"].map { Self.element($0) }
    let page = ScriptedAnswer.json("[\(elements.joined(separator: ","))]")
    let server = try ScriptedServer(answers: [page, page])
    defer { server.stop() }
    let client = FirestoreClient.speaking(to: server.host, attempts: 2)
    let counts = try await Pull(port: client, store: workspace.store).run(.users())
      .counts
    #expect(counts == RunCounts(fetched: 3, unchanged: 3))
  }

  @Test
  func `a run says the same of rows with an unreadable field, however often they come`()
    async throws
  {
    let others = ["berta", "carla"].map { Self.element($0) }
    let elements = [Self.element("anna", Self.badAge)] + others
    for _ in 1...3 {
      let result = try await pull(elements)
      #expect(result.emptiedFields == ["User_age": 1])
      #expect(result.counts.fetched == 3)
    }
    // Read again, and now without a remark.
    let mended = [Self.element("anna", updated: "07:00:01")] + elements.dropFirst()
    #expect(try await pull(mended).counts == RunCounts(fetched: 3, updated: 1, unchanged: 2))
    #expect(try await pull(mended).emptiedFields.isEmpty)
    // The first remark ends it again.
    let worse = [Self.element("anna", Self.badAge, updated: "07:00:02")] + elements.dropFirst()
    for _ in 1...2 { #expect(try await pull(worse).emptiedFields == ["User_age": 1]) }
  }

  @Test func `documents are read while a row is another document's, or nobody's`() async throws {
    try workspace.store.merge([.numbered(1)])
    _ = try await pull(Self.users.map { Self.element($0) })
    try await expectRead()
  }

  @Test func `documents are read while one has its key in a field`() async throws {
    let elements = Self.users.map { Self.element($0) }
    _ = try await pull([Self.element("zoe", userId: "anna2")] + elements)
    try await expectRead()
  }

  @Test func `documents are read after rows came from another collection`() async throws {
    _ = try await pull(Self.users.map { Self.element($0) })
    var request = SyncUsersRequest.users()
    request.collection = "Members"
    _ = try await pull([Self.element("dora", collection: "Members")], request)
    try await expectRead()
  }

  @Test func `a filter, a watermark and a replace read every document`() async throws {
    _ = try await pull(Self.users.map { Self.element($0) })
    try await expectUnread()
    var filtered = SyncUsersRequest.users()
    filtered.filter.minAge = 18
    var replacing = SyncUsersRequest.users()
    replacing.options.mode = .replace
    var watched = SyncUsersRequest.users()
    watched.isWhole = true
    watched.options.watermark = Watermark(
      field: FieldPath(segments: ["last_time_seen"]), overlap: .seconds(300), startsOver: true)
    for request in [filtered, replacing, watched] { try await expectRead(request) }
  }

  @Test func `the profile's own user is skipped, whatever is stored`() async throws {
    _ = try await pull(Self.users.map { Self.element($0) })
    var request = SyncUsersRequest.users()
    request.ownUserId = "berta"
    let counts = try await pull(Self.users.map { Self.element($0) }, request).counts
    #expect(counts == RunCounts(fetched: 3, unchanged: 2, skipped: ["own-user": 1]))
  }

  @Test func `other wire names read every document anew`() async throws {
    _ = try await pull(Self.users.map { Self.element($0) })
    var request = SyncUsersRequest.users()
    request.fields = .app.renamed(["User_name": "User_area"])
    try await expectRead(request)
  }

  @Test(arguments: [1, 2, 5, 12])
  func `pages in the order of a field go on behind unread documents`(pageSize: Int) async throws {
    try await withServer { _, client in
      try await client.put(.users(12))
      let pull = Pull(port: client, store: workspace.store)
      let request = SyncUsersRequest.users(pageSize: pageSize)
      #expect(try await pull.run(request).counts == RunCounts(fetched: 12, inserted: 12))
      try await client.put(["Users/user-5": .user("user-5", seenAgo: 5)])
      let again = try await pull.run(request)
      #expect(again.counts == RunCounts(fetched: 12, updated: 1, unchanged: 11))
    }
  }

  @Test
  func `a document of two snapshots does not stand for a row that was not met`() async throws {
    try workspace.store.merge([.numbered(100)])
    let firestore = MemoryFirestore(.users(4))
    let port = FaultyPort(
      firestore, failingCall: 3, trouble: .tooOld,
      afterCall: { call in
        // The first user, who was stored, moves behind all others.
        guard call == 2 else { return }
        firestore.put(["Users/user-1": .user("user-1", seenAgo: 90_000)])
      })
    let request = SyncUsersRequest.users(pageSize: 2)
    let result = try await Pull(port: port, store: workspace.store, documentsPerCommit: 2)
      .run(request)
    #expect(result.leftSnapshot)
    #expect(result.counts.fetched == 5 && result.counts.updated == 1)
    #expect(try workspace.users().count == 5)
    #expect(try request.pull.unchanged?.storedTimes(in: workspace.store) == nil)
  }

  @Test func `a pull that goes on after a failure does not know what came before`() async throws {
    try await withServer { server, client in
      try await client.put(.users(8))
      let pull = Pull(port: client, store: workspace.store, documentsPerCommit: 2)
      server.inject(.status(.unavailable), times: nil, after: 2, matching: ":runQuery")
      await #expect(throws: FirestoreError.self) {
        _ = try await pull.run(.users(pageSize: 2))
      }
      server.clearFaults()
      #expect(try await pull.run(.users(pageSize: 2)).resumedAfter == 4)
      let unchanged = SyncUsersRequest.users().pull.unchanged
      #expect(try unchanged?.storedTimes(in: workspace.store) == nil)
      _ = try await pull.run(.users(pageSize: 2))
      #expect(try unchanged?.storedTimes(in: workspace.store) != nil)
    }
  }
}
