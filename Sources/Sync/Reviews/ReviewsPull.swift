package import Feeds
package import Model
package import Store

/// Reads one country's reviews page by page and stores them together; docs/jobs/sync-reviews.md.
package struct ReviewsPull: Sendable {
  /// Asks for one page; the first is 1.
  package typealias Fetch = @Sendable (_ page: Int) async throws -> ReviewsClient.Response

  /// Attempts for one page, the first included.
  package static let attemptLimit = 4
  /// The pause after the first attempt that failed; it doubles.
  package static let firstPause = Duration.seconds(2)
  /// A longer pause that the server asks for fails the run; docs/jobs/sync-reviews.md.
  package static let longestPause = Duration.seconds(60)

  private let store: Store
  private let fetch: Fetch
  private let random: @Sendable () -> Double
  private let sleep: @Sendable (Duration) async throws -> Void

  /// - Parameters:
  ///   - store: holds the reviews.
  ///   - random: from 0 up to 1; stretches pauses to between half and one and a half times.
  ///   - sleep: waits before a page is asked for again.
  ///   - fetch: asks for a page.
  package init(
    store: Store, random: @escaping @Sendable () -> Double,
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
    fetch: @escaping Fetch
  ) {
    self.store = store
    self.random = random
    self.sleep = sleep
    self.fetch = fetch
  }

  /// Reads up to `pageLimit` pages and stores their reviews in one transaction.
  ///
  /// Ends at a page without reviews, at the page that the feed calls its last, and, unless
  /// `readsAll`, at a page without a new review, since the newest come first. An error leaves the
  /// rows as they were.
  package func run(pageLimit: Int, readsAll: Bool, at now: Instant) async throws -> RunCounts {
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
