@testable package import Model
package import Store

/// A rating that was given in this workspace.
package struct RatingRecord: Hashable, Sendable {
  private let profile: Profile
  private let stars: Int
  private let feedback: String?
  private let at: Instant
  private let outboxId: Int64?

  package init(
    profile: String, userId: String, gender: String, country: String, appVersion: String,
    stars: Int, feedback: String?, at: Instant, tries: Int64, outboxId: Int64?
  ) {
    self.profile = Profile(
      name: profile, userId: userId, gender: gender, country: country, appVersion: appVersion,
      rating: RatingCounters(tries: tries))
    self.stars = stars
    self.feedback = feedback
    self.at = at
    self.outboxId = outboxId
  }

  fileprivate func store(in writer: Writer) throws {
    try writer.recordRating(stars, feedback, of: profile, at: at, outboxId: outboxId)
  }
}

extension Writer {
  package func record(_ rating: RatingRecord) throws { try rating.store(in: self) }
}
