import Feeds
import Model
import Store

/// Reads one country's reviews page by page and stores them together; docs/jobs/sync-reviews.md.
struct ReviewsPull: Sendable {
  /// Attempts for one page, the first included.
  static let attemptLimit = 4
  /// The pause after the first attempt that failed; it doubles.
  static let firstPause = Duration.seconds(2)
  /// A longer pause that the server asks for fails the run; docs/jobs/sync-reviews.md.
  static let longestPause = Duration.seconds(60)

  let store: Store
  /// From 0 up to 1; stretches pauses to between half and one and a half times.
  let random: @Sendable () -> Double
  /// Waits before a page is asked for again.
  var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  /// Asks for one page; the first is 1.
  let fetch: @Sendable (_ page: Int) async throws -> ReviewsClient.Response

  /// Reads up to `pageLimit` pages and stores their reviews in one transaction.
  ///
  /// Ends at a page without reviews, at the page that the feed calls its last, and, unless
  /// `readsAll`, at a page without a new review, since the newest come first. An error leaves the
  /// rows as they were.
  func run(pageLimit: Int, readsAll: Bool, at now: Instant) async throws -> RunCounts {
    var counts = RunCounts()
    var found: [AppReview] = []
    var ids: Set<String> = []
    for number in 1...pageLimit {
      let page = try await page(number, &counts)
      counts.bytes += page.receivedBytes
      counts.skipped.merge(page.skipped, uniquingKeysWith: +)
      // A review that is written meanwhile moves the last one of a page to the next page.
      found += page.reviews.filter { ids.insert($0.id).inserted }
      guard page.count > 0, number < page.lastPage ?? .max else { break }
      if !readsAll, try store.read({ try $0.holds(page.reviews) }) { break }
    }
    let stored = try store.write { [found] in try $0.upsert(found, at: now) }
    counts.fetched = counts.skippedTotal + found.count
    counts.inserted = stored.inserted
    counts.updated = stored.updated
    counts.unchanged = stored.unchanged
    return counts
  }

  private func page(_ number: Int, _ counts: inout RunCounts) async throws -> ReviewPage {
    var pause = Self.firstPause
    for attempt in 1...Self.attemptLimit {
      counts.requests += 1
      switch try await fetch(number) {
      case .page(let page): return page
      case .later(let error, let requested):
        let requested = requested ?? .zero
        guard attempt < Self.attemptLimit, requested <= Self.longestPause else { throw error }
        counts.retries += 1
        try await sleep(max(requested, pause * (0.5 + random())))
        pause = pause * 2
      }
    }
    preconditionFailure("the last attempt ends in a page or an error")
  }
}
