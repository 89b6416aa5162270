import Model
import Rules

/// The App Store's reviews beside the ratings in the app: docs/reports.md#app-store.
enum StoreRatings {
  static let id = "app-store"
  /// Reviews in HTML and text: docs/reports.md#top-n.
  static let shownReviews = 15
  static let shownGroups = 12

  /// None when no reviews were ever read.
  static func sections(_ reviews: ReviewFacts?, _ tally: RatingsTally) -> [Section] {
    guard let reviews else { return [] }
    return [
      Section(
        id: id, title: "In the App Store",
        lead:
          "What customers wrote there, beside what people gave in the app. Reviews are fewer than "
          + "ratings, and written by other people.",
        blocks: [
          .figures([
            Figure(id: "reviews-read", label: "Feeds last read", value: .instant(reviews.fetchedAt))
          ]),
          .table(means(reviews, tally)), .table(versions(reviews, tally)),
          .table(countries(reviews, tally)), .definitions(definitions),
        ]),
      Section(
        id: "reviews", title: "Newest reviews", lead: "From the App Store, whatever the period.",
        blocks: [.feedback(list(reviews))]),
    ]
  }

  /// What stands with the report's first figures; none when no reviews were ever read.
  static func figures(_ reviews: ReviewFacts?) -> [Figure] {
    guard let reviews else { return [] }
    let all = sum(reviews.groups, \.counts)
    return [
      Figure(
        id: "store-mean", label: "App Store, mean stars", value: .mean(all.mean),
        note: "of \(NumberWords.counted(all.count, "review")) held")
    ]
  }

  private static func means(_ reviews: ReviewFacts, _ tally: RatingsTally) -> Table {
    let rows: [(String, StarCounts)] = [
      ("In the app, this period", tally.current), ("In the app, before", tally.previous),
      ("App Store, this period", sum(reviews.groups, \.periodCounts)),
      ("App Store, before", sum(reviews.groups, \.previousCounts)),
      ("App Store, all that is held", sum(reviews.groups, \.counts)),
    ]
    return Table(
      id: "store-means", title: "In the app and in the App Store",
      columns: [Table.Column("place", "Where", .leading)]
        + StarCounts.columns.map { column in
          var column = column
          column.drawsBars = false
          return column
        },
      rows: rows.map { Table.Row([.text($0.0)] + $0.1.cells) })
  }

  private static func versions(_ reviews: ReviewFacts, _ tally: RatingsTally) -> Table {
    var store = Dictionary(grouping: reviews.groups, by: \.version)
    store[""] = nil
    let rows = store.compactMap { version, groups in
      tally.byVersion[version].map { (version, $0, sum(groups, \.counts)) }
    }
    return comparison(
      rows, "store-versions", "By app version",
      Table.Column("version", "Version", .leading), "No version has both ratings and reviews.")
  }

  private static func countries(_ reviews: ReviewFacts, _ tally: RatingsTally) -> Table {
    var inApp: [String: StarCounts] = [:]
    for (country, counts) in tally.byCountry {
      guard let country, let code = StoreCountries.code(of: country) else { continue }
      inApp[code, default: StarCounts()].add(counts.counts)
    }
    let store = Dictionary(grouping: reviews.groups, by: \.country)
    let rows = store.compactMap { code, groups in
      inApp[code].map { (StoreCountries.name(of: code), $0, sum(groups, \.counts)) }
    }
    return comparison(
      rows, "store-countries", "By country",
      Table.Column("country", "Country", .leading), "No country has both ratings and reviews.")
  }

  /// Groups that both have, those with most reviews first.
  private static func comparison(
    _ rows: [(name: String, inApp: StarCounts, store: StarCounts)], _ id: String, _ title: String,
    _ column: Table.Column, _ emptyText: String
  ) -> Table {
    let ordered = rows.sorted { ($1.store.count, $0.name) < ($0.store.count, $1.name) }
    return Table(
      id: id, title: title,
      columns: [
        column, Table.Column("ratings", "In the app"), Table.Column("rating_mean", "Mean"),
        Table.Column("reviews", "App Store"), Table.Column("review_mean", "Mean"),
      ],
      rows: ordered.map { row in
        Table.Row([
          .text(row.name), .count(row.inApp.count), .mean(row.inApp.mean),
          .count(row.store.count), .mean(row.store.mean),
        ])
      },
      shownLimit: shownGroups, emptyText: emptyText)
  }

  private static func sum(
    _ groups: [ReviewFacts.Group], _ counts: KeyPath<ReviewFacts.Group, [Int]>
  ) -> StarCounts {
    groups.reduce(into: StarCounts()) { $0.add($1[keyPath: counts]) }
  }

  private static func list(_ reviews: ReviewFacts) -> FeedbackList {
    FeedbackList(
      id: "reviews",
      entries: reviews.newest.map { review in
        FeedbackList.Entry(
          at: review.updatedAt, stars: review.stars, title: review.title, text: review.text,
          userId: review.author, gender: "", country: StoreCountries.name(of: review.country),
          appVersion: review.version, state: nil)
      },
      shownLimit: shownReviews, emptyText: "The App Store shows no review of the app.")
  }

  private static let definitions = [
    Definition(
      "App Store, by version and country",
      "All reviews that the workspace holds, beside the ratings of this period in the app. The App "
        + "Store's own average also counts ratings without a review, which its feed does not tell.")
  ]
}
