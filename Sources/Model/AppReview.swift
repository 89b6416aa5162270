/// What one customer wrote about the app in one country's App Store.
package struct AppReview: Hashable, Sendable {
  /// Apple's own; it stays when the customer changes the review.
  package var id: String
  /// The number in the app's App Store address.
  package var appId: Int
  /// Of the store: two lower-case letters of ISO 3166-1.
  package var country: String
  /// 1 to 5.
  package var stars: Int
  /// The version that was reviewed; empty when the feed does not say.
  package var version: String
  /// The name that the customer goes by in the store.
  package var author: String
  package var title: String
  package var text: String
  /// When it was written, or last changed.
  package var updatedAt: Instant

  package init(
    id: String, appId: Int, country: String, stars: Int, version: String, author: String,
    title: String, text: String, updatedAt: Instant
  ) {
    self.id = id
    self.appId = appId
    self.country = country
    self.stars = stars
    self.version = version
    self.author = author
    self.title = title
    self.text = text
    self.updatedAt = updatedAt
  }
}
