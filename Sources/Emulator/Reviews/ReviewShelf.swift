package import Model
import Synchronization

/// The App Store's customer reviews, served as Apple serves them; see `docs/jobs.md#reviews-feed`.
///
/// A page has 50 reviews, and there are at most ten.
package final class ReviewShelf: Sendable {
  private static let pageSize = 50
  private static let lastPage = 10

  private let reviews = Mutex<[AppReview]>([])

  package init() {}

  /// Replaces all reviews.
  package func publish(_ reviews: [AppReview]) {
    self.reviews.withLock { $0 = reviews.sorted { $0.updatedAt > $1.updatedAt } }
  }

  /// Nil for a path that is none of the feed's.
  func answer(to request: RequestRecord, _ target: RequestTarget) -> Answer? {
    let path = target.path
    guard request.method == "GET", path.count == 7, path[1] == "rss",
      path[2] == "customerreviews", let page = Self.number("page", in: path[3]),
      let appId = Self.number("id", in: path[4]), path[6] == "xml"
    else { return nil }
    guard (1...Self.lastPage).contains(page) else {
      return Answer(
        text: "CustomerReviews RSS page depth is limited to 10\n", type: "text/plain", status: 400)
    }
    let all = reviews.withLock { $0.filter { $0.appId == appId && $0.country == path[0] } }
    let shown = all.dropFirst((page - 1) * Self.pageSize).prefix(Self.pageSize)
    let last = min(Self.lastPage, max(1, (all.count + Self.pageSize - 1) / Self.pageSize))
    return Answer(
      text: ReviewSheet(country: path[0], appId: appId, page: page, lastPage: last).text(shown),
      type: "text/xml; charset=UTF-8")
  }

  private static func number(_ key: String, in part: String) -> Int? {
    guard part.hasPrefix("\(key)=") else { return nil }
    return Int(part.dropFirst(key.count + 1))
  }
}
