import Fixtures
import Model
import StoreTesting
import Testing

@testable import Store

@Suite struct UpsertReviewsTests {
  private func review(_ id: String, stars: Int = 5, seconds: Int64 = 0) -> AppReview {
    AppReview(
      id: id, appId: 9_999_999_999_999, country: "us", stars: stars, version: "", author: "Zoë",
      title: "'; DROP TABLE events", text: "ok", updatedAt: .morning + .seconds(seconds))
  }

  @Test func `reviews are told apart by id; only what changed is written`() throws {
    let (folder, store) = try TemporaryStore.opened()
    defer { withExtendedLifetime(folder) {} }
    let first = try store.write { try $0.upsert([review("a"), review("b")], at: .morning) }
    #expect(first == UpsertCounts(inserted: 2, updated: 0, unchanged: 0))
    let later = Instant.morning + .seconds(60)
    let second = try store.write {
      try $0.upsert([review("a"), review("b", stars: 1), review("c")], at: later)
    }
    #expect(second == UpsertCounts(inserted: 1, updated: 1, unchanged: 1))
    #expect(
      try SQLiteFile.integers(
        folder.path, "SELECT (synced_at - found_at) / 1000000 FROM app_store_reviews ORDER BY id")
        == [0, 60, 0])
    #expect(try store.read { try $0.review(withId: "b") } == review("b", stars: 1))
  }

  @Test func `of one id given twice the last one stays, in one transaction`() throws {
    let (folder, store) = try TemporaryStore.opened()
    defer { withExtendedLifetime(folder) {} }
    let counts = try store.write {
      try $0.upsert([review("a", stars: 1), review("a", stars: 2)], at: .morning)
    }
    #expect(counts == UpsertCounts(inserted: 1, updated: 1, unchanged: 0))
    #expect(throws: StoreError.self) {
      try store.write { try $0.upsert([review("b"), review("c", stars: 6)], at: .morning) }
    }
    #expect(try store.read { try $0.reviews(limit: 9) }.map(\.stars) == [2])
  }

  @Test func `the newest come first, and held is what the table says itself`() throws {
    let (folder, store) = try TemporaryStore.opened()
    defer { withExtendedLifetime(folder) {} }
    let reviews = [review("a", seconds: 1), review("b", seconds: 3), review("c", seconds: 2)]
    _ = try store.write { try $0.upsert(reviews, at: .morning) }
    #expect(try store.read { try $0.reviews(limit: 2) }.map(\.id) == ["b", "c"])
    #expect(try store.read { try $0.holds(reviews) && $0.holds([]) })
    #expect(try store.read { try !$0.holds(reviews + [review("d")]) })
    #expect(try store.read { try !$0.holds([review("a", stars: 4, seconds: 1)]) })
  }
}
