package import Model

/// One page of the App Store's reviews of an app; see `docs/jobs.md#reviews-feed`.
package struct ReviewPage: Hashable, Sendable {
  /// In the order of the feed, which is asked for the newest first.
  package var reviews: [AppReview]
  /// Reviews that could not be read, by reason.
  package var skipped: [String: Int]
  /// The number of the last page, as the feed's own link says; nil when it does not.
  package var lastPage: Int?
  /// The page on the wire.
  package var receivedBytes: Int

  package init(
    reviews: [AppReview] = [], skipped: [String: Int] = [:], lastPage: Int? = nil,
    receivedBytes: Int = 0
  ) {
    self.reviews = reviews
    self.skipped = skipped
    self.lastPage = lastPage
    self.receivedBytes = receivedBytes
  }

  /// Reviews of either kind.
  package var count: Int { skipped.values.reduce(reviews.count, +) }
}
