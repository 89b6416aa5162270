/// What a user wrote with a low rating, as it is delivered to Firestore.
package struct Feedback: Hashable, Codable, Sendable {
  package var userId: String
  package var gender: String
  package var country: String
  package var appVersion: String
  package var text: String
  /// Unix seconds; also the wished document id.
  package var timestamp: Int64
  /// 1 to 3.
  package var stars: Int

  package init(
    userId: String, gender: String, country: String, appVersion: String, text: String,
    timestamp: Int64, stars: Int
  ) {
    self.userId = userId
    self.gender = gender
    self.country = country
    self.appVersion = appVersion
    self.text = text
    self.timestamp = timestamp
    self.stars = stars
  }
}
