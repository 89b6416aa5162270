import Emulator
import Firestore
import Fixtures
import HTTP
import JobsTesting
import Model
import Store
import StoreTesting
import SyncTesting
import Testing

@testable import Jobs
@testable import Sync

/// Pulls over real HTTP from the embedded server into a real database.
@Suite struct SyncUsersPullTests {
  private let workspace: TemporaryStore

  init() throws {
    workspace = try TemporaryStore()
  }

  private func pull(
    _ client: FirestoreClient, _ request: SyncUsersRequest = .users()
  ) async throws -> PullResult {
    try await Pull(port: client, store: workspace.store).run(request)
  }

  @Test
  func `a first load stores what the server holds, but for the skipped, by reason`() async throws {
    try await withServer { server, client in
      let app = SampleApp(users: 60, now: .morning)
      try server.documents.seed(app.documents(in: client.endpoint.root.databaseName))
      let result = try await pull(client)
      let held = server.documents.documents(in: try client.endpoint.root.appending(path: "Users"))
      #expect(held.count == 60)
      #expect(result.counts.fetched == 60)
      #expect(result.counts.inserted == 56)
      #expect(result.counts.updated == 0)
      #expect(result.counts.unchanged == 0)
      #expect(
        result.counts.skipped == [
          "empty-name": 1, "ad-id": 1, "short-id": 1, "bad-field:last_time_seen": 1,
        ])
      #expect(result.emptiedFields == ["User_age": 1])
      #expect(result.correctedTimes == 1)
      #expect(result.resumedAfter == nil)
      let expected = held.compactMap { OnlineUser($0.fields) }
      #expect(expected.count == 56)
      #expect(Set(try workspace.users()) == Set(expected))
    }
  }

  @Test func `a second pull finds everything unchanged`() async throws {
    try await withServer { _, client in
      try await client.put(.users(12))
      _ = try await pull(client)
      let before = (try workspace.users(), try workspace.rowIds())
      let again = try await pull(client)
      #expect(again.counts == RunCounts(fetched: 12, unchanged: 12))
      #expect(try workspace.users() == before.0)
      #expect(try workspace.rowIds() == before.1)
    }
  }

  @Test func `a changed document is updated under its row's id, a new one inserted`() async throws {
    try await withServer { _, client in
      try await client.put(.users(6))
      _ = try await pull(client)
      let ids = try workspace.rowIds()
      try await client.put([
        "Users/user-3": .user("user-3", seenAgo: 0, ["User_name": .string("Renamed")]),
        "Users/user-0": .user("user-0", seenAgo: 10),
      ])
      let again = try await pull(client)
      #expect(again.counts == RunCounts(fetched: 7, inserted: 1, updated: 1, unchanged: 5))
      let users = try workspace.users()
      #expect(users.first?.name == "Renamed")
      #expect(users.map(\.userId).prefix(3) == ["user-3", "user-0", "user-1"])
      let idsAfter = try workspace.rowIds()
      for (user, id) in ids { #expect(idsAfter[user] == id) }
    }
  }

  @Test(arguments: [(1, 8), (2, 4), (3, 3), (7, 2), (8, 1), (1000, 1)])
  func `every page size brings the same users, each document once`(size: Int, pages: Int)
    async throws
  {
    try await withServer { server, client in
      try await client.put(.users(7))
      server.forgetRequests()
      let result = try await pull(client, .users(pageSize: size))
      #expect(result.counts == RunCounts(fetched: 7, inserted: 7))
      #expect(try workspace.users().map(\.userId) == (1...7).map { "user-\($0)" })
      #expect(server.requests.count == pages)
    }
  }

  /// One page after a full first one looks for numbers: docs/loads.md#two-types.
  @Test(arguments: [(1, 1), (4, 3), (5, 3), (6, 3), (7, 4), (12, 5), (13, 6), (100, 6)])
  func `no more than max_documents are read, those seen last`(maximum: Int, pages: Int) async throws
  {
    try await withServer { server, client in
      try await client.put(.users(12))
      server.forgetRequests()
      let result = try await pull(client, .users(pageSize: 3, maxDocuments: maximum))
      let count = min(maximum, 12)
      #expect(result.counts == RunCounts(fetched: count, inserted: count))
      #expect(try workspace.users().map(\.userId) == (1...count).map { "user-\($0)" })
      #expect(server.requests.count == pages)
    }
  }

  @Test func `an empty collection is no error, and 'finish' is applied`() async throws {
    try await withServer { _, client in
      let result = try await Pull(port: client, store: workspace.store)
        .run(.users(), finish: [.mark("yes", named: "finished")])
      #expect(result.counts == RunCounts())
      #expect(try workspace.users().isEmpty)
      #expect(try workspace.store.read { try $0.mark(named: "finished") } == "yes")
    }
  }

  @Test func `every later page is read at the read time of the first`() async throws {
    try await withServer { server, client in
      try await client.put(.users(7))
      server.forgetRequests()
      let result = try await pull(client, .users(pageSize: 2))
      let times = try server.requests.map { try $0.json()["readTime"]?.text() }
      let readTime = try #require(result.readTime)
      let text = Timestamp(microseconds: readTime.microseconds).rfc3339
      #expect(times == [nil, text, text, text])
    }
  }

  @Test func `only users who meet all criteria are stored, and the others counted`() async throws {
    try await withServer { _, client in
      try await client.put([
        "Users/match": .user("match", seenAgo: 1),
        "Users/tooYoung": .user("tooYoung", seenAgo: 2, ["User_age": .integer(19)]),
        "Users/ageless": .user("ageless", seenAgo: 3, ["User_age": .null]),
        "Users/man": .user("man", seenAgo: 4, ["User_gender": .string("Male")]),
        "Users/abroad": .user("abroad", seenAgo: 5, ["User_country": .string("Peru")]),
        "Users/elsewhere": .user("elsewhere", seenAgo: 6, ["user_city": .string("Cusco")]),
      ])
      var request = SyncUsersRequest.users()
      request.filter = UserFilter(gender: .female, country: "Chile", minAge: 20, isNearbyOnly: true)
      request.city = "Lima"
      let result = try await pull(client, request)
      #expect(try workspace.userIds() == ["match"])
      #expect(
        result.counts == RunCounts(fetched: 3, inserted: 1, skipped: ["filter": 2]))
    }
  }

  @Test(arguments: 1...4)
  func `documents whose order field is of any kind are passed, wherever a page ends`(pageSize: Int)
    async throws
  {
    let values: [Value] = [
      .null, .boolean(true), .integer(1_700_000_000), .double(.nan), .double(1_700_000_001.5),
      .timestamp(Timestamp(microseconds: 1_700_000_002_000_000)), .string("yesterday"),
      .bytes([1, 2]), .reference("projects/demo/databases/(default)/documents/Users/x"),
      .geoPoint(latitude: 1, longitude: 2), .array([.integer(1)]), .map(["at": .integer(1)]),
    ]
    try await withServer { _, client in
      for (number, value) in values.enumerated() {
        let id = "kind-\(number)"
        try await client.put(["Users/\(id)": .user(id, seenAgo: 0, ["last_time_seen": value])])
      }
      let result = try await pull(client, .users(pageSize: pageSize))
      #expect(result.counts.fetched == values.count)
      #expect(result.counts.skipped == ["bad-field:last_time_seen": 8])
      #expect(try workspace.userIds() == ["kind-0", "kind-2", "kind-4", "kind-5"])
    }
  }

  @Test(
    arguments: [
      .truncatedArray, .cut(afterBytes: 700), .drop, .lostAnswer, .garbage(),
      .status(.unavailable), .status(.internal, insideArray: true),
    ] as [Fault])
  func `a page that came broken is asked for again and counts once`(fault: Fault) async throws {
    try await withServer { server, client in
      try await client.put(.users(7))
      for page in 0..<4 { server.inject(fault, after: page * 2, matching: ":runQuery") }
      let result = try await pull(client, .users(pageSize: 2))
      #expect(result.counts == RunCounts(fetched: 7, inserted: 7))
      #expect(try workspace.userIds() == (1...7).map { "user-\($0)" })
      #expect(client.traffic.retryCount > 0)
    }
  }

  @Test
  func `a page that stays broken fails the pull, which keeps those before and is unfinished`()
    async throws
  {
    try await withServer { server, client in
      try await client.put(.users(7))
      server.inject(.status(.unavailable), times: nil, after: 2, matching: ":runQuery")
      await #expect(throws: FirestoreError.self) {
        try await Pull(port: client, store: workspace.store)
          .run(.users(pageSize: 2), finish: [.mark("yes", named: "finished")])
      }
      #expect(try workspace.store.read { try $0.mark(named: "finished") } == nil)
      #expect(try workspace.userIds() == (1...4).map { "user-\($0)" })
    }
  }

  @Test func `'finish' sees the last rows, and what it throws takes them back`() async throws {
    struct Refused: Error {}
    try await withServer { _, client in
      try await client.put(.users(5))
      let pull = Pull(port: client, store: workspace.store, documentsPerCommit: 2)
      let request = SyncUsersRequest.users(pageSize: 2)
      await #expect(throws: Refused.self) {
        try await pull.run(request, finish: [.then { _, _ in throw Refused() }])
      }
      #expect(try workspace.users().map(\.userId) == (1...4).map { "user-\($0)" })
      let count = StoreChange.then { reader, _ in
        [.mark("\(try reader.usersCount())", named: "seen")]
      }
      let result = try await pull.run(request, finish: [count])
      #expect(try workspace.store.read { try $0.mark(named: "seen") } == "5")
      #expect(result.resumedAfter == 4)
      #expect(try workspace.users().count == 5)
    }
  }
}

