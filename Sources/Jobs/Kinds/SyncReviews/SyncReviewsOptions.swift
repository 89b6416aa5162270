import Feeds
package import Model
import Reports
import Store
package import Workspace

/// How a job of kind `sync-reviews` works; see `docs/jobs/sync-reviews.md`.
package struct SyncReviewsOptions: JobKind {
  package static let kind = JobKindName.syncReviews

  /// The number in the app's App Store address.
  package var appId = 0
  /// Two lower-case letters each, in the order of the file; not empty.
  package var countries: [String] = []
  /// The largest number of pages, of 50 reviews each, that a run reads of each country.
  package var maxPages = ReviewsClient.pages.upperBound
  /// Whether a country without reviews is expected.
  package var allowsEmpty = false

  package static let appIds = 1...9_999_999_999_999

  package static let options = OptionKeys(
    SyncReviewsOptions(),
    [
      .required(
        "app_id", \.appId, .integer(appIds),
        "it is the number in the app's App Store address, 'app_id: 310633997'"),
      .required(
        "countries", \.countries, .countries,
        "list the stores' countries, 'countries: [us, gb]'"),
      .key("max_pages", \.maxPages, .integer(ReviewsClient.pages)),
      .key("allow_empty", \.allowsEmpty, .boolean),
    ])

  package func work(_ job: String, _ context: JobContext) throws -> any JobWork {
    SyncReviewsWork(options: self, context: context)
  }
}

extension KeyType<[String]> {
  /// Country codes without duplicates.
  fileprivate static var countries: Self {
    Self(.list(.pattern("^[a-z]{2}$")), text: { _ in nil }) { $0.countries($1) }
  }
}

extension MappingReader {
  fileprivate func countries(_ key: String) -> [String]? {
    items(key)?.reduce(into: []) { codes, item in
      guard let code = text(of: item) else { return }
      guard code.utf8.count == 2, code.utf8.allSatisfy({ (0x61...0x7A).contains($0) }) else {
        return wrongType(item, wanted: "a country's code of two lower-case letters, such as us")
      }
      guard !codes.contains(code) else { return problem(item, "is listed twice") }
      codes.append(code)
    }
  }
}

/// The work of the kind `sync-reviews`: reads the App Store's customer reviews; see
/// `docs/jobs/sync-reviews.md`.
struct SyncReviewsWork: JobWork {
  let options: SyncReviewsOptions
  let context: JobContext

  func plan() throws -> String {
    let pages = options.maxPages == 1 ? "1 page" : "\(options.maxPages) pages"
    return "Would read up to \(pages) of the App Store's reviews of the app \(options.appId) in "
      + "\(options.countries.joined(separator: ", "))."
  }

  func perform(within budget: RunBudget) async throws -> JobResult {
    let client = context.services.reviews()
    var counts = RunCounts()
    var failures: [(country: String, error: any Error)] = []
    var gaps: [String] = []
    for country in options.countries {
      do {
        let result = try await pull(country, client).run(
          pageLimit: options.maxPages, readsAll: context.options.isFull, at: context.now)
        counts.add(result.counts)
        if let gap = result.gap, !(options.allowsEmpty && gap == .everything(known: 0)) {
          gaps.append(gap.sentence(about: country))
        }
      } catch let error as StoreError {
        throw error
      } catch {
        try Task.checkCancellation()
        failures.append((country, error))
      }
    }
    guard failures.count < options.countries.count else { throw failures[0].error }
    let isWhole = failures.isEmpty && gaps.isEmpty && counts.skippedTotal == 0
    return JobResult(
      isWhole ? .ok : .partial, summary(of: counts), counts: counts,
      warnings: failures.map { "The reviews of '\($0.country)' stay as they are: \($0.error)" }
        + gaps)
  }

  private func pull(_ country: String, _ client: ReviewsClient) -> ReviewsPull {
    ReviewsPull(
      appId: options.appId, country: country, store: context.store, random: context.clock.random
    ) { page in
      try await client.page(page, of: options.appId, in: country, now: context.now)
    }
  }

  private func summary(of counts: RunCounts) -> String {
    "\(NumberWords.counted(counts.fetched, "review")) read: \(counts.stored)."
  }
}

extension ReviewsPullResult.Gap {
  /// Returns the run's sentence about the gap.
  fileprivate func sentence(about country: String) -> String {
    switch self {
    case .everything(known: 0):
      "The App Store's feed in '\(country)' is empty, and no review of it is stored. Apple sends "
        + "some servers empty feeds; if nobody wrote a review there, set 'allow_empty: true'."
    case .everything(let known):
      "The App Store's feed in '\(country)' is empty, though \(NumberWords.counted(known, "review")) "
        + "of it \(known == 1 ? "is" : "are") stored. They stay. The next run reads the country whole."
    case .pages(let pages, let last):
      "The App Store's feed in '\(country)' had no reviews on page "
        + pages.map(String.init).joined(separator: ", ") + (last.map { " of \($0)" } ?? "")
        + ", so some may be missing. The next run reads the country whole."
    }
  }
}

extension RunCounts {
  /// Adds the counts of another country.
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
