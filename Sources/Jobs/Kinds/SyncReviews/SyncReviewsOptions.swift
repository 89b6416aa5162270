import Feeds

/// How a job of kind `sync-reviews` works; see `docs/jobs/sync-reviews.md`.
package struct SyncReviewsOptions: JobDefinition {
  package static let kind = JobKind("sync-reviews")

  /// The number in the app's App Store address.
  package var appId: Int
  /// Two lower-case letters each, in the order of the file; not empty.
  package var countries: [String]
  /// Pages of 50 reviews that a run reads of each country at most.
  package var maxPages: Int

  package static let appIds = 1...9_999_999_999_999
  package static let keys = KeyTable([
    ConfigurationKey("app_id", .integer(appIds), isRequired: true),
    ConfigurationKey("countries", .list(.pattern("^[a-z]{2}$")), isRequired: true),
    ConfigurationKey(
      "max_pages", .integer(ReviewsClient.pages), default: "\(ReviewsClient.pages.upperBound)"),
  ])

  package init(
    appId: Int, countries: [String], maxPages: Int = ReviewsClient.pages.upperBound
  ) {
    self.appId = appId
    self.countries = countries
    self.maxPages = maxPages
  }

  package init(_ reader: MappingReader, job: String) {
    appId = reader.integer("app_id", in: Self.appIds) ?? 0
    if reader.entry("app_id") == nil {
      reader.missing(
        "app_id", "it is the number in the app's App Store address, 'app_id: 310633997'")
    }
    countries = reader.countries()
    maxPages =
      reader.integer("max_pages", in: ReviewsClient.pages) ?? ReviewsClient.pages.upperBound
  }

  package func work(_ job: String, _ context: JobContext) throws -> any JobWork {
    SyncReviewsWork(self, context)
  }
}

extension MappingReader {
  fileprivate func countries() -> [String] {
    guard entry("countries") != nil else {
      missing("countries", "list the stores' countries, 'countries: [us, gb]'")
      return []
    }
    return (items("countries") ?? []).reduce(into: []) { codes, item in
      guard let code = text(of: item) else { return }
      guard code.utf8.count == 2, code.utf8.allSatisfy({ (0x61...0x7A).contains($0) }) else {
        return wrongType(item, wanted: "a country's code of two lower-case letters, such as us")
      }
      guard !codes.contains(code) else { return problem(item, "is listed twice") }
      codes.append(code)
    }
  }
}
