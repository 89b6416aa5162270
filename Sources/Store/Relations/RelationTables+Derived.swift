extension RelationTables {
  /// Fills the relations that are made of others and of the ledger's ratings, where somebody needs
  /// them: many queries read each of them, so that they are counted once.
  ///
  /// `countsEvents` says whether the pass went over events, which adds no sums of their prices.
  static func derivation(for needs: RelationNeeds, countsEvents: Bool) -> String {
    let views = computedOnce.map { (relation: $0, sql: keepingRows(of: $0)) }
    let prices = countsEvents ? priceDerivations : []
    return (derivations + prices + indexes + views).filter { needs.have($0.relation) }
      .map(\.sql).joined()
  }

  private static let priceDerivations: [(relation: String, sql: String)] = [
    (
      "price_day",
      """
      INSERT INTO temp.price_day
      SELECT person, (SELECT max(start) FROM temp.day WHERE start <= at) AS begin, is_tap, price,
          amount, currency, term, monthly, min(at), max(at)
      FROM temp.price_shown WHERE price IS NOT NULL GROUP BY person, begin, is_tap, price;

      """
    ),
    (
      "subscription_tap",
      """
      INSERT INTO temp.subscription_tap
      SELECT person, at, feature FROM temp.price_shown WHERE is_tap;

      """
    ),
  ]

  private static let derivations: [(relation: String, sql: String)] = [
    (
      "rating",
      """
      INSERT INTO temp.rating
      SELECT events.id, at, stars, user_id, country, app_version, platform, day.day, day.date,
          at >= period.start AND at < period."end",
          ifnull(at >= whole_start AND at < whole_end, 0),
          ifnull(at >= before_start AND at < before_end, 0)
      FROM temp.period CROSS JOIN main.events
          LEFT JOIN temp.day ON day.start = (
              SELECT max(start) FROM temp.day AS d WHERE d.start <= events.at)
      WHERE stars IS NOT NULL AND at < period."end"
          AND (only_user IS NULL OR user_id = only_user)
          AND (only_platform IS NULL OR platform IS NULL OR platform = only_platform)
      ORDER BY at;

      """
    ),
    ("payment", PaymentRelation.filling),
  ]

  /// The views that several queries read and that take long; each reads only those before it.
  static let computedOnce = ["price_seen", "price_pair", "price_answer"]

  /// The name of the table with the rows of such a view.
  static func rows(of view: String) -> String { "\(view)_row" }

  /// Computes the rows of a view now, for all who read it.
  private static func keepingRows(of view: String) -> String {
    """
    CREATE TEMP TABLE \(rows(of: view)) AS SELECT * FROM temp.\(view);
    DROP VIEW temp.\(view);
    CREATE TEMP VIEW \(view) AS SELECT * FROM temp.\(rows(of: view));

    """
  }

  /// Made once the rows are there: sorting them then takes less than keeping them sorted.
  private static let indexes: [(relation: String, sql: String)] =
    keys.filter { ["attempt", "block", "payment", "popup", "subscription_tap"].contains($0.key) }
    .map { ($0.key, "CREATE INDEX temp.\($0.key)_key ON \($0.key) (\($0.value));\n") }
}
