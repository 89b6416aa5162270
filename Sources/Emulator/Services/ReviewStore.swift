package import Model
import Synchronization

/// The App Store's customer reviews in Apple's feed format; see
/// `docs/jobs/sync-reviews.md#reviews-feed`.
///
/// At most ten pages of 50 reviews each.
package final class ReviewStore: Sendable {
  private static let pageSize = 50
  private static let lastPage = 10

  private let reviews = Mutex<[AppReview]>([])

  package func publish(_ reviews: [AppReview]) {
    self.reviews.withLock { $0 = reviews.sorted { $0.updatedAt > $1.updatedAt } }
  }

  /// Nil for a path outside of the feed.
  func response(to request: RequestRecord, _ target: RequestTarget) -> ServerResponse? {
    let path = target.path
    guard request.method == "GET", path.count == 7, path[1] == "rss",
      path[2] == "customerreviews", let page = Self.number("page", in: path[3]),
      let appId = Self.number("id", in: path[4]), path[6] == "xml"
    else { return nil }
    guard (1...Self.lastPage).contains(page) else {
      return ServerResponse(
        text: "CustomerReviews RSS page depth is limited to 10\n", type: "text/plain", status: 400)
    }
    let all = reviews.withLock { $0.filter { $0.appId == appId && $0.country == path[0] } }
    let shown = all.dropFirst((page - 1) * Self.pageSize).prefix(Self.pageSize)
    let last = min(Self.lastPage, max(1, (all.count + Self.pageSize - 1) / Self.pageSize))
    return ServerResponse(
      text: ReviewFeedPage(country: path[0], appId: appId, page: page, lastPage: last).text(shown),
      type: "text/xml; charset=UTF-8")
  }

  private static func number(_ key: String, in part: String) -> Int? {
    guard part.hasPrefix("\(key)=") else { return nil }
    return Int(part.dropFirst(key.count + 1))
  }
}

/// Renders a page of the reviews feed: Atom with Apple's elements.
struct ReviewFeedPage {
  let country: String
  let appId: Int
  let page: Int
  let lastPage: Int

  func text(_ reviews: some Sequence<AppReview>) -> String {
    """
    <?xml version="1.0" encoding="utf-8"?>
    <feed xmlns:im="http://itunes.apple.com/rss" xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
    <id>\(address(of: page))</id>
    <title>iTunes Store: Customer Reviews</title>
    <link rel="self" href="\(address(of: page))"/>
    <link rel="first" href="\(address(of: 1))"/>
    <link rel="last" href="\(address(of: lastPage))"/>
    <author><name>iTunes Store</name><uri>http://www.apple.com/itunes/</uri></author>
    \(reviews.map(entry).joined(separator: "\n"))
    </feed>

    """
  }

  private func address(of page: Int) -> String {
    "https://itunes.apple.com/\(country)/rss/customerreviews/page=\(page)/id=\(appId)"
      + "/sortby=mostrecent/xml"
  }

  private func entry(_ review: AppReview) -> String {
    """
    <entry>
    <updated>\(review.updatedAt.iso8601)</updated>
    <id>\(escaped(review.id))</id>
    <title>\(escaped(review.title))</title>
    <content type="text">\(escaped(review.text))</content>
    <im:contentType term="Application" label="Application"/>
    <im:rating>\(review.stars)</im:rating>
    <im:version>\(escaped(review.version))</im:version>
    <author><name>\(escaped(review.author))</name></author>
    <content type="html">&lt;b&gt;\(escaped(escaped(review.title)))&lt;/b&gt;</content>
    </entry>
    """
  }

  private static let entities: [Unicode.Scalar: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;"]

  /// Escapes scalars, not characters: `<` and a following combining mark are one character.
  private func escaped(_ text: String) -> String {
    text.unicodeScalars.map { Self.entities[$0] ?? String($0) }.joined()
  }
}
