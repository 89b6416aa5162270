import Model
import Store

/// The sections about App Store reviews; queries compare them with ratings in the app:
/// docs/reports.md#app-store.
enum StoreRatings {
  static let id = "app-store"
  static let meanId = "store-mean"
  /// No section when no review was ever read.
  static func sections(_ reviews: ReviewData?, _ time: TimeWords) -> [Section] {
    guard let reviews else { return [] }
    return [
      Section(.ratings, id) { "\($0) Last read \(time.dateAndTime(reviews.fetchedAt))." },
      Section(.ratings, "reviews", [.feedback(list(reviews))]),
    ]
  }

  /// The figures for the top of the report; none when no review was ever read.
  static func figures(_ reviews: ReviewData?) -> [Figure] {
    guard let reviews else { return [] }
    return [
      Figure(
        id: meanId, label: "App Store, mean stars",
        value: .mean(Mean(total: reviews.stars, count: reviews.count)),
        note: "of \(NumberWords.counted(reviews.count, "review")) held")
    ]
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
      shownLimit: 15, openLimit: 6, emptyText: "The App Store shows no review of the app.")
  }
}
