import Fixtures
import GRDB
import Model
import StoreTesting
import Testing

@testable import Store

/// What a transaction stores, change by change.
@Suite struct CommitTests {
  private struct Interruption: Error {}

  private let workspace: TemporaryStore
  private let effects: [(table: String, effect: StoreChange)]

  init() throws {
    workspace = try TemporaryStore()
    var run = Run(job: "users", kind: "sync-users", trigger: .manual, startedAt: .morning)
    let (id, use) = try workspace.store.write { writer in
      (
        try writer.begin(run),
        try writer.beginPendingUse(
          profile: "default", feature: .refresh, at: .morning, owner: "me")
      )
    }
    run.id = id
    effects = [
      (
        "OnlineUsers",
        .upsert([TableRows([.numbered(1), .numbered(2)])], into: .onlineUsers, at: .morning)
      ),
      (
        "sync_cursors",
        .cursor(SyncCursor(value: "{}", startedAt: .morning), job: "users", key: "users 1")
      ),
      ("marks", .mark("yes", named: "a mark")),
      ("sync_runs", .billedReads(7, run: id)),
      ("profiles", .profile(Profile(name: "ana", city: "Lima"))),
      (
        "limit_states",
        .limitState(LimitState(usage: 1, cooldownStartedAt: nil), profile: "ana", feature: .filter)
      ),
      ("pending_uses", .endUse(id: use)),
      (
        "app_sessions",
        .appSessions(
          [AppSession(id: "s1", startedAt: .morning, lastEventAt: .morning)], profile: "ana")
      ),
      ("events", .events([Event(name: "tap", at: .morning, userId: "ana")], source: "test")),
      ("outbox", .outboxItem(.event, profile: "ana", payload: "{}", at: .morning)),
    ]
  }

  /// The rows of each table as text.
  private func tables(_ store: Store) throws -> [String: String] {
    try store.read { reader in
      var tables: [String: String] = [:]
      for (table, _) in effects {
        tables[table] = try Row.fetchAll(reader.database, sql: "SELECT * FROM \(table)")
          .map(\.description).joined()
      }
      return tables
    }
  }

  /// What each effect makes of its table, alone.
  private func results() throws -> [String] {
    try effects.map { table, effect in
      let other = try TemporaryStore { path in try workspace.store.backUp(to: path) }
      try other.store.commit([effect])
      return try tables(other.store)[table] ?? ""
    }
  }

  @Test func `any effects are stored together, and one that fails at any step takes all back`()
    throws
  {
    let before = try tables(workspace.store)
    let results = try results()
    for subset in 0..<(1 << effects.count) {
      let chosen = effects.indices.filter { subset & 1 << $0 != 0 }
      let list = chosen.map { effects[$0].effect }
      for step in 0...list.count {
        var failing = list
        failing.insert(.then { _, _ in throw Interruption() }, at: step)
        #expect(throws: Interruption.self) { try workspace.store.commit(failing) }
      }
      #expect(try tables(workspace.store) == before, "\(chosen)")
      var wanted = before
      for index in chosen { wanted[effects[index].table] = results[index] }
      #expect(throws: Interruption.self) {
        try workspace.store.write { writer in
          try writer.apply(list)
          for (table, rows) in wanted {
            let stored = try Row.fetchAll(writer.database, sql: "SELECT * FROM \(table)")
            #expect(stored.map(\.description).joined() == rows, "\(table) of \(chosen)")
          }
          throw Interruption()
        }
      }
    }
  }

  @Test func `a process that is killed at any statement has stored all effects or none`() throws {
    let before = try tables(workspace.store)
    let copies = KillCopies(of: workspace)
    try workspace.store.commit(effects.map(\.effect))
    copies.end(of: workspace)
    let after = try tables(workspace.store)
    #expect(before.allSatisfy { after[$0.key] != $0.value })
    let databases = try copies.databases()
    #expect(!databases.isEmpty)
    for copy in databases {
      let stored = try tables(copy.store)
      #expect(stored == before || stored == after)
    }
  }

  @Test func `an effect that depends on others sees their rows and counts`() throws {
    let counts = try workspace.store.commit([
      .mark("old", named: "seen"), effects[0].effect,
      .then { reader, counts in
        let users = try reader.usersCount()
        return [.mark("\(users) \(counts.upserted.inserted)", named: "seen")]
      },
    ])
    #expect(counts == CommitCounts(upserted: UpsertCounts(inserted: 2)))
    #expect(try workspace.store.read { try $0.mark(named: "seen") } == "2 2")
  }

  @Test func `staged rows become the only ones, and are counted with those that go`() throws {
    try workspace.store.merge([.numbered(1), .numbered(2)])
    try workspace.store.commit([.stage([TableRows([.numbered(9)])], for: .onlineUsers)])
    let counts = try workspace.store.commit([
      .clearStaged(.onlineUsers), .stage([TableRows([.numbered(2)])], for: .onlineUsers),
      .stage([TableRows([.numbered(3)])], for: .onlineUsers),
      .replace(.onlineUsers, at: .morning),
    ])
    #expect(counts.deleted == 1 && counts.upserted.inserted == 1)
    #expect(try workspace.userIds() == ["user-2", "user-3"])
  }

  @Test func `nil takes a cursor and a value away, and whether users are left is told`() throws {
    func isToldEmpty() throws -> Bool {
      try workspace.texts("SELECT value FROM marks WHERE name LIKE '%empty%'") == ["yes"]
    }
    try workspace.store.commit(effects.map(\.effect))
    try workspace.store.commit([
      .cursor(nil, job: "users", key: "users 1"), .mark(nil, named: "a mark"),
      .removeUser(id: "user-1"), .whetherUsersAreLeft,
    ])
    #expect(try workspace.texts("SELECT job FROM sync_cursors").isEmpty)
    #expect(try workspace.store.read { try $0.mark(named: "a mark") } == nil)
    #expect(try workspace.userIds() == ["user-2"] && !isToldEmpty())
    try workspace.store.commit([.removeUser(id: "user-2"), .whetherUsersAreLeft])
    #expect(try workspace.userIds().isEmpty && isToldEmpty())
  }

  @Test func `a reservation is given back once, and nothing below zero`() throws {
    func state() throws -> LimitState {
      try workspace.store.read { try $0.limitState(profile: "default", feature: .refresh) }
    }
    let use = try #require(try workspace.store.read { try $0.pendingUses() }.first)
    let giveBack = StoreChange.giveBack(use: use.id, profile: use.profile, feature: use.feature)
    try workspace.store.commit([giveBack])
    #expect(try state() == .initial)
    let counted = LimitState(usage: 2, cooldownStartedAt: nil)
    try workspace.store.commit([
      .limitState(counted, profile: use.profile, feature: use.feature), giveBack,
    ])
    #expect(try state().usage == 2)
    let again = try workspace.store.write {
      try $0.beginPendingUse(
        profile: use.profile, feature: use.feature, at: .morning, owner: "me")
    }
    try workspace.store.commit([
      .giveBack(use: again, profile: use.profile, feature: use.feature), giveBack,
    ])
    #expect(try state().usage == 1)
  }
}
