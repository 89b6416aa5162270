import Model
import XML

/// Parses a page of the reviews feed, Atom with Apple's elements; see
/// `docs/jobs/sync-reviews.md#reviews-feed`.
final class ReviewFeed {
  private static let atom = "http://www.w3.org/2005/Atom"
  private static let apple = "http://itunes.apple.com/rss"

  private let appId: Int
  private let country: String
  private var depth = 0
  private var isAtom = false
  private var entry: ReviewEntry?
  /// The field that is being read and the depth of its element.
  private var open: (field: ReviewEntry.Field, depth: Int)?
  private var page = ReviewPage()

  private init(appId: Int, country: String) {
    self.appId = appId
    self.country = country
  }

  /// The number of bytes that the parser gets at a time.
  private static let chunk = 16 << 10

  /// Parses a complete page; errors name the feed by `name`.
  static func page(
    in bytes: [UInt8], of appId: Int, in country: String, named name: String
  ) throws(FeedError) -> ReviewPage {
    let feed = ReviewFeed(appId: appId, country: country)
    if let problem = feed.problem(of: bytes, XMLPushParser(feed)) {
      throw .malformed(feed: name, reason: problem)
    }
    guard feed.isAtom else {
      throw .malformed(feed: name, reason: "it is not an Atom feed")
    }
    return feed.page
  }

  private func problem(of bytes: [UInt8], _ parser: XMLPushParser) -> String? {
    bytes.withUnsafeBytes { bytes in
      for start in stride(from: 0, to: bytes.count, by: Self.chunk) {
        let end = min(start + Self.chunk, bytes.count)
        if let problem = parser.parse(UnsafeRawBufferPointer(rebasing: bytes[start..<end])) {
          return problem
        }
      }
      return parser.finish()
    }
  }
}

extension ReviewFeed: XMLListener {
  func began(_ name: XMLName, attributes: [String: String]) {
    depth += 1
    switch depth {
    case 1: isAtom = name == XMLName(namespace: Self.atom, local: "feed")
    case 2 where name == XMLName(namespace: Self.atom, local: "entry"): entry = ReviewEntry()
    case 2 where name == XMLName(namespace: Self.atom, local: "link"):
      if attributes["rel"] == "last" { page.lastPage = Self.pageNumber(in: attributes["href"]) }
    case 3, 4: if entry != nil, open == nil { begin(name, attributes) }
    default: break
    }
  }

  func met(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let open, open.depth == depth else { return }
    entry?.add(bytes, to: open.field)
  }

  func ended(_ name: XMLName) {
    if open?.depth == depth { open = nil }
    if depth == 2, let entry { take(entry) }
    depth -= 1
  }

  private func begin(_ name: XMLName, _ attributes: [String: String]) {
    guard let field = Self.field(name, depth: depth, type: attributes["type"]) else { return }
    open = (field, depth)
    entry?.begin(field)
  }

  /// The feed has each `content` as text and as HTML; the text is the review.
  private static func field(_ name: XMLName, depth: Int, type: String?) -> ReviewEntry.Field? {
    switch (name.namespace, name.local, depth) {
    case (atom, "id", 3): .id
    case (atom, "updated", 3): .updated
    case (atom, "title", 3): .title
    case (atom, "content", 3): type == nil || type == "text" ? .content : nil
    case (apple, "rating", 3): .rating
    case (apple, "version", 3): .version
    case (atom, "name", 4): .author
    default: nil
    }
  }

  private func take(_ entry: ReviewEntry) {
    self.entry = nil
    guard entry.isReview else { return }
    switch entry.review(of: appId, in: country) {
    case .success(let review): page.reviews.append(review)
    case .failure(let bad):
      page.skipped[SkipReason.badField(bad.field.rawValue).id, default: 0] += 1
    }
  }

  /// The number after `/page=`; nil without one.
  private static func pageNumber(in address: String?) -> Int? {
    guard let address, let start = address.firstRange(of: "/page=") else { return nil }
    return Int(address[start.upperBound...].prefix { $0.isASCII && $0.isNumber })
  }
}
