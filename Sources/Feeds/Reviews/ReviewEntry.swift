import Model

/// The texts of an `entry` of the feed.
struct ReviewEntry {
  /// The elements that are read; raw values are their names in the feed.
  enum Field: String {
    case id, updated, title, content
    case rating = "im:rating"
    case version = "im:version"
    case author
  }

  /// The maximum size of a text in bytes; docs/jobs/sync-reviews.md#reviews-feed.
  static let longestText = 65_536
  /// The maximum length of an id, a version or a name in characters.
  static let longestWord = 200

  private var texts: [Field: [UInt8]] = [:]

  mutating func begin(_ field: Field) {
    texts[field] = texts[field] ?? []
  }

  /// Appends to the field, up to one byte more than the maximum.
  mutating func add(_ bytes: UnsafeBufferPointer<UInt8>, to field: Field) {
    let room = Self.longestText + 1 - (texts[field]?.count ?? 0)
    texts[field, default: []] += bytes.prefix(max(0, room))
  }

  /// Whether it is a review: the feed may begin with an entry about the app.
  var isReview: Bool { texts[.rating] != nil }

  /// The review, or the first invalid field.
  func review(of appId: Int, in country: String) -> Result<AppReview, BadField> {
    do {
      return .success(
        AppReview(
          id: try word(.id, mayBeEmpty: false), appId: appId, country: country,
          stars: try stars(), version: try word(.version), author: try word(.author),
          title: try text(.title), text: try text(.content), updatedAt: try updatedAt()))
    } catch {
      return .failure(error)
    }
  }

  struct BadField: Error {
    let field: Field
  }

  private func text(_ field: Field) throws(BadField) -> String {
    guard let bytes = texts[field] else { return "" }
    guard bytes.count <= Self.longestText else { throw BadField(field: field) }
    return String(decoding: bytes, as: UTF8.self).trimmed
  }

  private func word(_ field: Field, mayBeEmpty: Bool = true) throws(BadField) -> String {
    let word = try text(field)
    guard word.count <= Self.longestWord, mayBeEmpty || !word.isEmpty else {
      throw BadField(field: field)
    }
    return word
  }

  private func stars() throws(BadField) -> Int {
    guard let stars = Int(try text(.rating)), (1...5).contains(stars) else {
      throw BadField(field: .rating)
    }
    return stars
  }

  private func updatedAt() throws(BadField) -> Instant {
    guard let instant = Instant(iso8601: try text(.updated)) else {
      throw BadField(field: .updated)
    }
    return instant
  }
}
