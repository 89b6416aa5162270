import Model

/// Whether a rating was followed by what it leads to: docs/reports.md#ratings.
enum RatingCompletion {
  static func section(
    _ facts: RatingsFacts, _ tally: RatingsTally, frame: ReportFrame
  ) -> Section {
    Section(
      id: "completion", title: "After the stars",
      lead: "One to three stars lead to the question for feedback, four and five to the App Store.",
      blocks: [.table(table(facts, tally, frame)), .definitions(definitions)])
  }

  private static func table(
    _ facts: RatingsFacts, _ tally: RatingsTally, _ frame: ReportFrame
  ) -> Table {
    let followed = followedCounts(facts, frame)
    return Table(
      id: "completion", title: "Ratings that were completed, by stars",
      columns: [
        Table.Column("stars", "Stars", .leading), Table.Column("follows", "What follows", .leading),
        Table.Column("ratings", "Ratings"), Table.Column("completed", "Completed, of ratings"),
      ],
      rows: tally.current.count == 0
        ? []
        : (1...5).reversed().map { stars in
          let count = tally.current.counts[stars - 1]
          return Table.Row([
            .stars(stars), .text(stars > 3 ? "App Store" : "Feedback"), .count(count),
            .ratio(Ratio(followed[stars - 1], of: count)),
          ])
        },
      emptyText: "No rating in this period.")
  }

  /// By stars, index 0 for one star.
  private static func followedCounts(_ facts: RatingsFacts, _ frame: ReportFrame) -> [Int] {
    var counts = [0, 0, 0, 0, 0]
    for visit in facts.visits where visit.stars > 3 && frame.contains(visit.at) {
      counts[visit.stars - 1] += 1
    }
    for entry in facts.feedback where (1...3).contains(entry.feedback.stars) {
      guard frame.contains(Instant(unixSeconds: entry.feedback.timestamp)) else { continue }
      counts[entry.feedback.stars - 1] += 1
    }
    return counts
  }

  private static let definitions = [
    Definition(
      "Completed",
      "For four and five stars the event that the app logs after it has shown the App Store's dialog; "
        + "whether a review was written there, only the App Store knows. For one to three stars a "
        + "feedback text that this workspace holds: what the app itself sent to Firestore is not here."
    )
  ]
}

extension ReportFrame {
  /// Whether the instant lies in the period.
  fileprivate func contains(_ instant: Instant) -> Bool { instant >= start && instant < end }
}
