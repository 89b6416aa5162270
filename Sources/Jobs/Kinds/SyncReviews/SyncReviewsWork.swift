import Feeds
import Model
import Store
import Sync

/// The kind `sync-reviews`: reads the App Store's customer reviews; see
/// `docs/jobs/sync-reviews.md`.
struct SyncReviewsWork: JobWork {
  private let options: SyncReviewsOptions
  private let context: JobContext

  init(_ options: SyncReviewsOptions, _ context: JobContext) {
    self.options = options
    self.context = context
  }

  func plan() throws -> String {
    let pages = options.maxPages == 1 ? "1 page" : "\(options.maxPages) pages"
    return "Would read up to \(pages) of the App Store's reviews of the app \(options.appId) in "
      + "\(options.countries.joined(separator: ", "))."
  }

  func perform(within budget: RunBudget) async throws -> JobResult {
    let client = context.services.reviews.client
    var counts = RunCounts()
    var failures: [(country: String, error: any Error)] = []
    for country in options.countries {
      do {
        counts.add(
          try await pull(country, client).run(
            pageLimit: options.maxPages, readsAll: context.options.isFull, at: context.now))
      } catch let error as StoreError {
        throw error
      } catch {
        try Task.checkCancellation()
        failures.append((country, error))
      }
    }
    guard failures.count < options.countries.count else { throw failures[0].error }
    let isWhole = failures.isEmpty && counts.skippedTotal == 0
    return JobResult(
      isWhole ? .ok : .partial, summary(of: counts), counts: counts,
      warnings: failures.map { "The reviews of '\($0.country)' stay as they are: \($0.error)" })
  }

  private func pull(_ country: String, _ client: ReviewsClient) -> ReviewsPull {
    ReviewsPull(store: context.store, random: context.clock.random) { page in
      try await client.page(page, of: options.appId, in: country, now: context.now)
    }
  }

  private func summary(of counts: RunCounts) -> String {
    "\(counts.fetched) reviews read: \(counts.inserted) new, \(counts.updated) changed, "
      + "\(counts.unchanged) unchanged."
  }
}

extension RunCounts {
  /// Adds what another country came to.
  fileprivate mutating func add(_ other: RunCounts) {
    fetched += other.fetched
    inserted += other.inserted
    updated += other.updated
    unchanged += other.unchanged
    skipped.merge(other.skipped, uniquingKeysWith: +)
    requests += other.requests
    retries += other.retries
    bytes += other.bytes
  }
}