extension OnlineUser {
  /// The expected row of a document, read the slow way; nil for a document without a row.
  init?(_ fields: [String: Value]) {
    func text(_ name: String) -> String? {
      guard case .string(let text)? = fields[name] else { return nil }
      return text
    }
    var age = text("User_age") ?? ""
    if case .integer(let years)? = fields["User_age"] { age = String(years) }
    var seconds: Int64 = 0
    switch fields["last_time_seen"] {
    case .timestamp(let time): seconds = Instant(microseconds: time.microseconds).unixSeconds
    case .integer(let number): seconds = number
    default: return nil
    }
    if seconds > Instant.morning.unixSeconds + 300 {
      seconds = Instant.morning.unixSeconds - 30 * 86_400
    }
    guard let id = text("User_id"), let name = text("User_name"), !name.isEmpty, id.count >= 3,
      !id.contains("_ad_"), case .integer(let decentTime)? = fields["IamDecentTime"]
    else { return nil }
    self.init([
      .userId: .text(id), .name: .text(name), .age: .text(age), .decentTime: .integer(decentTime),
      .lastSeenAtSeconds: .integer(seconds), .isAd: fields["isAd"] == .boolean(true) ? 1 : 0,
    ])
    for column in UserColumn.ofUsers where column.descriptor.form == .text {
      if let text = column.descriptor.wireNames.lazy.compactMap(text).first {
        self[column] = .text(text)
      }
    }
  }
}
