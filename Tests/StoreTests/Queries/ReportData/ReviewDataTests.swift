import Fixtures
import Model
import StoreTesting
import Testing

@testable import Store

@Suite struct ReviewDataTests {
  let folder: TemporaryStore
  let store: Store
  let context = ReportContext(
    appName: "ChatHub", now: .morning, timeZone: "UTC", start: .morning - .seconds(100),
    end: .morning)

  init() throws {
    (folder, store) = try TemporaryStore.opened()
  }

  private func review(
    _ id: String, _ stars: Int, secondsAgo: Int, country: String = "us", version: String = "2"
  ) -> AppReview {
    AppReview(
      id: id, appId: 7, country: country, stars: stars, version: version, author: "", title: "",
      text: "", updatedAt: .morning - .seconds(secondsAgo))
  }

  private func finishRun(_ outcome: Run.Outcome, kind: String = "sync-reviews") throws {
    var run = Run(job: "reviews", kind: kind, trigger: .scheduled, startedAt: .morning)
    run.id = try store.write { [run] in try $0.begin(run) }
    run.outcome = outcome
    run.endedAt = .morning
    try store.write { [run] in try $0.finish(run) }
  }

  @Test func `nothing is known of reviews before a run has read them with success`() throws {
    _ = try store.write { try $0.upsert([review("a", 5, secondsAgo: 1)], at: .morning) }
    try finishRun(.failed)
    try finishRun(.ok, kind: "sync-users")
    #expect(try store.read { try $0.reviewData(context, newest: 9) } == nil)
    try finishRun(.partial)
    #expect(try store.read { try $0.reviewData(context, newest: 9)?.fetchedAt } == .morning)
  }

  @Test func `reviews are counted by country, version, stars and period`() throws {
    _ = try store.write {
      try $0.upsert(
        [
          review("a", 5, secondsAgo: 1), review("b", 5, secondsAgo: 100),
          // The period before is the same seconds a week earlier.
          review("c", 1, secondsAgo: 604_801), review("d", 1, secondsAgo: 604_900),
          review("e", 1, secondsAgo: 604_901), review("i", 1, secondsAgo: 101),
          review("f", 2, secondsAgo: 0),
          review("g", 3, secondsAgo: 5, version: ""), review("h", 4, secondsAgo: 5, country: "de"),
        ], at: .morning)
    }
    try finishRun(.ok)
    let data = try #require(try store.read { try $0.reviewData(context, newest: 3) })
    let none = [0, 0, 0, 0, 0]
    #expect(
      data.groups == [
        ReviewData.Group(
          country: "de", version: "2", counts: [0, 0, 0, 1, 0], periodCounts: [0, 0, 0, 1, 0],
          previousCounts: none),
        ReviewData.Group(
          country: "us", version: "", counts: [0, 0, 1, 0, 0], periodCounts: [0, 0, 1, 0, 0],
          previousCounts: none),
        ReviewData.Group(
          country: "us", version: "2", counts: [4, 1, 0, 0, 2], periodCounts: [0, 0, 0, 0, 2],
          previousCounts: [2, 0, 0, 0, 0]),
      ])
    #expect(data.newest.map(\.id) == ["f", "a", "h"])
  }
}
