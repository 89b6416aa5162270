package import Model

extension Readable {
  /// What the ratings report needs: ratings of the frame's period and the one before it.
  package func ratingsFacts(_ frame: ReportFrame) throws -> RatingsFacts {
    RatingsFacts(
      ratings: try ratings(from: frame.previousStart, to: frame.end),
      feedback: try feedbackEntries(),
      outbox: try outboxCounts())
  }
}
