import Fixtures
import Model
import Store
import StoreTesting
import Synchronization
import Testing

@testable import Feeds
@testable import Jobs
@testable import Sync

@Suite struct ReviewsPullTests {
  private let workspace: TemporaryStore

  init() throws {
    workspace = try TemporaryStore()
  }

  private func review(_ number: Int, _ text: String = "fine") -> AppReview {
    AppReview(
      id: "r\(number)", appId: 7, country: "us", stars: 4, version: "1.0", author: "jo",
      title: "Good", text: text, updatedAt: .morning - .seconds(number))
  }

  private func page(
    _ numbers: ClosedRange<Int>, last: Int? = nil, skipped: [String: Int] = [:]
  ) -> ReviewsClient.Response {
    .page(
      ReviewPage(
        reviews: numbers.map { review($0) }, skipped: skipped, lastPage: last, receivedBytes: 100))
  }

  private static let empty = ReviewsClient.Response.page(ReviewPage())
  private static let busy = FeedError.busy(feed: "x", status: 503)

  /// Gives the answers in their order, the last one for ever.
  private func run(
    _ answers: [ReviewsClient.Response], pageLimit: Int = 10, readsAll: Bool = false
  ) async throws -> (
    counts: RunCounts, gap: ReviewsPullResult.Gap?, asked: [Int], pauses: [Duration]
  ) {
    let asked = Mutex<[Int]>([])
    let pauses = Mutex<[Duration]>([])
    let pull = ReviewsPull(
      appId: 7, country: "us", store: workspace.store, random: { 0.5 },
      sleep: { pause in pauses.withLock { $0.append(pause) } }
    ) { page in
      let number = asked.withLock { asked in
        asked.append(page)
        return asked.count
      }
      return answers[min(number, answers.count) - 1]
    }
    let result = try await pull.run(pageLimit: pageLimit, readsAll: readsAll, at: .morning)
    return (result.counts, result.gap, asked.withLock { $0 }, pauses.withLock { $0 })
  }

  private func stored() throws -> [String] {
    try workspace.store.read { try $0.reviews(limit: 1_000) }.map(\.id)
  }

  @Test func `pages are read until one has no reviews, and stored together`() async throws {
    let result = try await run([page(1...2), page(3...4), Self.empty])
    #expect(result.asked == [1, 2, 3])
    #expect(result.counts.fetched == 4 && result.counts.inserted == 4)
    #expect(result.counts.requests == 3 && result.counts.bytes == 200)
    #expect(try stored() == ["r1", "r2", "r3", "r4"])
  }

  @Test
  func `a page that the feed calls the last is the last, at its number and not before`()
    async throws
  {
    #expect(try await run([page(1...2, last: 1), page(3...4)]).asked == [1])
    #expect(try await run([page(11...12, last: 2), page(13...14, last: 2)]).asked == [1, 2])
  }

  @Test(arguments: [1, 3])
  func `no more pages are read than asked for, also of a feed that never ends`(limit: Int)
    async throws
  {
    let answers = (0..<9).map { page((10 * $0)...(10 * $0 + 4)) }
    #expect(try await run(answers, pageLimit: limit).asked == Array(1...limit))
  }

