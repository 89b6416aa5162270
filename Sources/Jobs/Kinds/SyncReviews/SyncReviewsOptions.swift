import Feeds

/// How a job of kind `sync-reviews` works; see `docs/jobs/sync-reviews.md`.
package struct SyncReviewsOptions: JobDefinition {
  package static let kind = JobKind("sync-reviews")

  /// The number in the app's App Store address.
  package var appId = 0
  /// Two lower-case letters each, in the order of the file; not empty.
  package var countries: [String] = []
  /// Pages of 50 reviews that a run reads of each country at most.
  package var maxPages = ReviewsClient.pages.upperBound

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
    ])

  package func work(_ job: String, _ context: JobContext) throws -> any JobWork {
    SyncReviewsWork(self, context)
  }
}

extension KeyType<[String]> {
  /// Codes of countries, each once.
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
