import Feeds
import Model
import Store

/// A pull of one country's reviews, page by page into one transaction; docs/jobs/sync-reviews.md.
struct ReviewsPull: Sendable {
  /// The number of attempts for one page, including the first.
  static let attemptLimit = 4
  /// The pause after the first failed attempt; it doubles with each attempt.
  static let firstPause = Duration.seconds(2)
  /// The longest pause on the server's request; a longer one fails the run:
  /// docs/jobs/sync-reviews.md.
  static let longestPause = Duration.seconds(60)

  let appId: Int
  let country: String
  let store: Store
  /// From 0 up to 1; scales pauses by a factor between 0.5 and 1.5.
  let random: @Sendable () -> Double
  /// Waits before a page is requested again.
  var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  /// Requests one page; the first is 1.
  let fetch: @Sendable (_ page: Int) async throws -> ReviewsClient.Response

  /// Reads up to `pageLimit` pages and stores their reviews in one transaction.
  ///
  /// It stops at a page without reviews, at the feed's last page and, unless `readsAll`, at a page
  /// without a new review, since the newest come first. After a listing with a gap, all pages of
  /// the country are read until a listing has no gap. An error leaves the rows as they were.
  func run(pageLimit: Int, readsAll: Bool, at now: Instant) async throws -> ReviewsPullResult {
    var result = ReviewsPullResult()
    var listing = ReviewListing()
    let isWhole = try store.read { try $0.reviewsAreWhole(ofApp: appId, in: country) }
    let readsAll = readsAll || !isWhole
    for number in 1...pageLimit {
      let page = try await page(number, &result.counts)
      result.counts.bytes += page.receivedBytes
      result.counts.skipped.merge(page.skipped, uniquingKeysWith: +)
      guard try listing.goesOn(after: page, number, unmet: unmetCount) else { break }
      let mayEnd = !readsAll && listing.gaps.isEmpty
      if mayEnd, try store.read({ try $0.holds(page.reviews) }) { break }
    }
    let (found, gaps) = (listing.reviews, listing.gaps)
    let stored = try store.write { writer in
      if readsAll || !gaps.isEmpty {
        try writer.setReviewsAreWhole(gaps.isEmpty, ofApp: appId, in: country)
      }
      return try writer.upsert(found, at: now)
    }
    result.counts.fetched = result.counts.skippedTotal + found.count
    result.counts.inserted = stored.inserted
    result.counts.updated = stored.updated
    result.counts.unchanged = stored.unchanged
    result.gap = try gap(in: listing)
    return result
  }

  /// Counts the stored reviews of the country whose ids are not in `ids`.
  private func unmetCount(_ ids: Set<String>) throws -> Int {
    try store.read { try $0.reviewIds(ofApp: appId, in: country) }.subtracting(ids).count
  }

  private func gap(in listing: ReviewListing) throws -> ReviewsPullResult.Gap? {
    guard let first = listing.gaps.first else { return nil }
    guard first == 1, listing.reviews.isEmpty else {
      return .pages(listing.gaps, last: listing.lastPage)
    }
    return .everything(known: try unmetCount([]))
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

struct ReviewsPullResult: Hashable, Sendable {
  /// Missing reviews, because of which the next run reads all pages of the country.
  enum Gap: Hashable, Sendable {
    /// The feed has no review at all; `known` is the number of stored ones.
    case everything(known: Int)
    /// Empty pages before the end; `last` is the feed's last page, nil when it names none.
    case pages([Int], last: Int?)
  }

  var counts = RunCounts()
  var gap: Gap?
}

/// The reviews of one country's feed, from its pages in order; see
/// `docs/jobs/sync-reviews.md#gaps`.
struct ReviewListing {
  /// The number of reviews of a full page.
  private static let pageSize = 50

  /// The reviews without duplicates, newest first.
  private(set) var reviews: [AppReview] = []
  /// The numbers of pages that unexpectedly had no reviews.
  private(set) var gaps: [Int] = []
  /// The number of the last page as the pages name it; nil when none does.
  private(set) var lastPage: Int?
  private var ids: Set<String> = []
  private var isLastFull = true

  /// Adds a page; returns whether to read another one.
  ///
  /// `unmet` counts the stored reviews of the country whose ids are not in the given set.
  mutating func goesOn(
    after page: ReviewPage, _ number: Int, unmet: (Set<String>) throws -> Int
  ) rethrows -> Bool {
    // An empty page may name itself as the last one.
    lastPage = page.count > 0 ? page.lastPage ?? lastPage : lastPage ?? page.lastPage
    // A review that is written meanwhile shifts the last review of a page to the next page.
    reviews += page.reviews.filter { ids.insert($0.id).inserted }
    let isBeforeEnd = number < lastPage ?? 0
    guard page.count == 0 else {
      isLastFull = page.count >= Self.pageSize
      return isBeforeEnd || lastPage == nil
    }
    let isExpected = number == 1 || number <= lastPage ?? 0
    if try isExpected || (isLastFull && unmet(ids) > 0) { gaps.append(number) }
    return isBeforeEnd
  }
}
