import Foundation
import Model
import StoreTesting
import Testing

@testable import Store

/// What the database holds about a person, and that nothing of it is left.
@Suite struct ErasePersonTests {
  private static let id = "Erika_4711"
  private let folder: TemporaryStore
  private let store: Store

  init() throws {
    (folder, store) = try TemporaryStore.opened()
    try folder.execute(
      """
      CREATE TABLE Orders (document_path TEXT PRIMARY KEY NOT NULL, document_id TEXT NOT NULL,
        buyer TEXT, total INTEGER, document TEXT, update_time INTEGER NOT NULL,
        synced_at INTEGER NOT NULL) STRICT;
      INSERT INTO sync_tables VALUES ('Orders', 'the collection Orders');
      """)
  }

  /// A row of each place that is about somebody, by what inserts it and what is found.
  private static let rows: [(place: String, sql: String)] = [
    ("users", "INSERT INTO OnlineUsers (user_id, user_name) VALUES ('ID', 'Erika')"),
    (
      "users",
      """
      INSERT INTO OnlineUsers_staging (user_id, user_name, update_time) VALUES ('ID', 'Erika', 0)
      """
    ),
    ("table Orders", order("Orders/ID", "NULL", "NULL")),
    ("table Orders", order("Users/ID/Orders/o", "NULL", "NULL")),
    ("table Orders", order("Orders/o", "'ID'", "NULL")),
    ("table Orders", order("Orders/o", "NULL", #"'{"a":["ID"]}'"#)),
    ("accounts", account("ID", claims: "NULL")),
    ("accounts", account("other", claims: #"'{"parent":"ID"}'"#)),
    ("events", event("ID", "{}")),
    ("events", event("pseudo", #"{"ios_user_id":"ID"}"#)),
    ("ratings", rating("default", "ID")),
    (
      "feedback",
      """
      INSERT INTO app_rating_feedback VALUES ('F/1', '1', 'ID', '', '', '', 'text', 1, 2, 0, 0)
      """
    ),
    ("outbox", item("default", #"{"userId":"ID"}"#)),
    ("profiles", profile("erika", "'ID'")),
    ("keys", "INSERT INTO tombstones VALUES ('OnlineUsers', 'ID', 0)"),
    ("keys", "INSERT INTO skipped_documents VALUES ('Orders', 'Users/ID/Orders/o')"),
    ("keys", "INSERT INTO swept_documents VALUES ('OnlineUsers', 'ID')"),
    ("messages", "INSERT INTO marks VALUES ('outage a', 'ID has no rights')"),
    (
      "messages",
      #"INSERT INTO sync_cursors VALUES ('a', 'users', '{"name":"p/Users/ID"}', 0)"#
    ),
    (
      "messages",
      """
      INSERT INTO sync_runs (job, kind, trigger, started_at, outcome, fetched, inserted, updated,
      unchanged, deleted, skipped, billed_reads, bytes, requests, retries, warnings)
      VALUES ('a', 'report', 'scheduled', 1, 'ok', 0, 0, 0, 0, 0, '{}', 0, 0, 0, 0, '[]');
      INSERT INTO run_logs VALUES (last_insert_rowid(), 1, 0, 'info', 'Users/ID is odd')
      """
    ),
  ]

  private static func order(_ path: String, _ buyer: String, _ document: String) -> String {
    "INSERT INTO Orders VALUES ('\(path)', 'o', \(buyer), 1, \(document), 0, 0)"
  }

  private static func account(_ uid: String, claims: String) -> String {
    """
    INSERT INTO auth_users (uid, email_hash, email_verified, providers, disabled, factors, claims,
      synced_at, pass) VALUES ('\(uid)', 'ab', 1, '[]', 0, 0, \(claims), 0, 1)
    """
  }

  private static func event(_ user: String, _ parameters: String) -> String {
    """
    INSERT INTO events (name, at, user_id, parameters, source, fingerprint)
    VALUES ('e', 1, '\(user)', '\(parameters)', 'test', 1)
    """
  }

  private static func rating(_ profile: String, _ user: String, item: String = "NULL") -> String {
    """
    INSERT INTO ratings (profile, user_id, gender, country, app_version, stars, at, tries,
    outbox_id) VALUES ('\(profile)', '\(user)', '', '', '', 2, 1, 0, \(item))
    """
  }

  private static func item(_ profile: String, _ payload: String) -> String {
    """
    INSERT INTO outbox (profile, kind, state, payload, created_at)
    VALUES ('\(profile)', 'moment', 'queued', '\(payload)', 1)
    """
  }

  private static func profile(_ name: String, _ user: String) -> String {
    """
    INSERT INTO profiles (name, user_id, tier, time_zone, filter_is_nearby_only, rating_sent,
    rating_received, rating_tries) VALUES ('\(name)', \(user), 'free', 'UTC', 0, 0, 0, 0)
    """
  }

  private func insert(_ sql: String, as id: String) throws {
    try folder.execute(sql.replacing("ID", with: id))
  }

  private func erase(_ id: String = id) throws -> PersonRows {
    try store.erasing { try $0.erasePerson(id: id) }
  }

  @Test(arguments: rows.indices)
  func `each place is counted, emptied and only then empty`(index: Int) throws {
    let (place, sql) = Self.rows[index]
    try insert(sql, as: Self.id)
    // What a restored backup is asked, of those whom the tombstones know.
    let found = try store.read { try $0.namedPeople { $0.elementsEqual(Self.id.utf8) } }
    #expect(found == [Self.id])
    #expect(try store.read { try $0.personRows(id: Self.id).places } == [.init(place, 1)])
    #expect(try erase().places == [.init(place, 1)])
    #expect(try store.read { try $0.personRows(id: Self.id) } == PersonRows())
    #expect(try erase().total == 0)
  }

  @Test func `notes about the person's feedback go with it, and nobody else's`() throws {
    let document = """
      INSERT INTO app_rating_feedback VALUES ('F/ID', '1', 'ID', '', '', '', 'text', 1, 2, 0, 0)
      """
    for (id, other) in [(Self.id, "own/1"), ("other", "own/2")] {
      try insert(Self.rating("default", "ID"), as: id)
      try insert(document, as: id)
      for key in [other, "F/\(id)"] {
        try folder.execute("INSERT INTO feedback_marks VALUES ('\(key)', 'crash', NULL, 1)")
      }
    }
    #expect(try erase().places.first { $0.place == "marks" }?.count == 2)
    #expect(try folder.texts("SELECT key FROM feedback_marks ORDER BY 1") == ["F/other", "own/2"])
  }

  @Test(
    arguments: rows.indices,
    ["Erika_47110", "XErika_4711", "erika_4711", "Erika_471", "Erika%4711"]
  )
  func `nobody else's row is`(index: Int, other: String) throws {
    try insert(Self.rows[index].sql, as: other)
    #expect(try store.read { try $0.personRows(id: Self.id) } == PersonRows())
    #expect(try erase().total == 0)
    #expect(try store.read { try $0.personRows(id: other).total } == 1)
  }

  /// What an id is in a workspace: whether it is somebody's, and the rows of Orders that go.
  private static let boundary: [(id: String, isSomebody: Bool, rows: Int)] = [
    ("u1", true, 3), ("o1", true, 1), ("owner", true, 1), ("seller", true, 1),
    ("104400", false, 0), ("Orders", false, 1), ("Shops", false, 0), ("berlin", false, 1),
    ("Female", false, 1), ("gender", false, 0), ("stringValue", false, 0), ("u", false, 0),
    ("ok", false, 0), ("%", false, 0), (" ", false, 0), ("true", false, 0), ("U1", false, 0),
  ]

  @Test(arguments: boundary.indices)
  func `an id is somebody's by where it stands, and rows go by whole values`(index: Int) throws {
    let owner = "'projects/p/databases/d/documents/Users/owner'"
    let numbers = #"'{"n":{"integerValue":"104400"},"gender":{"mapValue":{"fields":{}}}}'"#
    let seller = #"'{"seller_user_id":{"stringValue":"seller"}}'"#
    for sql in [
      Self.order("Orders/u1", "NULL", "NULL"), Self.order("Users/u1/Orders/o", "'Female'", "NULL"),
      Self.order("Shops/berlin/Orders/x", "'Orders'", "NULL"),
      Self.order("Orders/o1", owner, numbers), Self.order("Orders/y", "'u1'", seller),
      "UPDATE Orders SET document_id = 'o1' WHERE document_path = 'Orders/o1'",
      "INSERT INTO marks VALUES ('outage a', 'ok % true')",
    ] { try folder.execute(sql) }
    let (id, isSomebody, count) = Self.boundary[index]
    try store.read { reader in
      #expect(try reader.isSomebody(id: id, userCollections: ["Users"]) == isSomebody, "\(id)")
      let rows = try reader.personRows(id: id).places.first { $0.place == "table Orders" }
      #expect((rows?.count ?? 0) == count, "\(id)")
    }
  }

  @Test func `what a profile of the person did goes with it`() throws {
    try folder.execute(Self.profile("erika", "'\(Self.id)'"))
    try folder.execute(Self.profile("other", "'u2'"))
    for name in ["erika", "other"] {
      try folder.execute(
        """
        INSERT INTO limit_states (profile, feature, usage) VALUES ('\(name)', 'refresh', 1);
        INSERT INTO pending_uses (profile, feature, started_at, owner)
          VALUES ('\(name)', 'refresh', 0, 'me');
        INSERT INTO moment_marks (profile, is_total_limit_reached) VALUES ('\(name)', 0);
        INSERT INTO app_sessions VALUES ('\(name)', 's', 0, 0, 1);
        INSERT INTO app_session_counts VALUES ('\(name)', 's', 'refresh', 1);
        INSERT INTO open_popups VALUES ('\(name)', 'refresh', 0);
        \(Self.item(name, "{}"));
        \(Self.rating(name, "", item: "last_insert_rowid()"));
        """)
    }
    let held = try erase()
    #expect(held.places == [.init("ratings", 1), .init("outbox", 1), .init("profiles", 7)])
    for table in [
      "limit_states", "pending_uses", "moment_marks", "app_sessions", "app_session_counts",
      "open_popups", "outbox", "ratings",
    ] {
      #expect(try folder.texts("SELECT profile FROM \(table)") == ["other"], "\(table)")
    }
    #expect(try folder.texts("SELECT name FROM profiles") == ["other"])
  }

  @Test func `what a profile did before it had the person's id goes, too`() throws {
    try folder.execute(Self.profile("erika", "'\(Self.id)'"))
    try folder.execute(Self.profile("other", "'u2'"))
    for name in ["erika", "other"] {
      try folder.execute(
        Self.event(Profile.eventUserId(ofProfile: name), "{}")
          + ";UPDATE events SET at = at + 1")
    }
    #expect(try erase().places == [.init("events", 1), .init("profiles", 1)])
    #expect(try folder.texts("SELECT user_id FROM events") == ["profile other"])
  }

  @Test func `a message loses the id and stays, a position goes`() throws {
    try store.write { writer in
      var run = Run(job: "a", kind: "report", trigger: .scheduled, startedAt: .init(unixSeconds: 1))
      run.id = try writer.begin(run)
      run.warnings = ["Users/\(Self.id) is odd", "fine"]
      run.error = "\(Self.id): no"
      try writer.finish(run)
    }
    #expect(try erase().places == [.init("messages", 2)])
    let run = try #require(try store.read { try $0.runs(from: .init(unixSeconds: 0)) }.first)
    #expect(run.warnings == ["Users/[erased] is odd", "fine"])
    #expect(run.error == "[erased]: no")
  }

  @Test func `the paths of documents that the server has are named once`() throws {
    try insert(Self.rows[3].sql, as: Self.id)
    try insert(Self.rows[11].sql, as: Self.id)
    try folder.execute(
      Self.item("default", #"{"userId":"\#(Self.id)"}"#) + ";UPDATE outbox SET remote_name = 'F/1'")
    #expect(try erase().documents == ["F/1", "Users/\(Self.id)/Orders/o"])
  }

  @Test func `counts of the server know the documents of erased feedback`() throws {
    try insert(Self.rows[11].sql, as: Self.id)
    _ = try erase()
    let counts = try store.read { try $0.mirrorCounts(of: .feedback) }
    #expect(counts.rows == 0 && counts.skipped == 1)
  }

  @Test func `no byte of the person is left in the file or its log`() throws {
    let marker = "Hannelore-\(Self.id)"
    try store.merge((1...3_000).map { .numbered($0) })
    try store.merge([
      OnlineUser([
        .userId: .text(Self.id), .name: .text(marker), .deviceToken: .text(marker),
      ])
    ])
    // Old versions of the row lie about in the file and in the log.
    try store.merge(
      [OnlineUser([.userId: .text(Self.id), .name: .text(marker + "2"), .city: .text(marker)])],
      updateTime: 2)
    _ = try store.write { writer in
      try writer.append(
        (1...500).map {
          Event(
            name: "e", at: Instant(unixSeconds: $0), userId: Self.id,
            parameters: ["a": .string(marker)])
        }, source: "test")
    }
    try store.optimize()
    #expect(try bytes(have: Self.id))
    #expect(try bytes(have: marker))
    _ = try erase()
    #expect(try store.scrub())
    #expect(try !bytes(have: Self.id))
    #expect(try !bytes(have: "Hannelore"))
    #expect(try store.read { try $0.usersCount() } == 3_000)
    try store.checkIntegrity()
  }

  @Test func `a reader keeps the log from being emptied, and that is said`() throws {
    try store.merge([OnlineUser([.userId: .text(Self.id), .name: "Erika"])])
    let reader = try folder.open(.readOnly)
    _ = try erase()
    let isClean = try reader.read { snapshot in
      let count = try snapshot.usersCount()
      return try store.scrub() || count > 0
    }
    #expect(!isClean)
    #expect(try store.scrub())
  }

  private func bytes(have text: String) throws -> Bool {
    try ["", "-wal"].contains { suffix in
      let path = folder.path + suffix
      guard FileManager.default.fileExists(atPath: path) else { return false }
      let data = try Data(contentsOf: URL(filePath: path))
      return data.range(of: Data(text.utf8)) != nil
    }
  }
}

/// The hashes of those who are not to come back.
@Suite struct ErasuresTests {
  private let store: Store
  private let folder: TemporaryStore

  init() throws {
    (folder, store) = try TemporaryStore.opened()
  }

  @Test func `the first erasure is the one that is remembered`() throws {
    let (first, later) = (Instant(unixSeconds: 1), Instant(unixSeconds: 2))
    #expect(try store.read { try $0.erasedHashes() } == [])
    try store.write { writer in
      try writer.noteErased(hash: -5, at: first)
      try writer.noteErased(hash: -5, at: later)
      try writer.noteErased(hash: .max, at: later)
      #expect(try writer.erasedAt(hash: -5) == first)
      #expect(try writer.erasedAt(hash: 5) == nil)
      #expect(try writer.erasedHashes().sorted() == [-5, .max])
    }
  }

  @Test func `a restored database takes over what the other one remembers`() throws {
    let other = try TemporaryStore().store
    #expect(try other.read { try $0.erasures() } == nil)
    #expect(try store.read { try $0.erasureKey() } == nil)
    try other.write { writer in
      try writer.setErasureKey("k1")
      try writer.noteErased(hash: 7, at: Instant(unixSeconds: 1))
    }
    let erasures = try #require(try other.read { try $0.erasures() })
    for _ in 0..<2 { #expect(try store.write { try $0.adopt(erasures) }) }
    #expect(try store.read { try $0.erasedHashes() } == [7])
    #expect(try store.read { try $0.erasureKey() } == "k1")
    try store.write { try $0.setErasureKey("k2") }
    #expect(try !store.write { try $0.adopt(erasures) })
  }
}
