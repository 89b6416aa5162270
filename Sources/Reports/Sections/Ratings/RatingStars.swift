import Model

/// How many stars people gave.
enum RatingStars {
  static func section(_ tally: RatingsTally) -> Section {
    Section(
      id: "stars", title: "Stars",
      lead: "The ratings of this period. Three stars or fewer lead to the question for feedback, "
        + "four or five to the App Store.",
      blocks: [.chart(chart(tally))])
  }

  private static func chart(_ tally: RatingsTally) -> Chart {
    let counts = tally.current.counts
    return Chart(
      form: .bars(column: "count", tones: [.good, .good, .middling, .poor, .poor]),
      labels: (1...5).reversed().map(CellWords.stars), unit: "ratings",
      alternative: (1...5).reversed().map { stars in
        "\(NumberWords.counted(stars, "star")): \(NumberWords.grouped(counts[stars - 1]))"
      }.joined(separator: "; ") + ".",
      table: Table(
        id: "stars", title: "Ratings by stars",
        columns: [
          Table.Column("stars", "Stars", .leading), Table.Column("count", "Ratings"),
          Table.Column("share", "Share"),
        ],
        rows: tally.current.count == 0
          ? []
          : (1...5).reversed().map { stars in
            Table.Row([
              .stars(stars), .count(counts[stars - 1]),
              .ratio(Ratio(counts[stars - 1], of: tally.current.count)),
            ])
          },
        emptyText: "No rating in this period."))
  }
}
