package import Feeds
package import Model
package import Store

/// Reads the reviews of one country page by page, and stores them together; docs/jobs.md#sync-reviews.
package struct ReviewsPull: Sendable {
  /// Asks for one page, from 1 on.
  package typealias Fetch = @Sendable (_ page: Int) async throws -> ReviewsClient.Answer

  /// Tries of one page in all.
  package static let attemptLimit = 4
  /// The pause after the first try that failed; it doubles.
  package static let firstPause = Duration.seconds(2)
  /// A server that asks for more is not waited for; docs/jobs.md#sync-reviews.
  package static let longestPause = Duration.seconds(60)

  private let store: Store
  private let fetch: Fetch
  private let random: @Sendable () -> Double
  private let sleep: @Sendable (Duration) async throws -> Void

  /// - Parameters:
  ///   - store: where reviews are kept.
  ///   - random: from 0 up to 1, for pauses between half and one and a half of their length.
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

  /// Reads up to `pageLimit` pages and stores what they hold in one transaction.
  ///
  /// Ends at a page without reviews, at the one that the feed calls its last, and, unless
  /// `readsAll`, at one that brings nothing new, since the newest come first. Whatever is thrown
  /// leaves the rows as they were.
  package func run(pageLimit: Int, readsAll: Bool, at now: Instant) async throws -> RunCounts {
    var counts = RunCounts()
    var found: [AppReview] = []
    var ids: Set<String> = []
    for number in 1...pageLimit {
      let page = try await page(number, &counts)
      counts.bytes += page.receivedBytes
      counts.skipped.merge(page.skipped, uniquingKeysWith: +)
      // A review that came in meanwhile moves the last one of a page to the next.
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