  @Test
  func `a page on which nothing is new ends the run, unless it is to read all`() async throws {
    _ = try await run([page(1...2), page(3...4), Self.empty])
    let again = try await run([page(1...2), page(3...4), Self.empty])
    #expect(again.asked == [1])
    #expect(again.counts.unchanged == 2 && again.counts.inserted == 0)
    #expect(try await run([page(0...2), page(3...4), Self.empty]).asked == [1, 2])
    #expect(
      try await run([page(1...2), page(3...4), Self.empty], readsAll: true).asked == [1, 2, 3])
  }

  @Test
  func `a review that changed is replaced, one that moved to the next page is counted once`()
    async throws
  {
    _ = try await run([page(1...2), Self.empty])
    var changed = review(2, "broken now")
    changed.stars = 1
    let result = try await run([
      .page(ReviewPage(reviews: [changed, review(3)])),
      .page(ReviewPage(reviews: [review(3), review(4)])), Self.empty,
    ])
    #expect(result.counts.updated == 1 && result.counts.inserted == 2)
    #expect(result.counts.fetched == 3)
    #expect(try workspace.store.read { try $0.review(withId: "r2") } == changed)
  }

  @Test func `a page of reviews that cannot be read is no last page`() async throws {
    let unread = ReviewsClient.Response.page(ReviewPage(skipped: ["bad-field:id": 2]))
    let result = try await run([page(1...1), unread, page(2...2), Self.empty], readsAll: true)
    #expect(result.counts.skipped == ["bad-field:id": 2])
    #expect(result.counts.fetched == 4 && result.counts.inserted == 2)
  }

  @Test
  func `a busy server is asked four times, after pauses that double or that it asks for`()
    async throws
  {
    let later = ReviewsClient.Response.later(Self.busy, pause: nil)
    let result = try await run([later, later, .later(Self.busy, pause: .seconds(60)), Self.empty])
    #expect(result.asked == [1, 1, 1, 1])
    #expect(result.counts.retries == 3 && result.counts.requests == 4)
    #expect(result.pauses == [.seconds(2), .seconds(4), .seconds(60)])
  }

  @Test func `the fifth try and a pause of more than a minute are not made`() async throws {
    let later = ReviewsClient.Response.later(Self.busy, pause: nil)
    await #expect(throws: Self.busy) { try await run([later, later, later, later, Self.empty]) }
    let long = ReviewsClient.Response.later(Self.busy, pause: .seconds(61))
    await #expect(throws: Self.busy) { try await run([long, Self.empty]) }
  }

  @Test
  func `whatever page fails, the rows stay, and the next run ends as if nothing had happened`()
    async throws
  {
    let answers = [page(1...2), page(3...4), Self.empty]
    for failing in 0..<3 {
      let before = try stored()
      var broken = answers
      broken[failing] = .later(Self.busy, pause: .seconds(99))
      await #expect(throws: Self.busy) { try await run(broken, readsAll: true) }
      #expect(try stored() == before)
    }
    _ = try await run(answers)
    #expect(try stored() == ["r1", "r2", "r3", "r4"])
  }

  /// The pages of a feed with so many reviews, 50 a page, numbered from `first` on; those named are
  /// empty.
  private func feed(
    _ first: Int, _ count: Int, without empty: Set<Int> = [], hasLink: Bool = true
  ) -> [ReviewsClient.Response] {
    let last = (count + 49) / 50
    return (1...last + 1).map { number in
      let start = first + (number - 1) * 50
      guard number <= last, !empty.contains(number) else {
        return .page(ReviewPage(lastPage: hasLink ? last : nil))
      }
      return page(start...min(start + 49, first + count - 1), last: hasLink ? last : nil)
    }
  }

  @Test(arguments: [true, false])
  func `reviews behind an empty page are read, and the country again until none is empty`(
    hasLink: Bool
  ) async throws {
    #expect(try await run(feed(201, 250)).gap == nil)
    #expect(try stored().count == 250)
    // 120 new ones, and page 2 of 8 comes back empty.
    let broken = try await run(feed(81, 370, without: [2], hasLink: hasLink))
    #expect(broken.gap == .pages([2], last: hasLink ? 8 : nil))
    #expect(try stored().count == (hasLink ? 320 : 300))
    let mended = try await run(feed(81, 370, hasLink: hasLink))
    #expect(mended.gap == nil && mended.asked.count > 1)
    #expect(try stored().count == 370)
    #expect(try await run(feed(81, 370, hasLink: hasLink)).asked == [1])
  }

  @Test func `a first listing with an empty page is read whole by the next run`() async throws {
    let first = try await run(feed(1, 500, without: [3]))
    #expect(first.gap == .pages([3], last: 10))
    #expect(try stored().count == 450)
    #expect(try await run(feed(1, 500)).gap == nil)
    #expect(try stored().count == 500)
  }

  @Test func `an empty feed is a gap, with known reviews and without any`() async throws {
    #expect(try await run([Self.empty]).gap == .everything(known: 0))
    _ = try await run(feed(1, 250))
    #expect(try await run([Self.empty]).gap == .everything(known: 250))
    #expect(try stored().count == 250)
    let next = try await run(feed(1, 250))
    #expect(next.gap == nil && next.asked.count == 5)
  }

  @Test func `the page behind a full last one may be empty`() async throws {
    #expect(try await run(feed(1, 100, hasLink: false)).gap == nil)
    #expect(try await run(feed(1, 100, hasLink: false), readsAll: true).gap == nil)
    // A review that was taken down stays, and is no gap where the last page is not full.
    #expect(try await run(feed(2, 90, hasLink: false), readsAll: true).gap == nil)
  }
}
