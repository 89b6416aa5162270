import Model
import Store

/// The sections that compare App Store reviews with ratings in the app:
/// docs/reports.md#app-store.
enum StoreRatings {
  static let id = "app-store"
  /// No section when no review was ever read.
  static func sections(_ reviews: ReviewData?, _ tally: RatingsTally) -> [Section] {
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

  /// The figures for the top of the report; none when no review was ever read.
  static func figures(_ reviews: ReviewData?) -> [Figure] {
    guard let reviews else { return [] }
    let all = sum(reviews.groups, \.counts)
    return [
      Figure(
        id: "store-mean", label: "App Store, mean stars", value: .mean(all.mean),
        note: "of \(NumberWords.counted(all.count, "review")) held")
    ]
  }

  private static func means(_ reviews: ReviewData, _ tally: RatingsTally) -> Table {
    let rows: [(place: String, counts: StarCounts)] = [
      ("In the app, this period", tally.current), ("In the app, before", tally.previous),
      ("App Store, this period", sum(reviews.groups, \.periodCounts)),
      ("App Store, before", sum(reviews.groups, \.previousCounts)),
      ("App Store, all that is held", sum(reviews.groups, \.counts)),
    ]
    return Table(
      id: "store-means", title: "In the app and in the App Store", of: rows,
      columns: [Column("place", "Where", .leading) { .text($0.place) }]
        + StarCounts.columns.reading { $0.counts })
  }

  /// A version or country with both ratings and reviews.
  private typealias Group = (name: String, inApp: StarCounts, store: StarCounts)

  private static func versions(_ reviews: ReviewData, _ tally: RatingsTally) -> Table {
    var store = Dictionary(grouping: reviews.groups, by: \.version)
    store[""] = nil
    let rows = store.compactMap { version, groups in
      tally.byVersion[version].map {
        (name: version, inApp: $0, store: sum(groups, \.counts))
      }
    }
    return comparison(
      rows, "store-versions", "By app version",
      Column("version", "Version", .leading) { .text($0.name) },
      "No version has both ratings and reviews.")
  }

  private static func countries(_ reviews: ReviewData, _ tally: RatingsTally) -> Table {
    var inApp: [String: StarCounts] = [:]
    for (country, counts) in tally.byCountry {
      guard let country, let code = StoreCountries.code(of: country) else { continue }
      inApp[code, default: StarCounts()].add(counts.counts)
    }
    let store = Dictionary(grouping: reviews.groups, by: \.country)
    let rows = store.compactMap { code, groups in
      inApp[code].map {
        (name: StoreCountries.name(of: code), inApp: $0, store: sum(groups, \.counts))
      }
    }
    return comparison(
      rows, "store-countries", "By country",
      Column("country", "Country", .leading) { .text($0.name) },
      "No country has both ratings and reviews.")
  }

  /// The groups with most reviews come first.
  private static func comparison(
    _ groups: [Group], _ id: String, _ title: String, _ name: Column<Group>, _ emptyText: String
  ) -> Table {
    let ordered = groups.sorted { ($1.store.count, $0.name) < ($0.store.count, $1.name) }
    return Table(
      id: id, title: title, of: ordered,
      columns: [
        name,
        Column("ratings", "In the app") { .count($0.inApp.count) },
        Column("rating_mean", "Mean") { .mean($0.inApp.mean) },
        Column("reviews", "App Store") { .count($0.store.count) },
        Column("review_mean", "Mean") { .mean($0.store.mean) },
      ],
      shownLimit: 12, emptyText: emptyText)
  }

  private static func sum(
    _ groups: [ReviewData.Group], _ counts: KeyPath<ReviewData.Group, [Int]>
  ) -> StarCounts {
    groups.reduce(into: StarCounts()) { $0.add($1[keyPath: counts]) }
  }

  private static func list(_ reviews: ReviewData) -> FeedbackList {
    FeedbackList(
      id: "reviews",
      entries: reviews.newest.map { review in
        UserComment(
          at: review.updatedAt, stars: review.stars, title: review.title, text: review.text,
          userId: review.author, gender: "", country: StoreCountries.name(of: review.country),
          appVersion: review.version, state: nil)
      },
      shownLimit: 15, emptyText: "The App Store shows no review of the app.")
  }

  private static let definitions = [
    Definition(
      "App Store, by version and country",
      "All reviews that the workspace holds, beside the ratings of this period in the app. The App "
        + "Store's own average also counts ratings without a review, which its feed does not tell.")
  ]
}
