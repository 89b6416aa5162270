import Fixtures
import Model
import StoreTesting
import Testing

@testable import Store

@Suite struct OnlineCountsTests {
  @Test(arguments: [(0, 1), (299, 1), (300, 0), (301, 0), (-60, 1)])
  func `who was seen in the last five minutes is online`(ago: Int64, online: Int) throws {
    let (folder, store) = try TemporaryStore.opened()
    defer { withExtendedLifetime(folder) {} }
    try store.merge([.numbered(1, seen: Instant.morning.unixSeconds - ago)])
    #expect(try store.read { try $0.usersOnline(at: .morning) } == online)
  }

  @Test(arguments: [
    (249, 249, 0, false, false), (250, 249, 0, true, false), (250, 250, 0, true, true),
    (250, 240, 10, true, true), (250, 240, 9, true, false),
  ])
  func `a load that ends at its limit is a sample, and a minimum when all of it is online`(
    documents: Int, online: Int, skipped: Int, isSample: Bool, isMinimum: Bool
  ) {
    let count = OnlineCount(
      at: .morning, online: online, documents: documents, skipped: skipped, limit: 250)
    #expect(count.isSample == isSample)
    #expect(count.isMinimum == isMinimum)
  }

  @Test func `a load without a limit is never a sample`() {
    let count = OnlineCount(at: .morning, online: 9, documents: 9, skipped: 0, limit: nil)
    #expect(!count.isSample && !count.isMinimum)
  }

  @Test func `a count is kept once a load, and the day has the last one`() throws {
    let (folder, store) = try TemporaryStore.opened()
    defer { withExtendedLifetime(folder) {} }
    let hour = Duration.seconds(3_600)
    let counts = [
      OnlineCount(at: .morning, online: 5), OnlineCount(at: .morning + hour, online: 7),
      OnlineCount(at: .morning + hour + hour, online: 2, isSample: true, isMinimum: true),
    ]
    try store.write { writer in
      for count in counts + [counts[0]] { try writer.record(count, job: "online-users") }
    }
    let kept = try folder.texts("SELECT CAST(online AS TEXT) FROM online_counts ORDER BY at")
    #expect(kept == ["5", "7", "2"])
    for (offset, newest) in [(-1, nil), (0, counts[0]), (7_199, counts[1]), (7_200, counts[2])] {
      let now = Instant.morning + .seconds(offset)
      #expect(try store.read { try $0.newestOnlineCount(until: now) } == newest)
    }
    let days = try store.read {
      try $0.dayFacts(
        [(.morning - hour)..<(.morning), (.morning)..<(.morning + hour + hour)],
        at: .morning + hour + hour)
    }
    #expect(days.map(\.onlineNow) == [nil, 7])
    for (minutes, online) in [(59, 5), (60, 7)] {
      let now = Instant.morning + .seconds(60 * minutes)
      let day = try store.read {
        try $0.dayFacts([(.morning)..<(.morning + hour + hour)], at: now)[0]
      }
      #expect(day.onlineByNow == online && day.onlineNow == 7)
    }
  }
}
