import GRDB
package import Model

/// A rating given in this workspace.
package struct RatingRecord: Hashable, Sendable {
  package var profile: String
  package var userId: String
  package var gender: String
  package var country: String
  package var appVersion: String
  /// 1 to 5.
  package var stars: Int
  /// Nil for a rating that asked for none.
  package var feedback: String?
  package var at: Instant
  /// The profile's tries when it rated.
  package var tries: Int64
  /// The item that delivers the feedback; nil when nothing is delivered.
  package var outboxId: Int64?

  package init(
    profile: String, userId: String, gender: String, country: String, appVersion: String,
    stars: Int, feedback: String?, at: Instant, tries: Int64, outboxId: Int64?
  ) {
    self.profile = profile
    self.userId = userId
    self.gender = gender
    self.country = country
    self.appVersion = appVersion
    self.stars = stars
    self.feedback = feedback
    self.at = at
    self.tries = tries
    self.outboxId = outboxId
  }
}

extension Writer {
  /// Keeps a rating for the feedback list; to be called in the transaction that queues its feedback.
  package func record(_ rating: RatingRecord) throws {
    try run(
      """
      INSERT INTO ratings (profile, user_id, gender, country, app_version, stars, feedback, at,
      tries, outbox_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        rating.profile, rating.userId, rating.gender, rating.country, rating.appVersion,
        rating.stars, rating.feedback, rating.at.microseconds, rating.tries, rating.outboxId,
      ])
  }
}
