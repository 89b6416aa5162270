/// One customer's review of the app in one country's App Store.
package struct AppReview: Hashable, Sendable {
  /// Apple's id, which stays when the customer changes the review.
  package var id: String
  /// The number in the app's App Store URL.
  package var appId: Int
  /// The store's country: two lower-case letters of ISO 3166-1.
  package var country: String
  /// 1 to 5.
  package var stars: Int
  /// The reviewed version; empty when the feed has none.
  package var version: String
  /// The customer's name in the store.
  package var author: String
  package var title: String
  package var text: String
  /// The time when it was written or last changed.
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
