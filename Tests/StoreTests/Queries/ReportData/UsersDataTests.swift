import Fixtures
import StoreTesting
import Testing

@testable import Model
@testable import Store

@Suite struct UsersDataTests {
  let folder: TemporaryStore
  let store: Store

  init() throws {
    (folder, store) = try TemporaryStore.opened()
  }

  private func seen(_ secondsAgo: Int64...) throws -> UsersData {
    try store.merge(
      secondsAgo.enumerated().map { index, ago in
        .numbered(index, seen: Instant.morning.unixSeconds - ago)
      })
    return try store.read { try $0.usersData(at: .morning) }
  }

  @Test func `nobody gives zeros, not errors`() throws {
    let data = try seen()
    #expect(data.total == 0)
    #expect(data.topCountry == nil)
    #expect(data.refreshedAt == nil)
  }

  @Test(arguments: ["'soon'", "''", "x'ff'", "NULL"])
  func `a time that is no number is never`(value: String) throws {
    _ = try seen(0, 10)
    try store.write {
      _ = try $0.run("UPDATE OnlineUsers SET user_last_time_seen = \(value) WHERE id = 1")
    }
    let data = try store.read { try $0.usersData(at: .morning) }
    #expect(data.seenWithinHour == 1 && data.seenWithinMonth == 1)
    #expect(data.total == 2)
  }

  @Test func `hour, day, week and month each contain the one before, to the second`() throws {
    let data = try seen(
      0, 3_599, 3_600, 86_399, 86_400, 604_799, 604_800, 2_591_999, 2_592_000)
    #expect(data.seenWithinHour == 2)
    #expect(data.seenWithinDay == 4)
    #expect(data.seenWithinWeek == 6)
    #expect(data.seenWithinMonth == 8)
    #expect(data.total == 9)
  }

  @Test func `the most frequent country is told, and none of several`() throws {
    func top(_ countries: [String?]) throws -> String? {
      try store.merge(
        countries.enumerated().map { index, country in
          OnlineUser([
            .userId: .text("user-\(index)"), .name: "N", .country: .text(country ?? ""),
          ])
        })
      return try store.read { try $0.usersData(at: .morning).topCountry }
    }
    #expect(try top([nil, nil, "Peru", "Chile"]) == nil)
    #expect(try top([nil, nil, "Peru", "Chile", "Peru"]) == "Peru")
  }

  @Test func `users were refreshed by a profile or by a run that fetched, whichever was last`()
    throws
  {
    try store.write { try $0.save(Profile(usersRefreshedAt: .morning)) }
    #expect(try store.read { try $0.usersRefreshedAt(at: .morning) } == .morning)
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
      try store.read { try $0.usersRefreshedAt(at: .morning) } == Instant.morning
        + .seconds(lastFetch + 1))
  }
}
