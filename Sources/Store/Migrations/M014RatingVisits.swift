/// An index of the few events that tell of a visit to the App Store after a rating.
///
/// Their parameter is `rating_{App}_{stars}_after_{tries}`; see `docs/rules.md#ratings`. A question
/// has to repeat the condition word by word to be answered by the index.
enum M014RatingVisits: Migration {
  static let identifier = "014-rating-visits"

  static let condition = """
    stars IS NULL AND name = 'app_events' AND parameters GLOB '*"rating_*_after_*'
    """

  static let sql = """
    CREATE INDEX events_rating_visits ON events(at)
        WHERE \(condition);
    """
}
