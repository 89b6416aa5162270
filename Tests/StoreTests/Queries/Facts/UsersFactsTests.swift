import Model
import Testing

@testable import Store

@Suite struct UsersFactsTests {
  let folder: TemporaryStore
  let store: Store

  init() throws {
    (folder, store) = try TemporaryStore.opened()
  }

  private func seen(_ secondsAgo: Int64...) throws -> UsersFacts {
    try store.merge(
      secondsAgo.enumerated().map { index, ago in
        .numbered(index, seen: Instant.morning.unixSeconds - ago)
      })
    return try store.read { try $0.usersFacts(at: .morning, newest: 3) }
  }

  @Test func `nobody gives zeros, not errors`() throws {
    let facts = try seen()
    #expect(facts.total == 0)
    #expect(facts.genders.isEmpty)
    #expect(facts.ages.isEmpty)
    #expect(facts.unknownAge == 0)
    #expect(facts.seenByHoursAgo == [Int](repeating: 0, count: 24))
    #expect(facts.newest.isEmpty)
    #expect(facts.refreshedAt == nil)
  }

  @Test(
    arguments: [
      (-200, 0), (0, 0), (3_599, 0), (3_600, 1), (7_199, 1), (82_799, 22), (86_399, 23),
      (86_400, nil),
    ] as [(Int64, Int?)])
  func `a user falls into the whole hours since it was seen`(ago: Int64, hour: Int?) throws {
    var expected = [Int](repeating: 0, count: 24)
    if let hour { expected[hour] = 1 }
    #expect(try seen(ago).seenByHoursAgo == expected)
  }

  @Test(arguments: ["'soon'", "''", "x'ff'", "NULL"])
  func `a time that is no number is never`(value: String) throws {
    _ = try seen(0, 10)
    try store.write {
      _ = try $0.run("UPDATE OnlineUsers SET user_last_time_seen = \(value) WHERE id = 1")
    }
    let facts = try store.read { try $0.usersFacts(at: .morning, newest: 3) }
    #expect(facts.seenByHoursAgo[0] == 1 && facts.seenByHoursAgo.reduce(0, +) == 1)
    #expect(facts.seenWithinHour == 1 && facts.seenWithinMonth == 1)
    #expect(facts.total == 2 && facts.newest.count == 2)
  }

  @Test func `a time with a fraction is in its hour`() throws {
    _ = try seen(0)
    let half = Double(Instant.morning.unixSeconds) - 3_600.5
    try store.write { _ = try $0.run("UPDATE OnlineUsers SET user_last_time_seen = \(half)") }
    let facts = try store.read { try $0.usersFacts(at: .morning, newest: 3) }
    #expect(facts.seenByHoursAgo[1] == 1 && facts.seenByHoursAgo.reduce(0, +) == 1)
  }

  @Test func `hour, day, week and month each contain the one before, to the second`() throws {
    let facts = try seen(
      0, 3_599, 3_600, 86_399, 86_400, 604_799, 604_800, 2_591_999, 2_592_000)
    #expect(facts.seenWithinHour == 2)
    #expect(facts.seenWithinDay == 4)
    #expect(facts.seenWithinWeek == 6)
    #expect(facts.seenWithinMonth == 8)
    #expect(facts.total == 9)
  }

  @Test func `the newest users come first, at most as many as asked for`() throws {
    #expect(try seen(50, 10, 30, 20).newest.map(\.userId) == ["user-1", "user-3", "user-2"])
  }

  @Test func `names are counted most frequent first, equal counts by name`() throws {
    try store.merge([
      OnlineUser(userId: "a", name: "A", gender: "Male", country: "Peru", language: "x"),
      OnlineUser(userId: "b", name: "B", gender: "Male", country: "Chile"),
      OnlineUser(userId: "c", name: "C", gender: "male", country: "Peru"),
      OnlineUser(userId: "d", name: "D", country: "Austria"),
    ])
    let facts = try store.read { try $0.usersFacts(at: .morning, newest: 0) }
    typealias Count = UsersFacts.Count
    #expect(
      facts.genders == [
        Count(name: "Male", count: 2), Count(name: "", count: 1), Count(name: "male", count: 1),
      ])
    #expect(
      facts.countries == [
        Count(name: "Peru", count: 2), Count(name: "Austria", count: 1),
        Count(name: "Chile", count: 1),
      ])
    #expect(facts.languages == [Count(name: "", count: 3), Count(name: "x", count: 1)])
    #expect(facts.newest.isEmpty)
  }

  @Test func `ages are counted by year, unreadable ones together`() throws {
    let ages = ["20", "020", "31", "", "old", "31.5"]
    try store.merge(
      ages.enumerated().map { OnlineUser(userId: "user-\($0)", name: "N", age: $1) })
    let facts = try store.read { try $0.usersFacts(at: .morning, newest: 0) }
    #expect(facts.ages == [20: 2, 31: 1])
    #expect(facts.unknownAge == 3)
  }

  @Test func `users were refreshed by a profile or by a run that fetched, whichever was last`()
    throws
  {
    try store.write { try $0.save(Profile(usersRefreshedAt: .morning)) }
    #expect(try store.read { try $0.usersRefreshedAt() } == .morning)
    for (index, outcome) in Run.Outcome.allCases.enumerated() {
      let end = Instant.morning + .seconds(index + 1)
      try store.write { writer in
        var run = Run(
          job: "users", kind: "sync-users", trigger: .stale, startedAt: .morning, endedAt: end,
          outcome: outcome)
        run.id = try writer.begin(run)
        try writer.finish(run)
      }
    }
    let lastFetch = try #require(Run.Outcome.allCases.firstIndex(of: .partial))
    #expect(
      try store.read { try $0.usersRefreshedAt() } == Instant.morning + .seconds(lastFetch + 1))
  }
}
