import Fixtures
import Model
import StoreTesting
import Testing

@testable import Store

@Suite struct ReviewDataTests {
  let folder: TemporaryStore
  let store: Store

  init() throws {
    (folder, store) = try TemporaryStore.opened()
  }

  private func review(_ id: String, _ stars: Int, secondsAgo: Int) -> AppReview {
    AppReview(
      id: id, appId: 7, country: "us", stars: stars, version: "2", author: "", title: "",
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
    #expect(try store.read { try $0.reviewData(newest: 9) } == nil)
    try finishRun(.partial)
    #expect(try store.read { try $0.reviewData(newest: 9)?.fetchedAt } == .morning)
  }

  @Test func `all reviews are counted, and the newest are named`() throws {
    _ = try store.write {
      try $0.upsert(
        [
          review("a", 5, secondsAgo: 1), review("c", 1, secondsAgo: 604_801),
          review("f", 2, secondsAgo: 0), review("h", 4, secondsAgo: 5),
        ], at: .morning)
    }
    try finishRun(.ok)
    let data = try #require(try store.read { try $0.reviewData(newest: 3) })
    #expect(data.count == 4 && data.stars == 12)
    #expect(data.newest.map(\.id) == ["f", "a", "h"])
  }

  @Test func `reviews of a span name their country, oldest first`() throws {
    _ = try store.write {
      try $0.upsert(
        [
          review("a", 5, secondsAgo: 0), review("b", 1, secondsAgo: 10),
          review("c", 2, secondsAgo: 11), review("d", 3, secondsAgo: 5),
        ], at: .morning)
    }
    let found = try store.read {
      try $0.reviewRatings(from: .morning - .seconds(10), to: .morning)
    }
    #expect(found.map(\.stars) == [1, 3])
    #expect(found.map(\.country) == ["United States", "United States"])
    #expect(found.map(\.at) == [.morning - .seconds(10), .morning - .seconds(5)])
    #expect(found.allSatisfy { $0.person == nil && $0.platform == nil })
  }
}
